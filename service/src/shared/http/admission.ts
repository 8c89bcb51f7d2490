import { setTimeout as delay } from 'node:timers/promises';
import { Turns } from '@connector-auth/api';
import type { RequestHandler } from 'express';
import { LimitError, type LimitPolicy } from '../../platform/concurrency/limit-error.ts';
import { addressKey } from '../../platform/concurrency/rate-limit.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import type { AdminCaller } from '../auth/admin-caller.ts';
import type { Caller } from '../auth/caller.ts';
import { reportLimit } from './limit-headers.ts';
import type { HttpRequest, HttpResponse } from './locals.ts';

/** Maximum number of requests that run at the same time in one process. */
export interface RequestLimits {
  /** Per client address. Counts only requests without a valid token. */
  readonly perAddress: number;
  /** Per customer. Counts requests with a scoped or widget token. */
  readonly perCustomer: number;
  /** Per application. Counts requests with an application token. Each admin key counts as an application. */
  readonly perApplication: number;
}

/** For each running request, this number of further requests can wait. */
const queuedPerRunning = 2;
const retryAfterSeconds = 1;
const rejectionDelayMs = 1000;

/**
 * Limits concurrent requests before they reach the database, so that one address, customer or application
 * cannot exhaust it for others. The probes are exempt.
 */
export class Admission {
  readonly #addresses: ConcurrencyLimit;
  readonly #customers: ConcurrencyLimit;
  readonly #applications: ConcurrencyLimit;
  /**
   * Starts one request without a valid token per iteration of the event loop. Otherwise, requests that never wait
   * would run one after another, so that they exceed no limit and delay all others.
   */
  readonly #turns = new Turns(1);

  constructor({ perAddress, perCustomer, perApplication }: RequestLimits) {
    this.#addresses = limitConcurrency('address', perAddress);
    this.#customers = limitConcurrency('customer', perCustomer);
    this.#applications = limitConcurrency('application', perApplication);
  }

  /**
   * Waits until the request may run. The request counts until its response has been sent.
   * @param caller the authenticated caller, or null for a request without a token.
   * @throws LimitError `rate_limited` if too many requests are waiting.
   */
  async admit(
    caller: Caller | AdminCaller | null,
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> {
    const { semaphore, policy, key } = this.#limitOf(caller, request);
    const release = semaphore.tryAcquire(key) ?? (await waitFor(semaphore, key, response));
    if (caller === null) await this.#turns.take();
    // A caller that disconnected while waiting has already closed its response.
    if (response.destroyed || response.closed) return release();
    response.on('close', release);
    // The next request can be sent as soon as this one has its response.
    const remaining = semaphore.availableBesides(key);
    reportLimit(response, { policy, remaining, resetSeconds: null });
  }

  #limitOf(caller: Caller | AdminCaller | null, request: HttpRequest): ConcurrencyLimit & { key: string } {
    if (caller === null) return { ...this.#addresses, key: addressKey(request.ip ?? '') };
    if (caller.kind === 'admin') return { ...this.#applications, key: `admin ${caller.keyId}` };
    if (caller.kind === 'application') return { ...this.#applications, key: caller.applicationId };
    return { ...this.#customers, key: `${caller.organizationId} ${caller.customer.id}` };
  }
}

async function waitFor(semaphore: Semaphore, key: string, response: HttpResponse): Promise<() => void> {
  const left = new AbortController();
  const leave = (): void => left.abort();
  response.once('close', leave);
  try {
    return await semaphore.acquire(key, left.signal);
  } catch (error) {
    // Delaying the response slows down a caller that repeats rejected requests on the same connections.
    // If the caller disconnects meanwhile, the limit is still the reason for the rejection.
    if (error instanceof LimitError)
      await delay(rejectionDelayMs, undefined, { signal: left.signal }).catch(() => {});
    throw error;
  } finally {
    response.off('close', leave);
  }
}

/** Limits the concurrent requests of each address to the routes that are mounted after this handler. */
export function limitAddresses(admission: Admission): RequestHandler {
  return async (request, response, next) => {
    await admission.admit(null, request, response);
    next();
  };
}

interface ConcurrencyLimit {
  readonly semaphore: Semaphore;
  readonly policy: LimitPolicy;
}

function limitConcurrency(name: string, maxConcurrent: number): ConcurrencyLimit {
  const policy = { name, quota: maxConcurrent, windowSeconds: null };
  const semaphore = new Semaphore(
    { maxConcurrent, maxQueued: maxConcurrent * queuedPerRunning },
    () =>
      new LimitError(
        policy,
        `This ${name} has too many concurrent requests: wait for some of them to finish, then try again`,
        retryAfterSeconds,
      ),
  );
  return { semaphore, policy };
}
