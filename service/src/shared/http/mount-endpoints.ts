import { createHash } from 'node:crypto';
import { parse as parseQuery, type ParsedUrlQuery } from 'node:querystring';
import type { Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import {
  chooseLanguage,
  ConnectorAuthError,
  idempotencyKey,
  IssueList,
  stringifyJson,
  unknownField,
  validate,
  type Endpoint,
} from '@connector-auth/api';
import type { z } from 'zod';
import type { AuditDetails } from '../../platform/audit-log/entry.ts';
import { requireAdminAccess, type AdminCaller } from '../auth/admin-caller.ts';
import type { AuthenticatedRequest } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import type { Admission } from './admission.ts';
import { maxBodyKiB, readJsonBody } from './body.ts';
import { collectGarbage } from './collect-garbage.ts';
import { allowPageOrigins, rejectForeignPages, respondToPreflight } from './cors.ts';
import type { CallOf, HandlerOf } from './handler.ts';
import { reportLimit } from './limit-headers.ts';
import type { HttpRequest, HttpResponse } from './locals.ts';
import { ndjson, nextCursorHeader, toLines, type Page } from './ndjson.ts';
import { RequestAudit, type EndpointAudit } from './request-audit.ts';
import { vary } from './vary.ts';

type Contract = Readonly<Record<string, Endpoint>>;

/** A handler for each endpoint of a contract. `AdminHandlers` and `Handlers` state the exact types. */
export type HandlersOf<C extends Contract> = { readonly [Name in keyof C]: HandlerOf<C[Name]> };

export interface MountOptions {
  /** Identifies the caller of an endpoint that requires one. */
  readonly authenticate: (request: AuthenticatedRequest, endpoint: Endpoint) => Promise<Caller | AdminCaller>;
  /** Limits concurrent requests. */
  readonly admission: Admission;
  readonly audit: EndpointAudit;
  /**
   * The only origin whose pages can call the endpoints. If null, pages of all origins can call those that require
   * a token.
   */
  readonly ownOrigin: string | null;
  /** The endpoint whose path is compared first, because most requests are for it. */
  readonly mostCalled?: string;
  /**
   * Runs requests with an idempotency key once. If absent, the handlers do so, in the transaction of the change.
   */
  readonly runOnce?: (
    call: CallOf<Endpoint>,
    endpoint: Endpoint,
    work: () => Promise<unknown>,
  ) => Promise<unknown>;
  /** Whether to throw if a response does not match the contract. Intended for tests. */
  readonly validateResponses: boolean;
}

/** Handles a request. Returns null if it is not for an endpoint. */
export type Endpoints = (request: HttpRequest, response: HttpResponse) => Promise<void> | null;

/**
 * Mounts the endpoints of a contract, except those of features that are left out. Unsupported methods return status 405.
 */
export function mountEndpoints<C extends Contract>(
  contract: C,
  handlers: HandlersOf<C>,
  options: MountOptions,
): Endpoints {
  const handled = Object.fromEntries(Object.entries(contract).filter(([name]) => handlers[name]));
  const routes = Array.from(groupByPath(handled, options.mostCalled), ([path, onPath]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
    respond: createRoute(path, onPath, handlers, options),
  }));
  return (request, response) => {
    // A request of a proxy may have a whole URL (RFC 9112, section 3.2.2).
    const url = (request.url ?? '').replace(/^https?:\/\/[^/]*/i, '');
    const queryAt = url.indexOf('?');
    const path = queryAt === -1 ? url : url.slice(0, queryAt);
    for (const { pattern, respond } of routes) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const query = queryAt === -1 ? {} : parseQuery(url.slice(queryAt + 1));
      return respond({ request, response, params: match.groups ?? {}, query });
    }
    return null;
  };
}

/** A request for one path of the contract, with the parameters of the path as they were sent. */
interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly query: ParsedUrlQuery;
}

/** Handles the requests for a path, in this order: page origins, preflights, methods. */
function createRoute<C extends Contract>(
  path: string,
  onPath: readonly [string, Endpoint][],
  handlers: HandlersOf<C>,
  options: MountOptions,
): (exchange: Exchange) => Promise<void> {
  const { ownOrigin, admission } = options;
  const methods = onPath.map(([, { method }]) => method);
  const callable = onPath.flatMap(([, { method, callers }]) => (callers.length > 0 ? [method] : []));
  const byMethod = new Map(
    onPath.map(([name, endpoint]) => [
      endpoint.method as string,
      handleEndpoint(name, endpoint, handlers[name] as unknown as AnyHandler, options),
    ]),
  );
  if (ownOrigin === null && callable.length > 0) {
    byMethod.set('OPTIONS', async ({ request, response }) => {
      await admission.admit(null, request, response);
      respondToPreflight(request, response, callable);
    });
  }
  const reject = async ({ request, response }: Exchange): Promise<never> => {
    await admission.admit(null, request, response);
    rejectMethod(response, methods);
  };
  return exchange => {
    const { request, response } = exchange;
    const { method = '' } = request;
    response.locals.route = path;
    const handle = byMethod.get(method === 'HEAD' ? 'GET' : method) ?? reject;
    if (ownOrigin !== null)
      return rejectForeignPages(ownOrigin, admission, request, response).then(() => handle(exchange));
    if (callable.length > 0) allowPageOrigins(request, response);
    return handle(exchange);
  };
}

