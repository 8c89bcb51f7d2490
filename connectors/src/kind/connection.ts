import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ConnectorAuthError, systemClock, type Clock } from '@connector-auth/api';
import { vendorError, type VendorFailure } from './failure.ts';
import { renewalTimeoutMs, type Grant, type Grants, type OAuthApp } from './grants.ts';
import type { AuthMethod, Kind } from './kind.ts';
import { createLimiter, type Limiter, type Priority } from './rate-limit.ts';
import { createTransport, TransportError, type Transport } from './transport.ts';
import type { SendOptions, Vendor, VendorRequest, VendorResponse } from './vendor.ts';

/** What a connection is made of; everything but `kind` and `grants` has a default. */
export interface ConnectionOptions {
  readonly kind: Kind;
  readonly grants: Grants;
  readonly transport?: Transport;
  readonly limiter?: Limiter;
  readonly clock?: Clock;
  /** Between 0 and 1. */
  readonly random?: () => number;
  /** Longest wait for one answer. */
  readonly timeoutMs?: number;
  /** The platform's or organization's OAuth app, for renewals whose grant has no client of its own. */
  readonly app?: OAuthApp | null;
}

/** How one call uses a connection. */
export interface Call {
  /** Whether the call may be sent again when its fate is unknown: true for reading actions. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal;
  /** When the caller stops waiting, in milliseconds since the epoch. */
  readonly deadlineMs?: number;
  /** The longest wait for a limit; who would have to wait longer is told so. Without it a vendor that asks for a minute is waited for. */
  readonly maxWaitMs?: number;
  /** Whether somebody waits for the answer; `interactive` when absent. */
  readonly priority?: Priority;
}

/** A way to one vendor account. */
export interface Connection {
  readonly kind: Kind;
  /** The vendor as one call sees it. */
  vendorFor(call: Call): Promise<Vendor>;
}

const defaultTimeoutMs = 30_000;
const defaultDeadlineMs = 60_000;
const maxAttempts = 4;
const firstBackoffMs = 250;
const maxBackoffMs = 8_000;
/** A vendor that asks to wait longer is not waited for, whatever the deadline: a daily limit asks for hours. */
const defaultMaxWaitMs = 60_000;

// One limiter for the process: connectors of the same vendor account share its limits.
const processLimiter = createLimiter(systemClock);

/** Makes a connection: it authenticates, waits for the vendor's limits, retries what is safe, renews what is due. */
export function connect(options: ConnectionOptions): Connection {
  const { kind, grants } = options;
  const transport = options.transport ?? createTransport();
  const limiter = options.limiter ?? processLimiter;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;

  async function attempt(
    request: VendorRequest,
    grant: Grant,
    call: Required<Pick<Call, 'deadlineMs'>> & Call,
  ) {
    await waitForLimits(request, grant, call);
    const remainingMs = Math.max(1, call.deadlineMs - clock.now());
    return transport(methodOf(kind, grant).authorize(request, grant), {
      vendorName: kind.name,
      hosts: kind.hosts,
      timeoutMs: Math.min(timeoutMs, remainingMs),
      ...(call.signal ? { signal: call.signal } : {}),
    });
  }

  async function waitForLimits(
    request: VendorRequest,
    grant: Grant,
    call: Required<Pick<Call, 'deadlineMs'>> & Call,
  ): Promise<void> {
    for (const limit of kind.rateLimits) {
      const subject = limit.subject(grant, request, options.app ?? null);
      if (subject === null) continue;
      const key = `${kind.key}:${limit.countedBy}:${digest(subject)}`;
      const waitUntilMs = Math.min(call.deadlineMs, clock.now() + (call.maxWaitMs ?? Infinity));
      const turn = limiter.take(key, limit, {
        priority: call.priority ?? 'interactive',
        deadlineMs: waitUntilMs,
        signal: call.signal,
      });
      const waitSeconds = await untilLeft(turn, call.signal);
      if (waitSeconds !== null) {
        throw vendorError(kind.name, null, {
          kind: 'rate_limit',
          message: `its limit per ${limit.countedBy} is reached`,
          retryAfterSeconds: waitSeconds,
        });
      }
    }
  }

  /** The grant, renewed first when its access token is missing or about to end. */
  async function currentGrant(): Promise<Grant> {
    const grant = await grants.read();
    const { refresh } = methodOf(kind, grant);
    return refresh?.isDue(grant, clock.now()) ? renew(grant) : grant;
  }

  async function renew(stale: Grant): Promise<Grant> {
    const method = methodOf(kind, stale);
    const { refresh } = method;
    if (!refresh) return stale;
    let renewed: Grant | null = null;
    for (let grant = stale; ;) {
      grant = await grants.renew(grant, async current => {
        // Not repeatable: a single-use refresh token may be spent although no answer came.
        const response = await transport(refresh.request(current, options.app ?? null), {
          vendorName: kind.name,
          hosts: kind.hosts,
          timeoutMs: Math.min(timeoutMs, renewalTimeoutMs),
        });
        renewed = refresh.read(response, current, clock.now());
        return renewed;
      });
      // What is stored may be newer only by what a call remembered: then its access token is still the stale one.
      if (!authorizesAlike(method, grant, stale)) return grant;
      if (renewed !== null && authorizesAlike(method, renewed, stale)) return grant;
    }
  }

  /** Stores what a call learned. Goes through `renew`, so that it neither overwrites nor is overwritten by new tokens. */
  async function remember(learn: (state: Grant['state']) => Grant['state']): Promise<Grant> {
    let isStored = false;
    for (let grant = await grants.read(); ;) {
      grant = await grants.renew(grant, current => {
        isStored = true;
        return Promise.resolve({ ...current, state: learn(current.state) });
      });
      if (isStored) return grant;
    }
  }

  async function send(
    request: VendorRequest,
    sendOptions: SendOptions,
    call: Required<Pick<Call, 'deadlineMs'>> & Call,
  ): Promise<{ response: VendorResponse; grant: Grant }> {
    // Who has left already spends no refresh token.
    if (call.signal?.aborted) throw cancelled(call.signal.reason);
    let grant = await currentGrant();
    let renewed = false;
    const startedMs = clock.now();
    for (let attempts = 1; ; attempts++) {
      const outcome = await attempt(request, grant, call).catch(asTransportError);
      const failure = outcome instanceof TransportError ? null : failureOf(kind, outcome, grant, sendOptions);
      if (!(outcome instanceof TransportError) && failure === null) return { response: outcome, grant };

      // A refused access token was not acted upon, so even a writing call may go again with a new one.
      if (failure?.kind === 'credentials' && !renewed && methodOf(kind, grant).refresh) {
        renewed = true;
        grant = await renew(grant);
        continue;
      }
      const error =
        outcome instanceof TransportError
          ? outcome
          : vendorError(kind.name, outcome.status, failure ?? { kind: 'vendor' });
      const waitMs = waitBeforeRetry(error, attempts);
      const isTooLong =
        waitMs > (call.maxWaitMs ?? defaultMaxWaitMs) || clock.now() + waitMs >= call.deadlineMs;
      if (!mayRetry(error, call) || attempts >= maxAttempts || isTooLong) {
        throw withWait(withAttempts(error, attempts, clock.now() - startedMs));
      }
      await untilLeft(clock.sleep(waitMs, call.signal), call.signal);
    }
  }

  function waitBeforeRetry(error: ConnectorAuthError, attempts: number): number {
    if (error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1000;
    return random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** attempts);
  }

  /** Waits; a wait that the caller's signal ended is told as `aborted`. */
  async function untilLeft<T>(wait: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await wait;
    } catch (cause) {
      throw signal?.aborted ? cancelled(cause) : cause;
    }
  }

  function cancelled(cause: unknown): ConnectorAuthError {
    return new ConnectorAuthError('aborted', `The request to ${kind.name} was cancelled`, { cause });
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
        app: options.app ?? null,
        now: () => clock.now(),
        send: async (request, sendOptions = {}) => {
          const { response, grant } = await send(request, sendOptions, bounded);
          used = grant;
          return response;
        },
        updateState: async learn => {
          used = await remember(learn);
        },
      };
    },
  };
}

