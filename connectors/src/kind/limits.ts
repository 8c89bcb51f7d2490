import { createHash } from 'node:crypto';
import { ConnectorAuthError, type Clock } from '@connector-auth/api';
import { aborted, type BoundedCall } from './call.ts';
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
  context: LimitContext,
  request: VendorRequest,
  grant: Grant,
  call: BoundedCall,
): Promise<void> {
  const { kind, limiter, clock, app } = context;
  for (const limit of kind.rateLimits) {
    const subject = limit.subject(grant, request, app);
    if (subject === null) continue;
    const scope = limit.isDailyQuota ? `${limit.countedBy} and day` : limit.countedBy;
    const key = `${kind.key}:${scope}:${digestOf(context, subject)}`;
    const deadlineMs = Math.min(call.deadlineMs, clock.now() + (call.maxWaitMs ?? Infinity));
    const { priority = 'interactive', signal } = call;
    let retryAfterSeconds: number | null;
    try {
      retryAfterSeconds = await limiter.take(key, limit, { priority, deadlineMs, signal });
    } catch (error) {
      if (signal?.aborted) throw aborted(kind.name, error);
      if (!(error instanceof ConnectorAuthError) || error.code !== 'vendor_rate_limited') throw error;
      const { message, retryAfterSeconds } = error;
      throw vendorError(kind.name, null, { kind: 'rate_limit', message, retryAfterSeconds });
    }
    if (retryAfterSeconds !== null) {
      throw vendorError(kind.name, null, {
        kind: 'rate_limit',
        message: `limit per ${scope}`,
        retryAfterSeconds,
      });
    }
  }
}

/** The last digests of each connection, which hardly ever has more than one subject per limit. */
const digests = new WeakMap<LimitContext, Map<string, string>>();
const maxDigests = 16;

/** Hashes a subject. Subjects are derived from credentials, which must not be readable in a shared store. */
function digestOf(context: LimitContext, subject: string): string {
  const known = digests.get(context) ?? new Map<string, string>();
  let digest = known.get(subject);
  if (digest === undefined) {
    digest = createHash('sha256').update(subject).digest('base64url').slice(0, 22);
    if (known.size >= maxDigests) known.clear();
    digests.set(context, known.set(subject, digest));
  }
  return digest;
}
