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

  async function send(
    request: VendorRequest,
    { accept = [] }: SendOptions,
    call: BoundedCall,
  ): Promise<{ response: VendorResponse; grant: Grant }> {
    // A cancelled call must not use up a single-use refresh token.
    if (call.signal?.aborted) throw aborted(kind.name, call.signal.reason);
    let grant = await renewal.current();
    let isRenewed = false;
    const attempt = async (): Promise<Attempt<{ response: VendorResponse; grant: Grant }>> => {
      let response: VendorResponse;
      try {
        response = await sendOnce(request, grant, call);
      } catch (error) {
        if (error instanceof TransportError) return { error };
        throw error;
      }
      const failure = accept.includes(response.status) ? null : failureOf(kind, response, clock.now(), grant);
      if (failure === null) return { value: { response, grant } };
      // The vendor did not act on a rejected access token, so even a write call may be resent with a
      // new one.
      if (failure.kind === 'credentials' && !isRenewed && methodOf(kind, grant).refresh) {
        isRenewed = true;
        grant = await renewal.renew(grant);
        return { retryNow: true };
      }
      return { error: maskOf(grant).error(vendorError(kind.name, response.status, failure)) };
    };
    return retry(attempt, call, { vendorName: kind.name, clock, random });
  }

  async function sendOnce(request: VendorRequest, grant: Grant, call: BoundedCall): Promise<VendorResponse> {
    await waitForLimits(limits, request, grant, call);
    const remainingMs = Math.max(1, call.deadlineMs - clock.now());
    const response = await transport(methodOf(kind, grant).authorize(request, grant), {
      vendorName: kind.name,
      hosts: kind.hosts,
      timeoutMs: Math.min(timeoutMs, remainingMs),
      ...(call.signal ? { signal: call.signal } : {}),
      ...(call.memory ? { memory: call.memory } : {}),
    });
    return maskOf(grant).response(response);
  }

  return {
    kind,
    vendorFor: async call => {
      const bounded = { ...call, deadlineMs: call.deadlineMs ?? clock.now() + defaultDeadlineMs };
      let used = await grants.read();
      return {
        get grant() {
          return used;
        },
        app,
        now: () => clock.now(),
        send: async (request, sendOptions = {}) => {
          const { response, grant } = await send(request, sendOptions, bounded);
          used = grant;
          return response;
        },
        updateState: async update => {
          used = await renewal.updateState(update);
        },
      };
    },
  };
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
