import type { ProblemCode } from '@connector-auth/api';
import type { Caller } from '../auth/caller.ts';

declare global {
  // Express' own way to type `response.locals`.
  namespace Express {
    /** What is learned of a request on its way, for the log, the metrics and the error answer. */
    interface Locals {
      requestId: string;
      startedAt: number;
      /** Pattern of the route, e.g. `/api/v1/customers/{name}`; absent when none fits. */
      route?: string;
      caller?: Caller;
      problemCode?: ProblemCode;
    }
  }
}