/** The auth method whose shape a grant's credentials have. */
export function methodOf(kind: Kind, grant: Grant): AuthMethod {
  const method = kind.authMethods.find(({ id }) => id === grant.method);
  if (!method)
    throw new ConnectorAuthError('internal_error', `${kind.name} has no auth method ${grant.method}`);
  return method;
}

const anyRequest: VendorRequest = { method: 'GET', url: 'https://vendor.example' };

/** Whether a request would carry the same credentials under both grants. */
function authorizesAlike({ authorize }: AuthMethod, one: Grant, other: Grant): boolean {
  return isDeepStrictEqual(authorize(anyRequest, one), authorize(anyRequest, other));
}

function failureOf(
  kind: Kind,
  response: VendorResponse,
  grant: Grant,
  { accept = [] }: SendOptions,
): VendorFailure | null {
  if (accept.includes(response.status)) return null;
  const failure = kind.readFailure(response, grant);
  if (failure !== null) return failure;
  return response.body === undefined ? { kind: 'vendor', message: 'the answer is not JSON' } : null;
}

function asTransportError(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  throw error;
}

/** A timeout tells of one attempt; who waited for several is told of them too. */
function withAttempts(error: ConnectorAuthError, attempts: number, waitedMs: number): ConnectorAuthError {
  if (error.code !== 'vendor_timeout' || attempts === 1) return error;
  const all = `it was the last of ${attempts} attempts, ${Math.round(waitedMs / 1000)} s in all`;
  return new ConnectorAuthError(error.code, `${error.message}; ${all}`, {
    ...(error.vendor ? { vendor: error.vendor } : {}),
    cause: error.cause,
  });
}

/** Who is told to slow down is told for how long: a second, where the vendor does not say. */
function withWait(error: ConnectorAuthError): ConnectorAuthError {
  if (error.code !== 'vendor_rate_limited' || error.retryAfterSeconds !== null) return error;
  return new ConnectorAuthError(error.code, error.message, {
    ...(error.vendor ? { vendor: error.vendor } : {}),
    retryAfterSeconds: 1,
  });
}

const transient = new Set(['vendor_rate_limited', 'vendor_failed', 'vendor_timeout']);

/** A writing call is sent again only when its request certainly never left this machine. */
function mayRetry(error: ConnectorAuthError, call: Call): boolean {
  if (!transient.has(error.code)) return false;
  return call.repeatable || (error instanceof TransportError && !error.mayHaveArrived);
}

/** Limits are counted by credentials, which must not stand in the clear in a shared store. */
function digest(subject: string): string {
  return createHash('sha256').update(subject).digest('base64url').slice(0, 22);
}