function groupByPath(contract: Contract, first: string | undefined): Map<string, [string, Endpoint][]> {
  const groups = new Map<string, [string, Endpoint][]>();
  const firstPath = first === undefined ? undefined : contract[first]?.path;
  if (firstPath !== undefined) groups.set(firstPath, []);
  for (const [name, endpoint] of Object.entries(contract)) {
    groups.set(endpoint.path, [...(groups.get(endpoint.path) ?? []), [name, endpoint]]);
  }
  return groups;
}

/** Rejects a request with a method that the path does not support. */
export function rejectMethod(response: HttpResponse, methods: readonly string[]): never {
  response.setHeader('Allow', methods.join(', '));
  throw new ConnectorAuthError('method_not_allowed', `Allowed methods: ${methods.join(', ')}`);
}

type AnyHandler = (call: CallOf<Endpoint>) => Promise<unknown>;

function handleEndpoint(
  name: string,
  endpoint: Endpoint,
  handler: AnyHandler,
  {
    authenticate,
    admission,
    audit,
    runOnce = (_call, _endpoint, work) => work(),
    validateResponses,
  }: MountOptions,
): (exchange: Exchange) => Promise<void> {
  return async exchange => {
    const { request, response } = exchange;
    const { locals } = response;
    const { headers, ip: address = '' } = request;
    const { requestId } = locals;
    const reportRejection: AuthenticatedRequest['reportRejection'] = rejection => {
      locals.rejection = rejection;
    };
    const entry = new RequestAudit(audit, endpoint, { requestId, address });
    if (endpoint.callers.length > 0) {
      try {
        locals.caller = await authenticate({ headers, address, reportRejection }, endpoint);
      } catch (error) {
        // A request without a valid token counts against its address.
        await admission.admit(null, request, response);
        if (headers.authorization !== undefined) entry.reject(error);
        throw error;
      }
    }
    await admission.admit(locals.caller ?? null, request, response);
    if (endpoint.isLocalized) negotiateLanguage(exchange);
    let result: unknown;
    try {
      entry.setCaller(locals.caller);
      if (locals.caller?.kind === 'admin') requireAdminAccess(locals.caller, endpoint);
      const input = await readInput(endpoint, exchange);
      // The parameters of a path are strings.
      entry.addPath(input.params as Record<string, string> | undefined);
      entry.requireWritable();
      // `authenticate` rejects callers that the endpoint does not declare, and `readInput` validates with the
      // endpoint's schemas.
      const call = {
        ...input,
        caller: locals.caller,
        idempotencyKey: endpoint.idempotencyKey ? readIdempotencyKey(request) : null,
        language: locals.language ?? 'en',
        address,
        cookie: headers.cookie,
        userAgent: headers['user-agent'],
        signal: abortOnDisconnect(response),
        onClose: (callback: () => void) =>
          void (response.closed ? callback() : response.on('close', callback)),
        setHeader: (header: string, value: string) => void response.setHeader(header, value),
        reportLimit: usage => reportLimit(response, usage),
        reportRejection,
        requestId,
        audit: (details: AuditDetails) => {
          entry.add(details);
          if (details.connectorId) locals.connector = details;
        },
      } as CallOf<Endpoint>;
      result = await runOnce(call, endpoint, () => handler(call));
    } catch (error) {
      entry.fail(error);
      throw error;
    }
    entry.succeed(result);
    if (validateResponses) validateResponse(name, endpoint, result);
    send(endpoint, result, request, response);
  };
}

/** Chooses the language of the response, which also applies if the response is an error. */
function negotiateLanguage({ request, response, query }: Exchange): void {
  const { language: wanted } = query;
  const language = chooseLanguage(typeof wanted === 'string' ? wanted : request.headers['accept-language']);
  response.locals.language = language;
  response.setHeader('Content-Language', language);
  vary(response, 'Accept-Language');
}

