import type { z } from 'zod';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpoints, type EndpointName } from '../contract/endpoints.ts';
import { readOnlyActions } from '../contract/names.ts';
import { validate } from '../issues.ts';
// oxlint-disable-next-line no-restricted-imports -- reads responses of the caller's own service
import { parseJson, stringifyJson } from '../lossless-json.ts';
import { ConnectorAuthError, fromProblem } from '../problem.ts';
import { parseRetryAfter } from './retries.ts';
import type { RawRequest, ResponseHeaders } from './transport.ts';

type Endpoints = typeof endpoints;

/** The parts of an endpoint's request: path `params`, `query`, endpoint-specific `headers`, and `body`. */
export type EndpointInput<Name extends EndpointName> = Part<Name, 'params'> &
  Part<Name, 'query'> &
  Part<Name, 'headers'> &
  Part<Name, 'body'>;

type Part<
  Name extends EndpointName,
  Key extends 'params' | 'query' | 'headers' | 'body',
> = Endpoints[Name] extends {
  readonly [K in Key]: infer Schema extends z.ZodType;
}
  ? // Query values are coerced from strings, so the input type is unknown; callers pass the output type.
    { readonly [K in Key]: Key extends 'query' ? z.output<Schema> : z.input<Schema> }
  : { readonly [K in Key]?: never };

/** An endpoint's response; undefined if it has no body. */
export type EndpointResponse<Name extends EndpointName> = Endpoints[Name]['response'] extends z.ZodType
  ? z.output<Endpoints[Name]['response']>
  : undefined;

/** Input for any endpoint. */
interface AnyInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/**
 * Creates the HTTP request for a call.
 * @throws ConnectorAuthError `malformed_request` if the body cannot be serialized, or if a header or path
 * parameter does not match the contract. An invalid path parameter could otherwise change which endpoint is
 * called.
 */
export function writeRequest(
  name: EndpointName,
  input: AnyInput,
  idempotencyKey: string | undefined,
): RawRequest {
  const { method, path, params, headers, body }: Endpoint = endpoints[name];
  return {
    method,
    path: `${fillPath(path, params, input.params)}${writeQuery(input.query)}`,
    headers: {
      ...writeHeaders(headers, input.headers),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body ? { body: writeBody(input.body) } : {}),
  };
}

function writeBody(body: unknown): string {
  try {
    return stringifyJson(body ?? {});
  } catch {
    // A circular value. The message of JSON.stringify would contain member names from the caller's data.
    throw ConnectorAuthError.invalid('malformed_request', [
      { path: 'body', message: 'Cannot be serialized as JSON' },
    ]);
  }
}

function fillPath(
  path: Endpoint['path'],
  schema: z.ZodObject | undefined,
  values: unknown,
): Endpoint['path'] {
  if (!schema) return path;
  return Object.entries(parse(schema, values)).reduce<Endpoint['path']>(
    // Replacing a placeholder keeps the /api/v1/ prefix.
    (filled, [key, value]) =>
      filled.replace(`{${key}}`, encodeURIComponent(String(value))) as Endpoint['path'],
    path,
  );
}

function writeHeaders(schema: z.ZodObject | undefined, values: unknown): Record<string, string> {
  if (!schema) return {};
  return Object.fromEntries(
    Object.entries(parse(schema, values ?? {})).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

function parse(schema: z.ZodObject, value: unknown): Record<string, unknown> {
  const result = validate(schema, value);
  if (!result.ok) throw ConnectorAuthError.invalid('malformed_request', result.issues);
  return result.value;
}

function writeQuery(query: unknown): string {
  const text = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined) text.append(key, String(value));
  }
  return text.size === 0 ? '' : `?${text.toString()}`;
}

/**
 * Returns whether the client can retry a request. It can if the contract allows it, if the request includes
 * an idempotency key, or if the request only reads.
 */
export function isRetryable(name: EndpointName, { body }: AnyInput, key: string | undefined): boolean {
  if (key !== undefined) return true;
  const members = typeof body === 'object' && body !== null ? body : {};
  // Some credentials work only once: a retry would fail even though the first request succeeded.
  if (name === 'updateConnector' && 'credentials' in members) return false;
  if (endpoints[name].retryable) return true;
  return (
    name === 'execute' && 'action' in members && readOnlyActions.some(action => action === members.action)
  );
}

/** A response with its body as unparsed text. */
export interface TextResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
}

/**
 * Parses a response and validates it against the contract.
 * @throws ConnectorAuthError the service's problem, or `unexpected_answer` if the response does not match the
 * contract. The message never includes the body, which can contain secrets.
 */
export function readResponse<Name extends EndpointName>(
  name: Name,
  response: TextResponse,
  nowMs: number,
): EndpointResponse<Name> {
  if (response.status < 200 || response.status >= 300) throw readProblem(response, nowMs);
  const schema: z.ZodType | null = endpoints[name].response;
  // EndpointResponse is undefined exactly where the schema is null, and the schema's output everywhere else.
  if (schema === null) return undefined as EndpointResponse<Name>;
  const { data, error } = schema.safeParse(parseOrUndefined(response.text));
  if (error) throw unexpected(response, error);
  return data as EndpointResponse<Name>;
}

function readProblem(response: TextResponse, nowMs: number): ConnectorAuthError {
  const retryAfterSeconds = parseRetryAfter(response.headers['retry-after'], nowMs);
  const problem = fromProblem(parseOrUndefined(response.text), retryAfterSeconds);
  return problem ?? unexpected(response, undefined, retryAfterSeconds);
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function unexpected(response: TextResponse, cause?: unknown, retryAfterSeconds?: number): ConnectorAuthError {
  const { 'x-request-id': requestId, 'content-type': contentType, location } = response.headers;
  // Only the origin: the rest of a redirect's target can contain secrets.
  const target = typeof location === 'string' && URL.canParse(location) ? new URL(location).origin : null;
  return new ConnectorAuthError(
    'unexpected_answer',
    `Unexpected response from the service: status ${response.status}, ${typeof contentType === 'string' ? contentType : 'no content type'}. ` +
      (target === null
        ? "Check that baseUrl is the service's URL and that the client's version matches the service's"
        : `It redirects to ${target}: change baseUrl to the service's own URL`),
    {
      ...(response.status >= 400 ? { status: response.status } : {}),
      ...(typeof requestId === 'string' ? { requestId } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
