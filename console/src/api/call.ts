import type { AdminEndpointName, adminEndpoints } from '@connector-auth/api/admin';
import routes from 'virtual:admin-contract';
import type { z } from 'zod';
import { ApiError, readProblem } from './api-error.ts';

type Endpoints = typeof adminEndpoints;
type SchemaOf<Name extends AdminEndpointName, Part extends string> =
  Endpoints[Name] extends Record<Part, infer Schema extends z.ZodType> ? Schema : never;

/** One part of an endpoint's input. `unknown` if the endpoint has no such part. */
type PartInput<Part extends string, T> = [T] extends [never]
  ? unknown
  : object extends T
    ? { readonly [K in Part]?: T }
    : { readonly [K in Part]: T };

interface CallOptions {
  /** Identifies a form, so that sending it twice has one effect. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** The input of an endpoint: `params`, `query` and `body` as far as the contract declares them. */
export type CallInput<Name extends AdminEndpointName> = PartInput<
  'params',
  z.input<SchemaOf<Name, 'params'>>
> &
  PartInput<'query', z.output<SchemaOf<Name, 'query'>>> &
  PartInput<'body', z.input<SchemaOf<Name, 'body'>>> &
  CallOptions;

/** The body of an endpoint's response. */
export type ResponseOf<Name extends AdminEndpointName> = Endpoints[Name]['response'] extends z.ZodType
  ? z.output<Endpoints[Name]['response']>
  : void;

/** The endpoints with a paged list. */
export type ListName = {
  [Name in AdminEndpointName]: ResponseOf<Name> extends { data: readonly unknown[]; meta: unknown }
    ? Name
    : never;
}[AdminEndpointName];

/** Calls an endpoint by its name in the contract. Rejects only with an {@link ApiError}. */
export type Call = <Name extends AdminEndpointName>(
  name: Name,
  ...input: object extends CallInput<Name> ? [input?: CallInput<Name>] : [input: CallInput<Name>]
) => Promise<ResponseOf<Name>>;

interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

const timeoutMs = 30_000;

/**
 * Creates the function that calls the service.
 * @param signInAgain is called if the session has expired; when it resolves, the request is sent again.
 */
export function createCall(signInAgain: () => Promise<void>): Call {
  const call = async (name: AdminEndpointName, request: Request = {}): Promise<unknown> => {
    const response = await send(name, request);
    if (response.status === 401 && !withoutSession.has(name)) {
      await signInAgain();
      return read(await send(name, request));
    }
    return read(response);
  };
  // The types of an endpoint's input and response depend on its name, which the implementation ignores.
  return call as Call;
}

/** The endpoints that people without a session use, and the one that finds out whether there is a session. */
const withoutSession: ReadonlySet<AdminEndpointName> = new Set([
  'getSession',
  'getSetUpState',
  'setUp',
  'signIn',
]);

/** Returns the URL of an endpoint, for example for a link to a download. */
export function urlOf(name: AdminEndpointName, { params = {}, query = {} }: Request = {}): string {
  const path = routes[name][1].replaceAll(/\{(\w+)\}/g, (_all, key: string) =>
    encodeURIComponent(params[key] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(key, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

async function send(name: AdminEndpointName, request: Request): Promise<Response> {
  const { body, idempotencyKey, signal } = request;
  try {
    return await fetch(urlOf(name, request), {
      method: routes[name][0],
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      cache: 'no-store',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
  } catch (error) {
    if (signal?.aborted) throw new ApiError('aborted', 'The request was cancelled.', 499);
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    throw isTimeout
      ? new ApiError('timeout', 'The service didn’t respond in time. Try again.', 504)
      : new ApiError('unreachable', 'Can’t reach the service. Check your connection, then try again.', 503);
  }
}

async function read(response: Response): Promise<unknown> {
  if (!response.ok) throw await readProblem(response);
  if (response.status === 204) return undefined;
  try {
    return await response.json();
  } catch {
    throw new ApiError('unexpected_answer', 'The service’s response can’t be read. Try again.', 502);
  }
}
