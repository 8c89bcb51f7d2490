import { readBundle, type Bundle } from './bundles.ts';
import { toCamelCase, toWire, type Field } from './fields.ts';
import type { Plan } from './plan.ts';
import type { Message } from './proto-json.ts';
import { readRow, type Row } from './search.ts';

/** Renders a row as JSON. */
export type Renderer = (row: Row) => string;

/**
 * Creates a renderer for rows in Google's format: nested, in lowerCamelCase, with int64 as strings, and
 * without absent values or empty lists. Caches the part that rows of one object share, to keep pages of
 * 10,000 rows fast.
 */
export function createRenderer({ select, from, omitsNames }: Plan): Renderer {
  const attributes = select.filter(field => !isFigure(field));
  const groups = Map.groupBy(select.filter(isFigure), ({ resource }) => resource);
  const names = omitsNames ? [] : resourceNames(from, attributes);
  const known = new Map<Bundle, string>();

  const writeBundle = (bundle: Bundle): string => {
    const written: Record<string, unknown> = {};
    for (const { resource, key, path } of names) put(written, path, readBundle(bundle, resource, key));
    for (const { resource, key, path, type } of attributes) {
      const value = readBundle(bundle, resource, key);
      if (value !== undefined && !(Array.isArray(value) && value.length === 0))
        put(written, path, toWire(type, value));
    }
    return JSON.stringify(written).slice(1, -1);
  };
  return row => {
    const shared = known.get(row.bundle) ?? writeBundle(row.bundle);
    known.set(row.bundle, shared);
    const parts = shared === '' ? [] : [shared];
    for (const [resource, fields] of groups) parts.push(`"${resource}":{${writeFigures(row, fields)}}`);
    return `{${parts.join(',')}}`;
  };
}

/** Renders a response body with the rendered results. Omits `results` if there are none. */
export function writeBody(results: readonly string[], rest: Message): string {
  const tail = JSON.stringify(rest).slice(1);
  return results.length === 0 ? `{${tail}` : `{"results":[${results.join(',')}],${tail}`;
}

function isFigure({ resource }: Field): boolean {
  return resource === 'segments' || resource === 'metrics';
}

function writeFigures(row: Row, fields: readonly Field[]): string {
  const parts: string[] = [];
  for (const field of fields) {
    const value = readRow(row, field);
    if (value === undefined) continue;
    // Dates, constants and numbers need no escaping.
    const isBare = typeof value === 'number' && field.type !== 'int64';
    parts.push(`"${field.path[1] ?? ''}":${isBare ? value : `"${String(value)}"`}`);
  }
  return parts.join(',');
}

interface NameField {
  readonly resource: string;
  readonly key: string;
  readonly path: readonly string[];
}

/**
 * Returns the resource names that every row includes: those of the selected resources, and of the ad in
 * `ad_group_ad`.
 */
function resourceNames(from: string, attributes: readonly Field[]): NameField[] {
  const nameOf = (resource: string): NameField => ({
    resource,
    key: 'resource_name',
    path: [toCamelCase(resource), 'resourceName'],
  });
  const names = new Map([[from, nameOf(from)]]);
  for (const { resource, key } of attributes) {
    names.set(resource, nameOf(resource));
    if (resource === 'ad_group_ad' && key.startsWith('ad.')) {
      names.set('ad', { resource, key: 'ad.resource_name', path: ['adGroupAd', 'ad', 'resourceName'] });
    }
  }
  return [...names.values()];
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let place = target;
  for (const step of path.slice(0, -1)) {
    // Only this function writes to the target, so every step is an object that it created.
    place = (place[step] ??= {}) as Record<string, unknown>;
  }
  const last = path.at(-1);
  if (last !== undefined) place[last] = value;
}
