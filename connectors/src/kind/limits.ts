import { createHash } from 'node:crypto';
import { ConnectorAuthError, type Clock } from '@connector-auth/api';
import { abortable, type BoundedCall } from './call.ts';
import { vendorError } from './failure.ts';
import type { Grant, OAuthApp } from './grants.ts';
import type { Kind } from './kind.ts';
import type { Limiter } from './rate-limit.ts';
import type { VendorRequest } from './vendor.ts';

/** The values needed to count requests against the vendor's limits. */
export interface LimitContext {
  readonly kind: Kind;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly app: OAuthApp | null;
}

/**
 * Waits until all rate limits of the kind allow a request.
 * @throws ConnectorAuthError `vendor_rate_limited` if the wait would exceed the call's deadline or maximum
 * wait, or `aborted`.
 */
export async function waitForLimits(
  { kind, limiter, clock, app }: LimitContext,
  request: VendorRequest,
  grant: Grant,
  call: BoundedCall,
): Promise<void> {
  for (const limit of kind.rateLimits) {
    const subject = limit.subject(grant, request, app);
    if (subject === null) continue;
    const scope = limit.isDailyQuota ? `${limit.countedBy} and day` : limit.countedBy;
    const key = `${kind.key}:${scope}:${digest(subject)}`;
    const deadlineMs = Math.min(call.deadlineMs, clock.now() + (call.maxWaitMs ?? Infinity));
    const { priority = 'interactive', signal } = call;
    const wait = limiter.take(key, limit, { priority, deadlineMs, signal });
    const retryAfterSeconds = await abortable(wait, call, kind.name).catch((error: unknown) => {
      if (!(error instanceof ConnectorAuthError) || error.code !== 'vendor_rate_limited') throw error;
      const { message, retryAfterSeconds } = error;
      throw vendorError(kind.name, null, { kind: 'rate_limit', message, retryAfterSeconds });
    });
    if (retryAfterSeconds !== null) {
      throw vendorError(kind.name, null, {
        kind: 'rate_limit',
        message: `limit per ${scope}`,
        retryAfterSeconds,
      });
    }
  }
}

/** Hashes a subject. Subjects are derived from credentials, which must not be readable in a shared store. */
function digest(subject: string): string {
  return createHash('sha256').update(subject).digest('base64url').slice(0, 22);
}
