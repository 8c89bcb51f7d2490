import type { z } from 'zod';
import type { ProblemCode } from '../problem.ts';
import type { AuditAction } from './audit-actions.ts';

/** The kinds of token, from the most to the least privileged. */
export const tokenKinds = ['application', 'scoped', 'widget'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** Who calls an endpoint: someone with a token, or an operator with an admin key or a session of the console. */
export type CallerKind = TokenKind | 'admin';

/** One endpoint of an HTTP contract. Routes, the client, OpenAPI and the access tests derive from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` placeholders. */
  readonly path: `/api/v1/${string}`;
  /** The group in the reference. */
  readonly tag: string;
  readonly summary: string;
  /**
   * What the audit log records a request as. Null if it neither changes anything nor uses a credential; minted tokens and
   * received events are in the log only, because there are too many.
   */
  readonly audit: AuditAction | null;
  /** The kinds of caller that the endpoint accepts; empty if it needs neither token nor key. */
  readonly callers: readonly CallerKind[];
  /**
   * Whether an application of several organizations must name one of them in `X-Organization-Id`. Default: true.
   */
  readonly needsOrganization?: boolean;
  /** The access that an admin key needs. Default: `read` for GET, otherwise `write`. */
  readonly access?: 'read' | 'write';
  /**
   * Whether the endpoint takes rights away, so that it must work even while the audit log cannot be written, and be
   * repeated if a backup from before is restored.
   */
  readonly isRevoking?: boolean;
  /**
   * Whether clients for people ask before they call the endpoint. Default: only if it is a DELETE or revokes something.
   */
  readonly needsConfirmation?: boolean;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Schema for endpoint-specific headers by lower-case name. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether the endpoint supports `Idempotency-Key`. */
  readonly idempotencyKey?: boolean;
  /** Whether browsers can cache the response privately and revalidate it with `If-None-Match`. */
  readonly cacheable?: boolean;
  /**
   * Whether the response contains words for users. They are in the language of `Accept-Language`, or in that of
   * `language` if the query has it.
   */
  readonly isLocalized?: boolean;
  /** Whether the endpoint is idempotent, so that a client can retry a request. */
  readonly retryable: boolean;
  readonly status: 200 | 201 | 204;
  /**
   * Error statuses in addition to those implied by the input and by the callers that the endpoint accepts.
   */
  readonly problems?: readonly (403 | 404 | 409 | 422 | 424 | 502 | 504)[];
  /**
   * Error codes in addition to those that any endpoint with such an input and such callers can return. If omitted,
   * the document lists all codes of the statuses.
   */
  readonly errors?: readonly ProblemCode[];
  /** Null if the response has no body. */
  readonly response: z.ZodType | null;
  /** The media type of the response. Default: JSON. As NDJSON, each line is one item of the response's `data`. */
  readonly mediaType?: 'application/x-ndjson';
}

/** What a declaration need not say. An alias, because declarations of packages cannot name an interface from here. */
type Defaults<Callers extends Endpoint['callers']> = Pick<Endpoint, 'audit' | 'retryable' | 'status'> & {
  readonly callers: Callers;
};

/** An endpoint as a contract declares it. Only a GET has no `audit` by default, and only a POST says `retryable`. */
type EndpointDeclaration = Omit<Endpoint, 'method' | keyof Defaults<[]>> &
  Partial<Pick<Endpoint, 'callers' | 'status'>> &
  (
    | ({ readonly method: 'GET' } & Partial<Pick<Endpoint, 'audit'>>)
    | ({ readonly method: 'POST' } & Pick<Endpoint, 'audit' | 'retryable'>)
    | ({ readonly method: 'PUT' | 'PATCH' | 'DELETE' } & Pick<Endpoint, 'audit'>)
  );

/** A declaration with the defaults for what it does not say. The condition distributes over a union of declarations. */
type Completed<Declared, Callers extends Endpoint['callers']> = Declared extends unknown
  ? Declared & Omit<Defaults<Callers>, keyof Declared>
  : never;

/**
 * Defines the endpoints of a contract and preserves their exact types.
 * @param callers the kinds of caller that an endpoint accepts by default. Its status is 200 by default, or 204 without a
 * response body.
 */
export function defineEndpoints<
  const Callers extends Endpoint['callers'],
  const Declared extends Readonly<Record<string, EndpointDeclaration>>,
>(
  callers: Callers,
  declared: Declared,
): { readonly [Name in keyof Declared]: Completed<Declared[Name], Callers> } {
  const completed = Object.entries(declared).map(([name, endpoint]) => {
    const status = endpoint.response === null ? 204 : 200;
    return [name, { audit: null, callers, retryable: true, status, ...endpoint }];
  });
  // Each endpoint is its declaration with the defaults.
  return Object.fromEntries(completed) as ReturnType<typeof defineEndpoints<Callers, Declared>>;
}