/** Validates the path parameters, query, headers and body of a request, and reports all issues at once. */
async function readInput(endpoint: Endpoint, { request, ...sent }: Exchange) {
  const issues = new IssueList();
  const params = parsePart(endpoint.params, decodeParams(sent.params), issues);
  const query = parsePart(endpoint.query, { ...sent.query }, issues);
  const headers = parsePart(endpoint.headers, endpoint.headers ? request.headers : {}, issues);
  const maxKiB = endpoint.callers.length > 0 ? maxBodyKiB.withToken : maxBodyKiB.withoutToken;
  const json = await readJsonBody(request, maxKiB);
  const body = parsePart(endpoint.body, endpoint.body || json !== undefined ? json : {}, issues);
  if (issues.entries.length === 0) return { params, query, headers, body };
  throw ConnectorAuthError.invalid('malformed_request', issues.entries);
}

/** @throws URIError if the percent-encoding is invalid. */
function decodeParams(params: Exchange['params']): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
}

function parsePart(schema: z.ZodType | undefined, value: unknown, issues: IssueList): unknown {
  if (schema === undefined) {
    for (const path of unexpectedPaths(value)) issues.add(path, unknownField([]));
    return undefined;
  }
  if (value === undefined) {
    issues.add('', 'Send a JSON body');
    return undefined;
  }
  const parsed = validate(schema, value);
  if (parsed.ok) return parsed.value;
  for (const { path, message } of parsed.issues) issues.add(path, message);
  return undefined;
}

/** Returns the unexpected fields in the input of an endpoint that declares none. */
function unexpectedPaths(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [''];
  return Object.keys(value);
}

function readIdempotencyKey({ headers }: HttpRequest): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  const parsed = validate(idempotencyKey, key, 'Idempotency-Key');
  if (parsed.ok) return parsed.value;
  throw ConnectorAuthError.invalid('malformed_request', parsed.issues);
}

/** Returns a signal that aborts if the caller disconnects before the response. */
export function abortOnDisconnect(response: HttpResponse): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function validateResponse(name: string, endpoint: Endpoint, result: unknown): void {
  if (endpoint.response === null) {
    if (result !== undefined) throw new Error(`${name} must not return a body`);
    return;
  }
  const parsed = endpoint.response.safeParse(result);
  if (!parsed.success)
    throw new Error(`The response from ${name} violates its contract`, { cause: parsed.error });
  if (!isDeepStrictEqual(parsed.data, result))
    throw new Error(`The response from ${name} contains properties that its contract does not declare`);
}

const largeLength = 4 * 1024 * 1024;

/**
 * Encodes a response at once, because Node would encode a text twice, to count its bytes and with the headers.
 * Collects the garbage that a large one leaves. Otherwise, the process grows to several times the size of all
 * responses before V8 does so.
 */
function encode(text: string): Buffer {
  if (text.length >= largeLength) setImmediate(collectGarbage);
  return Buffer.from(text);
}

/** The slowest rate at which a caller can read a response. */
const minBytesPerSecond = 256 * 1024;
const minSendingMs = 30_000;

/** Closes the connection of a caller that reads too slowly, because unsent responses use memory. */
function limitSending(response: Writable, length: number): void {
  if (length < minBytesPerSecond) return;
  const timer = setTimeout(
    () => response.destroy(),
    minSendingMs + (length / minBytesPerSecond) * 1000,
  ).unref();
  response.once('close', () => clearTimeout(timer));
}

function send(endpoint: Endpoint, result: unknown, request: HttpRequest, response: HttpResponse): void {
  response.statusCode = endpoint.status;
  if (endpoint.response === null) return void response.setHeader('Cache-Control', 'no-store').end();
  if (endpoint.mediaType === ndjson) {
    // The contract declares such a response as a page.
    const page = result as Page;
    const lines = toLines(page);
    limitSending(response, lines.length);
    response.setHeader('Content-Type', `${ndjson}; charset=utf-8`).setHeader('Cache-Control', 'no-store');
    if (page.meta.cursor !== null) response.setHeader(nextCursorHeader, page.meta.cursor);
    return void response.end(encode(lines));
  }
  const text = stringifyJson(result);
  limitSending(response, text.length);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!endpoint.cacheable) return void response.setHeader('Cache-Control', 'no-store').end(encode(text));
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  response.setHeader('Cache-Control', 'private, no-cache').setHeader('ETag', etag);
  // A cached response must not be reused with another token, which may allow different sources.
  vary(response, 'Authorization');
  if (!isCached(request, etag)) return void response.end(text);
  response.statusCode = 304;
  response.end();
}

/** Returns whether the client has this version (RFC 9110, section 13.1.2). */
function isCached({ headers }: HttpRequest, etag: string): boolean {
  const known = headers['if-none-match'] ?? '';
  return known.split(',').some(entry => entry.trim().replace(/^W\//, '') === etag);
}
