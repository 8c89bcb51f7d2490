import type { EndpointName } from '@connector-auth/api';
import type { AdminEndpointName } from '@connector-auth/api/admin';
import type { Router } from 'express';
import type { Job } from '../platform/jobs/periodic-job.ts';
import type { AdminHandlers, Handlers } from './http/handler.ts';

/** What a feature adds to the service. Nothing is mounted or started until `app.ts` calls these functions. */
export interface Feature {
  /** Handles endpoints of the integrators' contract. */
  readonly handlers?: Partial<Handlers>;
  /** Handles endpoints of the operators' contract. */
  readonly adminHandlers?: Partial<AdminHandlers>;
  /** Creates routes that authenticate callers and limit their requests as endpoints do. */
  readonly callerRoutes?: () => Router;
  /** Creates routes without a token, which are mounted behind the limit for addresses. */
  readonly pages?: () => Router;
  /** Creates routes for operators' browsers, which are mounted where the console is served. */
  readonly operatorPages?: () => Router;
  /** Starts the background work in this process. */
  readonly start?: () => Job | Promise<Job>;
}

/**
 * Stands in for a feature that the service does not have. Its endpoints respond with `route_not_found`.
 * @param _feature the function that would create it.
 */
export function leftOut<F extends Feature>(_feature: (needs: never) => F): Partial<F> {
  return {};
}

type NamesIn<F, Part extends 'handlers' | 'adminHandlers'> = F extends {
  readonly [Name in Part]?: infer Of;
}
  ? keyof NonNullable<Of>
  : never;

/** Merges the features' handlers. The result names the endpoints of features that are left out, too. */
export function handlersOf<F extends readonly Feature[]>(
  features: F,
): Pick<Handlers, NamesIn<F[number], 'handlers'> & EndpointName> {
  return Object.assign({}, ...features.map(({ handlers }) => handlers));
}

/** Merges the features' handlers for operators, as {@link handlersOf} does. */
export function adminHandlersOf<F extends readonly Feature[]>(
  features: F,
): Pick<AdminHandlers, NamesIn<F[number], 'adminHandlers'> & AdminEndpointName> {
  return Object.assign({}, ...features.map(({ adminHandlers }) => adminHandlers));
}
