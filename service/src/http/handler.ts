import type { EndpointName, endpoints } from '@connector-auth/api';
import type { z } from 'zod';
import type { Caller } from '../auth/caller.ts';

type Contract = typeof endpoints;
type Parsed<Name extends EndpointName, Part extends 'params' | 'query' | 'headers' | 'body'> =
  Contract[Name] extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** An authenticated request to an endpoint, validated against the contract. */
export interface Call<Name extends EndpointName> {
  /** `never` for an endpoint that needs no token. */
  readonly caller: Extract<Caller, { kind: Contract[Name]['callers'][number] }>;
  readonly params: Parsed<Name, 'params'>;
  readonly query: Parsed<Name, 'query'>;
  /** Only the headers that the endpoint declares. */
  readonly headers: Parsed<Name, 'headers'>;
  readonly body: Parsed<Name, 'body'>;
  /** Null for endpoints that do not support it. */
  readonly idempotencyKey: string | null;
  /** The caller's network address. */
  readonly address: string;
  /** Aborted if the caller disconnects before the response. */
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** An endpoint's response, before it is serialised as JSON. */
export type EndpointResponse<Name extends EndpointName> =
  Contract[Name]['response'] extends infer Schema extends z.ZodType ? z.input<Schema> : void;

/** Executes an endpoint; throws a ConnectorAuthError to reject the request. */
export type Handler<Name extends EndpointName> = (call: Call<Name>) => Promise<EndpointResponse<Name>>;

/** One handler per endpoint of the contract: a missing one does not compile. */
export type Handlers = { readonly [Name in EndpointName]: Handler<Name> };
