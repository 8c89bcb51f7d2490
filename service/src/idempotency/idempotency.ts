import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorAuthError, parseJson, stringifyJson } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Key, KeyRing } from '../crypto/key-ring.ts';
import type { Tables } from '../database/tables.ts';
import {
  acquireKey,
  deleteExpiredResponses,
  readKey,
  releaseKey,
  saveResponse,
  type KeyedRequest,
} from './store.ts';

/** How long a key is remembered. */
const keptSeconds = 24 * 60 * 60;
/** Longer than any request may take: past it, the first attempt's process is taken for dead. */
const leaseSeconds = 120;
/** How often a second request looks whether the first is done: at first often, then less. */
const firstLookMs = 20;
const longestLookMs = 500;
const cleanupEveryMs = 60 * 60 * 1000;

export interface IdempotentRequest extends KeyedRequest {
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** An idempotency key that is reserved for one attempt at its request. */
export interface KeyReservation<Response> {
  readonly status: 'reserved';
  /**
   * Stores the response, in the transaction that stores what it reports.
   * @throws ConnectorAuthError `overloaded` if the attempt took so long that another one took over the key.
   */
  commit(transaction: Kysely<Tables>, response: Response): Promise<void>;
  /** Frees the key after a failed attempt, so that the request can be retried with it. */
  release(): Promise<void>;
}

/** The response of the first request with a key. */
export interface CompletedRequest<Response> {
  readonly status: 'completed';
  readonly response: Response;
}

/**
 * Ensures that a request with an idempotency key takes effect once, across all processes.
 *
 * | the key is | the request |
 * |---|---|
 * | free | reserves it; if the request fails, it releases it |
 * | reserved by a running request | waits for that request's response |
 * | used, with the same body | gets the first response, for 24 hours |
 * | used, with another body | is rejected |
 */
export class Idempotency {
  readonly #db: Kysely<Tables>;
  #lastCleanupMs = 0;
  readonly #hashKeys: readonly [Uint8Array, ...Uint8Array[]];

  /** @param keys keep the stored hash of a body from telling what the body was: the first hashes, all recognise. */
  constructor(db: Kysely<Tables>, keys: KeyRing) {
    this.#db = db;
    const [first, ...others] = keys;
    this.#hashKeys = [hashKeyOf(first), ...others.map(hashKeyOf)];
  }

  /**
   * Reserves a request's key, or returns the response of the first request with it.
   * @throws ConnectorAuthError `idempotency_key_reused`; `aborted` if the caller disconnects while it waits.
   */
  async reserve<Response>(
    request: IdempotentRequest,
  ): Promise<KeyReservation<Response> | CompletedRequest<Response>> {
    await this.#deleteExpired();
    const body = stringifyJson(request.body);
    const bodyHash = hashOf(body, this.#hashKeys[0]);
    for (let waitMs = firstLookMs; ; waitMs = Math.min(longestLookMs, waitMs * 2)) {
      const attempt = randomUUID();
      if (await acquireKey(this.#db, request, { bodyHash, attempt, leaseSeconds, keptSeconds })) {
        return this.#reservationOf(request, attempt);
      }
      const state = await readKey(this.#db, request);
      if (state !== null) {
        if (!this.#hashKeys.some(key => timingSafeEqual(state.bodyHash, hashOf(body, key)))) throw reused();
        if (state.answer !== null) {
          // Only `commit` writes responses, and each route has one type of them.
          return { status: 'completed', response: parseJson(state.answer) as Response };
        }
      }
      await delay(waitMs, undefined, { signal: request.signal }).catch((cause: unknown) => {
        throw new ConnectorAuthError('aborted', 'The caller left before the first request was done', {
          cause,
        });
      });
    }
  }

  #reservationOf<Response>(request: KeyedRequest, attempt: string): KeyReservation<Response> {
    return {
      status: 'reserved',
      commit: async (transaction, response) => {
        if (await saveResponse(transaction, request, attempt, stringifyJson(response))) return;
        throw new ConnectorAuthError(
          'overloaded',
          'The request took so long that another took its place: try again',
        );
      },
      release: () => releaseKey(this.#db, request, attempt),
    };
  }

  /** Keys are forgotten as keys come: no timer, and at most once an hour. */
  async #deleteExpired(): Promise<void> {
    if (Date.now() - this.#lastCleanupMs < cleanupEveryMs) return;
    this.#lastCleanupMs = Date.now();
    await deleteExpiredResponses(this.#db);
  }
}

/** A key of its own for this purpose, so that no signature is ever a hash. */
function hashKeyOf({ secret }: Key): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret.reveal(), '', 'idempotency body hash', 32));
}

function hashOf(body: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(body).digest();
}

function reused(): ConnectorAuthError {
  return new ConnectorAuthError(
    'idempotency_key_reused',
    'This Idempotency-Key was sent with another body: use a new key for a new request',
  );
}
