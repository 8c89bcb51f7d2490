import type { EndpointName, endpoints } from '@connector-auth/api';
import type { z } from 'zod';
import type { Caller } from '../auth/caller.ts';

type Contract = typeof endpoints;
type Parsed<Name extends EndpointName, Part extends 'params' | 'query' | 'headers' | 'body'> =
  Contract[Name] extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** An authenticated endpoint request that was validated against the contract. */
export interface Call<Name extends EndpointName> {
  /** The authenticated caller. Typed as `never` for endpoints that require no token. */
  readonly caller: Extract<Caller, { kind: Contract[Name]['callers'][number] }>;
  readonly params: Parsed<Name, 'params'>;
  readonly query: Parsed<Name, 'query'>;
  /** Contains only the headers that the endpoint declares. */
  readonly headers: Parsed<Name, 'headers'>;
  readonly body: Parsed<Name, 'body'>;
  /** Null if the endpoint does not support idempotency or the caller sent no key. */
  readonly idempotencyKey: string | null;
  /** The caller's network address. */
  readonly address: string;
  /** Aborts if the caller disconnects before the response. */
  readonly signal: AbortSignal;
  /** Calls `callback` once the response has been sent or its connection was closed. */
  readonly onClose: (callback: () => void) => void;
  readonly requestId: string;
}

/** The response body that a handler returns, before it is serialized as JSON. */
export type EndpointResponse<Name extends EndpointName> =
  Contract[Name]['response'] extends infer Schema extends z.ZodType ? z.input<Schema> : void;

/** Handles requests to one endpoint. Throws a ConnectorAuthError to reject a request. */
export type Handler<Name extends EndpointName> = (call: Call<Name>) => Promise<EndpointResponse<Name>>;

/** One handler per endpoint in the contract. Omitting a handler is a compile-time error. */
export type Handlers = { readonly [Name in EndpointName]: Handler<Name> };
