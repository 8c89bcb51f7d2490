import type { z } from 'zod';
import { endpoints, type Endpoint, type EndpointName } from '../contract/endpoints.ts';
import { readOnlyActions } from '../contract/names.ts';
import { validate } from '../issues.ts';
import { parseJson, stringifyJson } from '../lossless-json.ts';
import { ConnectorAuthError, fromProblem } from '../problem.ts';
import { parseRetryAfter } from './retries.ts';
import type { RawRequest, ResponseHeaders } from './transport.ts';

type Endpoints = typeof endpoints;

/** What an endpoint takes: `params` of its path, `query`, `headers` of its own and `body`, those that it has. */
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
  ? // Query values are coerced from text, so their input type says nothing; the output is what one means to write.
    { readonly [K in Key]: Key extends 'query' ? z.output<Schema> : z.input<Schema> }
  : { readonly [K in Key]?: never };

/** What an endpoint answers; undefined where the answer is empty. */
export type EndpointResponse<Name extends EndpointName> = Endpoints[Name]['response'] extends z.ZodType
  ? z.output<Endpoints[Name]['response']>
  : undefined;

/** The parts of any endpoint's input, for code that does not know which endpoint it is. */
interface AnyInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/**
 * The HTTP request of a call.
 * @throws ConnectorAuthError `malformed_request` when the body is nothing JSON can hold, or a header or a part of the path is not
 * what the contract says: it could make the path another endpoint's.
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
    // A value that contains itself. What JSON.stringify says about it names the caller's members.
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
    // Replacing a placeholder leaves the start of the path as it is.
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

/** Whether a client may send this request again by itself: by the contract, by its key, or because it only reads. */
export function isRetryable(name: EndpointName, { body }: AnyInput, key: string | undefined): boolean {
  if (key !== undefined) return true;
  const members = typeof body === 'object' && body !== null ? body : {};
  // Credentials may work once: sent again they would be refused, although the first request was carried out.
  if (name === 'updateConnector' && 'credentials' in members) return false;
  if (endpoints[name].retryable) return true;
  return (
    name === 'execute' && 'action' in members && readOnlyActions.some(action => action === members.action)
  );
}

/** An answer as it came: its body is text that may be anything. */
export interface TextResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
}

/**
 * What a call answers, checked against the contract.
 * @throws ConnectorAuthError the service's own problem, or `unexpected_answer` for anything that is not in the contract.
 * The body of such an answer is not repeated: it may hold what must not be logged.
 */
export function readResponse<Name extends EndpointName>(
  name: Name,
  response: TextResponse,
  nowMs: number,
): EndpointResponse<Name> {
  if (response.status < 200 || response.status >= 300) throw readProblem(response, nowMs);
  const schema: z.ZodType | null = endpoints[name].response;
  // A schema of null is exactly where EndpointAnswer says undefined; any other output is its schema's own.
  if (schema === null) return undefined as EndpointResponse<Name>;
  const { data, error } = schema.safeParse(parseOrUndefined(response.text));
  if (error) throw unexpected(response, error);
  return data as EndpointResponse<Name>;
}

/** The error an answer without success stands for. */
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
  const requestId = response.headers['x-request-id'];
  const contentType = response.headers['content-type'];
  return new ConnectorAuthError(
    'unexpected_answer',
    `Unexpected response from the service: status ${response.status}, ${typeof contentType === 'string' ? contentType : 'no content type'}. ` +
      "Check that baseUrl is the service's URL and that the client's version matches the service's",
    {
      ...(response.status >= 400 ? { status: response.status } : {}),
      ...(typeof requestId === 'string' ? { requestId } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
