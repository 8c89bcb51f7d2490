import type { Endpoint, EndpointName, endpoints, Language } from '@connector-auth/api';
import type { AdminEndpointName, adminEndpoints } from '@connector-auth/api/admin';
import type { z } from 'zod';
import type { AuditDetails } from '../../platform/audit-log/entry.ts';
import type { LimitUsage } from '../../platform/concurrency/limit-error.ts';
import type { AdminCaller } from '../auth/admin-caller.ts';
import type { AuthenticatedRequest } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';

type Part = 'params' | 'query' | 'headers' | 'body';
type Parsed<E extends Endpoint, Name extends Part> =
  E extends Record<Name, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** An authenticated endpoint request that was validated against its contract. */
export interface CallOf<E extends Endpoint> extends Pick<AuthenticatedRequest, 'reportRejection'> {
  /** The authenticated caller. Typed as `never` for endpoints that require none. */
  readonly caller: Extract<Caller | AdminCaller, { kind: E['callers'][number] }>;
  readonly params: Parsed<E, 'params'>;
  readonly query: Parsed<E, 'query'>;
  /** Contains only the headers that the endpoint declares. */
  readonly headers: Parsed<E, 'headers'>;
  readonly body: Parsed<E, 'body'>;
  /** Null if the endpoint does not support idempotency or the caller sent no key. */
  readonly idempotencyKey: string | null;
  /** The language of the words for users in the response. */
  readonly language: Language;
  /** The caller's network address. */
  readonly address: string;
  /** The Cookie header, for endpoints that need no session. */
  readonly cookie: string | undefined;
  readonly userAgent: string | undefined;
  /** Aborts if the caller disconnects before the response. */
  readonly signal: AbortSignal;
  /** Calls `callback` once the response has been sent or its connection was closed. */
  readonly onClose: (callback: () => void) => void;
  /** Sets a header of the response. */
  readonly setHeader: (name: string, value: string) => void;
  /** Adds a limit that the request counts against. The response describes the one that is closest to being exceeded. */
  readonly reportLimit: (usage: LimitUsage) => void;
  readonly requestId: string;
  /** Adds details to the request's entry in the audit log. Never pass values, such as params or records. */
  readonly audit: (details: AuditDetails) => void;
}

/** The response body that a handler returns, before it is serialized as JSON. */
export type ResponseOf<E extends Endpoint> = E['response'] extends infer Schema extends z.ZodType
  ? z.input<Schema>
  : void;

/** Handles requests to one endpoint. Throws a ConnectorAuthError to reject a request. */
export type HandlerOf<E extends Endpoint> = (call: CallOf<E>) => Promise<ResponseOf<E>>;

export type Call<Name extends EndpointName> = CallOf<(typeof endpoints)[Name]>;

/** One handler per endpoint of the integrators' contract. Omitting a handler is a compile-time error. */
export type Handlers = { readonly [Name in EndpointName]: HandlerOf<(typeof endpoints)[Name]> };

/** One handler per endpoint of the operators' contract. */
export type AdminHandlers = {
  readonly [Name in AdminEndpointName]: HandlerOf<(typeof adminEndpoints)[Name]>;
};
