import { ConnectorAuthError, systemClock, type Clock } from '@connector-auth/api';
import {
  createMask,
  methodOf,
  secretsOf,
  TransportError,
  vendorError,
  waitForLimits,
  type Grant,
  type Kind,
  type Limiter,
  type Transport,
  type VendorResponse,
} from '@connector-auth/connectors/kind';
import type { OwnedApp } from './oauth-apps.ts';

const timeoutMs = 5_000;

/** The result of one attempt to revoke a grant at its vendor. */
export type RevocationAttempt =
  | {
      readonly outcome: 'confirmed';
      /** Whether the grant was no longer valid before. */
      readonly wasRevoked: boolean;
    }
  | FailedAttempt;

export interface FailedAttempt {
  readonly outcome: 'failed';
  /** Whether the vendor may have received the request, and so may have revoked the grant. */
  readonly mayHaveArrived: boolean;
  readonly message: string;
  /** Seconds that the vendor asks callers to wait before a retry. */
  readonly retryAfterSeconds: number | null;
}

/**
 * Sends one request to revoke a grant, within the vendor's rate limits and without retries.
 * @param app the OAuth app that the grant was issued to, or null if it is not configured.
 */
export async function attemptRevocation(
  {
    transport,
    limiter,
    clock = systemClock,
  }: { readonly transport: Transport; readonly limiter: Limiter; readonly clock?: Clock },
  kind: Kind,
  { grant, app }: { readonly grant: Grant; readonly app: OwnedApp | null },
  signal?: AbortSignal,
): Promise<RevocationAttempt> {
  const { revocation } = methodOf(kind, grant);
  const request = revocation.request?.(grant, app) ?? null;
  if (request === null) return notSent(missingAppMessage);
  const mask = createMask(secretsOf(kind, grant, app));
  const call = { repeatable: false, priority: 'background', ...(signal ? { signal } : {}) } as const;
  let response: VendorResponse;
  try {
    const deadlineMs = clock.now() + timeoutMs;
    await waitForLimits({ kind, limiter, clock, app }, request, grant, { ...call, deadlineMs });
  } catch (error) {
    return failed(mask.error(error), false);
  }
  try {
    response = await transport(request, {
      vendorName: kind.name,
      hosts: kind.hosts,
      timeoutMs,
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    return failed(mask.error(error), !(error instanceof TransportError) || error.mayHaveArrived);
  }
  if (revocation.isAlreadyRevoked?.(response) === true) return { outcome: 'confirmed', wasRevoked: true };
  const failure = kind.readFailure(mask.response(response), clock.now(), grant);
  if (failure !== null) return failed(vendorError(kind.name, response.status, failure), true);
  if (response.status >= 300 || response.body === undefined) {
    const message = 'the response does not confirm the revocation';
    return failed(vendorError(kind.name, response.status, { kind: 'vendor', message }), true);
  }
  return { outcome: 'confirmed', wasRevoked: false };
}

const missingAppMessage =
  'The OAuth app that the grant was issued to is no longer configured. Configure it again, or revoke the grant by hand';

function notSent(message: string): RevocationAttempt {
  return { outcome: 'failed', mayHaveArrived: false, message, retryAfterSeconds: null };
}

function failed(error: unknown, mayHaveArrived: boolean): RevocationAttempt {
  if (!(error instanceof ConnectorAuthError)) throw error;
  const { message, retryAfterSeconds } = error;
  return { outcome: 'failed', mayHaveArrived, message, retryAfterSeconds };
}
