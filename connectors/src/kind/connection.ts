import { systemClock, type Clock } from '@connector-auth/api';
import { createLimiter } from './buckets.ts';
import { aborted, type BoundedCall, type Call } from './call.ts';
import { vendorError, type VendorFailure } from './failure.ts';
import type { Grant, Grants, OAuthApp } from './grants.ts';
import { methodOf, type Kind } from './kind.ts';
import { waitForLimits } from './limits.ts';
import { createMask, secretsOf, type Mask } from './mask.ts';
import type { Limiter } from './rate-limit.ts';
import { createRenewal } from './renewal.ts';
import { retry, type Attempt } from './retry.ts';
import { createTransport, TransportError, type Transport } from './transport.ts';
import type { SendOptions, Vendor, VendorRequest, VendorResponse } from './vendor.ts';

/** Options for a connection. All except `kind` and `grants` have a default. */
export interface ConnectionOptions {
  readonly kind: Kind;
  readonly grants: Grants;
  readonly transport?: Transport;
  readonly limiter?: Limiter;
  readonly clock?: Clock;
  /** Returns a random number in [0, 1). */
  readonly random?: () => number;
  /** Maximum wait for one response, in milliseconds. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** The platform's or organization's OAuth app, used to refresh grants that do not include an OAuth app. */
  readonly app?: OAuthApp | null;
}

/** An authenticated connection to one vendor account. */
export interface Connection {
  readonly kind: Kind;
  /** Returns the vendor client for one call. */
  vendorFor(call: Call): Promise<Vendor>;
}

const defaultTimeoutMs = 30_000;
const defaultDeadlineMs = 60_000;

// Shared by the whole process, because connectors to the same vendor account share its limits.
const processLimiter = createLimiter(systemClock);

/**
 * Creates a connection that authenticates requests, waits until rate limits allow them, retries where it is
 * safe and refreshes expiring tokens.
 */
export function connect(options: ConnectionOptions): Connection {
  const {
    kind,
    grants,
    transport = createTransport(),
    limiter = processLimiter,
    clock = systemClock,
  } = options;
  const { random = Math.random, timeoutMs = defaultTimeoutMs, app = null } = options;
  const renewal = createRenewal({ kind, grants, transport, clock, app, timeoutMs });
  const maskOf = masksFor(kind, app);
  const limits = { kind, limiter, clock, app };

  return {
    kind,
    vendorFor: async call => {
      const bounded = { ...call, deadlineMs: call.deadlineMs ?? clock.now() + defaultDeadlineMs };
      const vendor: Vendor & { grant: Grant } = {
        grant: await grants.read(),
        app,
        now: () => clock.now(),
        send: (request, options = {}) => send(request, options, bounded, vendor),
        updateState: async update => {
          vendor.grant = await renewal.updateState(update);
        },
      };
      return vendor;
    },
  };

  async function send(
    request: VendorRequest,
    { accept = [] }: SendOptions,
    call: BoundedCall,
    vendor: { grant: Grant },
  ): Promise<VendorResponse> {
    // A cancelled call must not use up a single-use refresh token.
    if (call.signal?.aborted) throw aborted(kind.name, call.signal.reason);
    let grant = await renewal.current();
    let isRenewed = false;
    const attempt = async (): Promise<Attempt<VendorResponse>> => {
      const method = methodOf(kind, grant);
      let response: VendorResponse;
      try {
        await waitForLimits(limits, request, grant, call);
        const remainingMs = Math.max(1, call.deadlineMs - clock.now());
        const received = await transport(method.authorize(request, grant), {
          vendorName: kind.name,
          hosts: kind.hosts,
          timeoutMs: Math.min(timeoutMs, remainingMs),
          ...(call.signal ? { signal: call.signal } : {}),
          ...(call.memory ? { memory: call.memory } : {}),
        });
        response = maskOf(grant).response(received);
      } catch (error) {
        if (error instanceof TransportError) return { error };
        throw error;
      }
      const failure = accept.includes(response.status) ? null : failureOf(kind, response, clock.now(), grant);
      if (failure === null) {
        vendor.grant = grant;
        return { value: response };
      }
      // The vendor did not act on a rejected access token, so even a write call may be resent with a
      // new one.
      if (failure.kind === 'credentials' && !isRenewed && method.refresh) {
        isRenewed = true;
        grant = await renewal.renew(grant);
        return { retryNow: true };
      }
      return { error: maskOf(grant).error(vendorError(kind.name, response.status, failure)) };
    };
    return retry(attempt, call, { vendorName: kind.name, clock, random });
  }
}

/** Returns the mask for a grant. It also covers the grants that the connection used before. */
function masksFor(kind: Kind, app: OAuthApp | null): (grant: Grant) => Mask {
  const secrets = new Set<string>();
  let masked: Grant | null = null;
  let mask = createMask(secrets);
  return grant => {
    if (grant !== masked) {
      for (const secret of secretsOf(kind, grant, app)) secrets.add(secret);
      mask = createMask(secrets);
      masked = grant;
    }
    return mask;
  };
}

function failureOf(kind: Kind, response: VendorResponse, nowMs: number, grant: Grant): VendorFailure | null {
  const failure = kind.readFailure(response, nowMs, grant);
  if (failure !== null) return failure;
  if (response.status >= 300 && response.status < 400) {
    return { kind: 'vendor', message: 'the response is a redirect' };
  }
  return response.body === undefined ? { kind: 'vendor', message: 'the response is not JSON' } : null;
}
