import type { EndpointName, endpoints } from '@connector-auth/api';
import type { z } from 'zod';
import type { Caller } from '../auth/caller.ts';

type Contract = typeof endpoints;
type Parsed<Name extends EndpointName, Part extends 'params' | 'query' | 'headers' | 'body'> =
  Contract[Name] extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** A request of an endpoint, authenticated and checked against the contract. */
export interface Call<Name extends EndpointName> {
  /** Who calls; never for an endpoint that asks for no token. */
  readonly caller: Extract<Caller, { kind: Contract[Name]['callers'][number] }>;
  readonly params: Parsed<Name, 'params'>;
  readonly query: Parsed<Name, 'query'>;
  /** Only those of the endpoint's own. */
  readonly headers: Parsed<Name, 'headers'>;
  readonly body: Parsed<Name, 'body'>;
  /** Only of endpoints that honour it. */
  readonly idempotencyKey: string | null;
  /** The caller's network address. */
  readonly address: string;
  /** Aborted when the caller leaves before the answer. */
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** What an endpoint answers, before it is written as JSON. */
export type EndpointResponse<Name extends EndpointName> =
  Contract[Name]['response'] extends infer Schema extends z.ZodType ? z.input<Schema> : void;

/** Carries out an endpoint; refuses by throwing a ConnectorAuthError. */
export type Handler<Name extends EndpointName> = (call: Call<Name>) => Promise<EndpointResponse<Name>>;

/** One handler for each endpoint of the contract: a missing one does not compile. */
export type Handlers = { readonly [Name in EndpointName]: Handler<Name> };
