import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
// oxlint-disable-next-line no-restricted-imports -- reads a response that this service stored
import { ConnectorAuthError, parseJson, stringifyJson } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Key, KeyRing } from '../../platform/crypto/key-ring.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { KeyTable } from './key-tables.ts';
import {
  acquireKey,
  deleteExpiredResponses,
  readKey,
  releaseKey,
  saveResponse,
  type KeyedRequest,
} from './store.ts';

const responseTtlSeconds = 24 * 60 * 60;
/**
 * Longer than the maximum duration of a request. After this time, the process that made the first attempt is
 * considered dead.
 */
const leaseSeconds = 120;
/** The initial interval at which a repeated request polls for the first response. Increases exponentially. */
const firstPollMs = 20;
const maxPollMs = 500;
const cleanupEveryMs = 60 * 60 * 1000;

export type IdempotentRequest<Owner> = KeyedRequest<Owner> & {
  readonly body: unknown;
  readonly signal: AbortSignal;
  /**
   * Whether the request may be processed again if the process that made the first attempt died. Default: true.
   */
  readonly isRepeatable?: boolean;
};

/** An idempotency key that is reserved for one attempt to process a request. */
export interface KeyReservation<Response> {
  readonly status: 'reserved';
  /**
   * Stores the response in the same transaction as the changes that it reports.
   * @throws ConnectorAuthError `overloaded` if this attempt took too long and another attempt has taken over
   * the key.
   */
  commit(transaction: Kysely<Tables>, response: Response): Promise<void>;
  /** Releases the key after a failed attempt, so that the request can be retried with the same key. */
  release(): Promise<void>;
}

/** The response to the first request with a key. */
export interface CompletedRequest<Response> {
  readonly status: 'completed';
  readonly response: Response;
}

/**
 * Ensures that a request with an idempotency key takes effect only once, across all processes.
 *
 * | the key is | the request |
 * |---|---|
 * | free | reserves the key, and releases it on failure |
 * | reserved by a running request | waits for that request's response |
 * | reserved by a process that died | takes over the key, or is rejected if it is not repeatable |
 * | used, with the same body | gets the first response, for 24 hours |
 * | used, with another body | is rejected |
 */
export class Idempotency<Owner> {
  readonly #db: Kysely<Tables>;
  readonly #table: KeyTable<Owner>;
  #lastCleanupMs = 0;
  readonly #hashKeys: readonly [Uint8Array, ...Uint8Array[]];

  /**
   * @param table where the keys of these callers are stored.
   * @param keys keys for hashing request bodies. New bodies are hashed with the first key, and stored hashes
   * are compared using any of the keys.
   */
  constructor(db: Kysely<Tables>, table: KeyTable<Owner>, keys: KeyRing) {
    this.#db = db;
    this.#table = table;
    const [first, ...others] = keys;
    this.#hashKeys = [hashKeyOf(first), ...others.map(hashKeyOf)];
  }

  /**
   * Reserves a request's key, or returns the response to the first request with the same key.
   * @throws ConnectorAuthError `idempotency_key_reused`; `outcome_unknown` if the first attempt may have taken effect
   * and must not be repeated; `aborted` if the caller disconnects while waiting.
   */
  async reserve<Response>(
    request: IdempotentRequest<Owner>,
  ): Promise<KeyReservation<Response> | CompletedRequest<Response>> {
    await this.#deleteExpired();
    const body = stringifyJson(request.body);
    const bodyHash = hashOf(body, this.#hashKeys[0]);
    for (let waitMs = firstPollMs; ; waitMs = Math.min(maxPollMs, waitMs * 2)) {
      const attempt = randomUUID();
      const { isRepeatable = true } = request;
      const reservation = { bodyHash, attempt, leaseSeconds, responseTtlSeconds, isRepeatable };
      if (await acquireKey(this.#db, this.#table, request, reservation)) {
        return this.#reservationOf(request, attempt);
      }
      const state = await readKey(this.#db, this.#table, request);
      if (state !== null) {
        if (!this.#hashKeys.some(key => timingSafeEqual(state.bodyHash, hashOf(body, key)))) throw reused();
        if (state.response !== null) {
          // Only `commit` writes responses, and each route has a single response type.
          return { status: 'completed', response: parseJson(state.response) as Response };
        }
        if (state.isAbandoned && !isRepeatable) throw outcomeUnknown();
      }
      await delay(waitMs, undefined, { signal: request.signal }).catch((cause: unknown) => {
        throw new ConnectorAuthError(
          'aborted',
          'The client disconnected while waiting for the original request with this Idempotency-Key to finish',
          {
            cause,
          },
        );
      });
    }
  }

  #reservationOf<Response>(request: KeyedRequest<Owner>, attempt: string): KeyReservation<Response> {
    return {
      status: 'reserved',
      commit: async (transaction, response) => {
        const stored = { attempt, response: stringifyJson(response) };
        if (await saveResponse(transaction, this.#table, request, stored)) return;
        throw new ConnectorAuthError(
          'overloaded',
          'The request took too long, and another request with the same Idempotency-Key has taken over. Retry the request',
        );
      },
      release: () => releaseKey(this.#db, this.#table, request, attempt),
    };
  }

  /** Deletes expired keys. Runs when a key is reserved, at most once per hour, so that no timer is needed. */
  async #deleteExpired(): Promise<void> {
    if (Date.now() - this.#lastCleanupMs < cleanupEveryMs) return;
    this.#lastCleanupMs = Date.now();
    await deleteExpiredResponses(this.#db, this.#table);
  }
}

/**
 * Derives a key that is used only for hashing bodies, so that a token signature can never be a valid hash.
 */
function hashKeyOf({ secret }: Key): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret.reveal(), '', 'idempotency body hash', 32));
}

function hashOf(body: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(body).digest();
}

/** Returns the error for a change that may have taken effect. */
export function outcomeUnknown(cause?: unknown): ConnectorAuthError {
  return new ConnectorAuthError(
    'outcome_unknown',
    'The change may have taken effect, and is not repeated. Read the record before sending the change with a new Idempotency-Key',
    { cause },
  );
}

function reused(): ConnectorAuthError {
  return new ConnectorAuthError(
    'idempotency_key_reused',
    'This Idempotency-Key was already used with a different body. Use a new key for a new request',
  );
}
