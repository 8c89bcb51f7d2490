import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language, ProblemCode } from '@connector-auth/api';
import type { AuditDetails } from '../../platform/audit-log/entry.ts';
import type { LimitUsage } from '../../platform/concurrency/limit-error.ts';
import type { AdminCaller } from '../auth/admin-caller.ts';
import type { Rejection } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';

/** A request as endpoints and Express get it. */
export interface HttpRequest extends IncomingMessage {
  /** The client's address. */
  ip?: string | undefined;
}

export interface HttpResponse extends ServerResponse {
  locals: Express.Locals;
}

declare global {
  // Declares the type of `response.locals`, also for Express.
  namespace Express {
    /** Request details for the log, the metrics and error responses. */
    interface Locals {
      requestId: string;
      startedAt: number;
      /** The route pattern, e.g. `/api/v1/customers/{name}`. Absent if no route matches. */
      route?: string;
      caller?: Caller | AdminCaller;
      /** Why there is no caller, although the request had credentials. */
      rejection?: Rejection;
      /** What the `WWW-Authenticate` header of a rejection says in addition, or instead of its error. */
      challenge?: Readonly<Record<string, string>>;
      /** The language of the words for users. Absent if the endpoint returns none. */
      language?: Language;
      problemCode?: ProblemCode;
      /** What the request's entry in the audit log says about the connector that it used. */
      connector?: Pick<AuditDetails, 'customer' | 'connectorId' | 'kind'>;
      /** The limit that the response describes. */
      limit?: LimitUsage;
    }
  }
}
