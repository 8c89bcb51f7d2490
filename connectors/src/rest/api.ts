import { ConnectorAuthError } from '@connector-auth/api';
import type { Grant } from '../kind/grants.ts';
import { asInteger, asObject, asString } from '../kind/record.ts';
import type { VendorRequest } from '../kind/vendor.ts';

/** A vendor's HTTP API. */
export interface Api {
  /** The name of the kind, for errors. */
  readonly name: string;
  /**
   * Address of the API, such as `https://api.acme.example/v1`, without a slash at the end. A function if the vendor returned it
   * with the tokens.
   */
  readonly url: string | ((grant: Grant) => string);
  /** Headers of every request, such as the version of the API. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Values for the `{placeholders}` of a path, for a query or for a body. */
export type Values = Readonly<Record<string, unknown>>;

/** Creates a request to a path below the API's address. Values that the path has no placeholder for are the query. */
export function requestTo(
  api: Api,
  grant: Grant,
  { method = 'GET', path, values = {} }: { method?: VendorRequest['method']; path: string; values?: Values },
): VendorRequest {
  const base = typeof api.url === 'string' ? api.url : api.url(grant);
  return {
    method,
    url: base + fillPath(path, values),
    query: toQuery(withoutPlaceholders(path, values)),
    ...(api.headers && { headers: api.headers }),
  };
}

/** Returns the request of a GraphQL query with its variables, whose address is that of the API. */
export function graphql(api: Api, query: string): (variables: Values, grant: Grant) => VendorRequest {
  return (variables, grant) => ({
    ...requestTo(api, grant, { method: 'POST', path: '' }),
    body: { query, variables },
  });
}

const placeholder = /\{(\w+)\}/g;

/** Returns the names of the placeholders of a path, such as `owner` for `/repos/{owner}/issues`. */
export function placeholdersOf(path: string): string[] {
  return path.includes('{') ? Array.from(path.matchAll(placeholder), ([, name = '']) => name) : [];
}

/** Returns the values that are not part of the path. */
export function withoutPlaceholders(path: string, values: Values): Values {
  const inPath = placeholdersOf(path);
  return inPath.length === 0
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => !inPath.includes(name)));
}

function fillPath(path: string, values: Values): string {
  if (!path.includes('{')) return path;
  return path.replaceAll(placeholder, (_, name: string) => {
    const text = encodeURIComponent(asText(values[name]) ?? '');
    // An address with such a segment is the address of something else.
    if (/^\.{0,2}$/.test(text)) {
      const issue = { path: `params.${name}`, message: 'Cannot be part of an address' };
      throw ConnectorAuthError.invalid('invalid_params', [issue]);
    }
    return text;
  });
}

function toQuery(values: Values): NonNullable<VendorRequest['query']> {
  const query: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null) query[name] = Array.isArray(value) ? value.join(',') : value;
  }
  // Params of a query are plain values, which are sent as text.
  return query as NonNullable<VendorRequest['query']>;
}

/** Returns the member of a JSON value at a path such as `data.contacts` or `errors.0`, or the value itself for an empty path. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  // Most paths are one name, and splitting them for each record would take longer than reading it.
  if (!path.includes('.')) return asObject(value)[path];
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) =>
        Array.isArray(inner) ? (inner as readonly unknown[])[Number(name)] : asObject(inner)[name],
      value,
    );
}

/** Returns a text, or an integer as text; null for any other value. */
export function asText(value: unknown): string | null {
  return asString(value) ?? asInteger(value)?.toString() ?? null;
}

/** Returns a copy of a JSON object with another value at a path. */
export function withValueAt(object: unknown, path: string, value: unknown): Values {
  const [name = '', ...rest] = path.split('.');
  const members = asObject(object);
  return {
    ...members,
    [name]: rest.length === 0 ? value : withValueAt(members[name], rest.join('.'), value),
  };
}
