import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import {
  ConnectorAuthError,
  endpoints,
  idempotencyKey,
  IssueList,
  stringifyJson,
  validate,
  type Endpoint,
  type EndpointName,
} from '@connector-auth/api';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import type { Caller } from '../auth/caller.ts';
import { maxBodyKiB, readJsonBody } from './body.ts';
import { allowPageOrigins, respondToPreflights } from './cors.ts';
import type { Call, Handlers } from './handler.ts';

export interface MountOptions {
  /** Identifies the caller of an endpoint that needs a token; throws if the token does not allow the endpoint. */
  readonly authenticate: (headers: IncomingHttpHeaders, endpoint: Endpoint) => Promise<Caller>;
  /** Compares every answer with the contract and fails loudly when it differs: for tests. */
  readonly validateResponses: boolean;
}

/** Mounts every endpoint of the contract: CORS for what widgets call, 405 for methods that a path lacks. */
export function mountEndpoints(handlers: Handlers, options: MountOptions): Router {
  const router = Router({ caseSensitive: true });
  // The table's keys are the handlers' keys: both are EndpointName.
  const names = Object.keys(endpoints) as EndpointName[];
  for (const [path, onPath] of groupByPath(names)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    const callable = onPath.map(name => endpoints[name]).filter(({ callers }) => isWidgetCallable(callers));
    route.all((_request, response, next) => {
      response.locals.route = path;
      next();
    });
    if (callable.length > 0) route.all(allowPageOrigins()).options(respondToPreflights(callable));
    for (const name of onPath) {
      route[verbOf(endpoints[name])](handleEndpoint(name, handlers, options));
    }
    route.all(rejectMethod(onPath.map(name => endpoints[name].method)));
  }
  return router;
}

function groupByPath(names: readonly EndpointName[]): Map<string, EndpointName[]> {
  const groups = new Map<string, EndpointName[]>();
  for (const name of names) {
    const { path } = endpoints[name];
    groups.set(path, [...(groups.get(path) ?? []), name]);
  }
  return groups;
}

function isWidgetCallable(callers: readonly string[]): boolean {
  return callers.includes('widget');
}

function verbOf({ method }: Endpoint): 'get' | 'post' | 'put' | 'patch' | 'delete' {
  // Exactly the five methods of the contract, in lower case.
  return method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
}

function rejectMethod(methods: readonly string[]): RequestHandler {
  return (_request, response) => {
    response.set('Allow', methods.join(', '));
    throw new ConnectorAuthError('method_not_allowed', `This endpoint has ${methods.join(' and ')}`);
  };
}

function handleEndpoint<Name extends EndpointName>(
  name: Name,
  handlers: Pick<Handlers, Name>,
  { authenticate, validateResponses }: MountOptions,
): RequestHandler {
  const endpoint: Endpoint = endpoints[name];
  return async (request, response) => {
    const { locals } = response;
    if (endpoint.callers.length > 0) {
      locals.caller = await authenticate(request.headers, endpoint);
    }
    const input = await readInput(endpoint, request);
    // `authenticate` lets through only the endpoint's callers, and `readInput` parsed by the endpoint's own schemas.
    const call = {
      ...input,
      caller: locals.caller,
      idempotencyKey: endpoint.idempotencyKey ? readIdempotencyKey(request) : null,
      address: request.ip ?? '',
      signal: abortOnDisconnect(response),
      requestId: locals.requestId,
    } as Call<Name>;
    const answer = await handlers[name](call);
    if (validateResponses) validateResponse(name, endpoint, answer);
    send(endpoint, answer, request, response);
  };
}

/** Parses all that a request carries, and tells everything that is wrong with it at once. */
async function readInput(endpoint: Endpoint, request: Request) {
  const issues = new IssueList();
  const params = parsePart(endpoint.params, request.params, issues);
  const query = parsePart(endpoint.query, { ...request.query }, issues);
  const headers = parsePart(endpoint.headers, endpoint.headers ? request.headers : {}, issues);
  const maxKiB = endpoint.callers.length > 0 ? maxBodyKiB.withToken : maxBodyKiB.withoutToken;
  const sent = await readJsonBody(request, maxKiB);
  const body = parsePart(endpoint.body, endpoint.body || sent !== undefined ? sent : {}, issues);
  const errors = issues.entries;
  if (errors.length === 0) return { params, query, headers, body };
  const list = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  throw new ConnectorAuthError('malformed_request', list, { errors });
}

function parsePart(schema: z.ZodType | undefined, value: unknown, issues: IssueList): unknown {
  if (schema === undefined) {
    for (const path of unexpectedPaths(value)) issues.add(path, 'Unknown field');
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

/** Where an endpoint expects nothing, nothing but an empty object may stand. */
function unexpectedPaths(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [''];
  return Object.keys(value);
}

function readIdempotencyKey(request: Request): string | null {
  const key = request.get('Idempotency-Key');
  if (key === undefined) return null;
  const parsed = validate(idempotencyKey, key, 'Idempotency-Key');
  if (parsed.ok) return parsed.value;
  throw ConnectorAuthError.invalid('malformed_request', parsed.issues);
}

function abortOnDisconnect(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function validateResponse(name: EndpointName, endpoint: Endpoint, answer: unknown): void {
  if (endpoint.response === null) {
    if (answer !== undefined) throw new Error(`${name} answers with a body; the contract has none`);
    return;
  }
  const parsed = endpoint.response.safeParse(answer);
  if (!parsed.success) throw new Error(`${name} answers against its contract`, { cause: parsed.error });
  if (!isDeepStrictEqual(parsed.data, answer)) throw new Error(`${name} answers more than its contract says`);
}

function send(endpoint: Endpoint, answer: unknown, request: Request, response: Response): void {
  response.status(endpoint.status);
  if (endpoint.response === null) return void response.set('Cache-Control', 'no-store').end();
  const text = stringifyJson(answer);
  response.set('Content-Type', 'application/json; charset=utf-8');
  if (!endpoint.cacheable) return void response.set('Cache-Control', 'no-store').end(text);
  response.set('Cache-Control', 'private, no-cache');
  response.set('ETag', `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`);
  // A kept answer belongs to one token: another may see other sources.
  response.vary('Authorization');
  if (request.fresh) return void response.status(304).end();
  response.end(text);
}
