import type { Request } from 'express';
import { GongError } from './errors.ts';
import type { ContentSelector } from './extensive.ts';

/** Fields of a JSON object or of a query string. */
export type Fields = Readonly<Record<string, unknown>>;

/** Creates the error for an invalid parameter. */
export function badRequest(message: string): GongError {
  return new GongError(400, message);
}

/** Reads the JSON body; throws a `GongError` if it is not an object. */
export function readBody(request: Request): Fields {
  return readObject({ body: request.body ?? {} }, 'body') ?? {};
}

/** Reads an object; returns undefined if it is absent or null. */
export function readObject(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value };
  throw badRequest(`${name} must be an object`);
}

/** Reads a string; returns undefined if it is absent or null. */
export function readText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw badRequest(`${name} must be given once, as a string`);
}

/** Reads a list of ids, which must be strings of digits. */
export function readIds(fields: Fields, name: string): ReadonlySet<string> | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every(id => typeof id === 'string' && /^\d{1,20}$/.test(id))) {
    return new Set<string>(value);
  }
  throw badRequest(`${name} must be a list of ids as strings`);
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;

/** Reads the range from `fromDateTime` (inclusive) to `toDateTime` (exclusive), in milliseconds. */
export function readWindow(fields: Fields): { fromMs: number; toMs: number } {
  const read = (name: string, byDefault: number): number => {
    const text = readText(fields, name);
    if (text === undefined) return byDefault;
    const ms = DATE_TIME.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(ms)) throw badRequest(`${name} must be an ISO 8601 date-time with an offset`);
    return ms;
  };
  const [fromMs, toMs] = [read('fromDateTime', -Infinity), read('toDateTime', Infinity)];
  if (fromMs >= toMs) throw badRequest('fromDateTime must be before toDateTime');
  return { fromMs, toMs };
}

/** Reads which parts of a call the request selects. */
export function readContentSelector(body: Fields): ContentSelector {
  const selector = readObject(body, 'contentSelector') ?? {};
  const exposed = readObject(selector, 'exposedFields') ?? {};
  const named = (name: string): ReadonlySet<string> => {
    const fields = readObject(exposed, name) ?? {};
    return new Set(Object.keys(fields).filter(field => fields[field] === true));
  };
  const context = readText(selector, 'context') ?? 'None';
  if (!['None', 'Basic', 'Extended', 'Full'].includes(context)) {
    throw badRequest('contentSelector.context must be None, Basic or Extended');
  }
  return {
    context: context !== 'None',
    parties: exposed['parties'] === true,
    media: exposed['media'] === true,
    content: named('content'),
    interaction: named('interaction'),
    publicComments: named('collaboration').has('publicComments'),
  };
}
