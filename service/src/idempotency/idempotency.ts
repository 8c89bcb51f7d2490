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

/** Keeps an answer in the transaction that makes it true. */
export type SaveResponse<Answer> = (transaction: Kysely<Tables>, answer: Answer) => Promise<void>;

/**
 * Runs a piece of work once per key, whatever the number of requests and processes.
 *
 * | the key is | the request |
 * |---|---|
 * | free | is written down, then runs `work`; when that fails the key is free again |
 * | held by a running request | waits for its answer |
 * | used, with the same body | gets the first answer, 24 hours long |
 * | used, with another body | is refused |
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
   * @param work must call `keep` within the transaction that stores its result.
   * @throws ConnectorAuthError `idempotency_key_reused`, and whatever `work` throws.
   */
  async once<Answer>(
    request: IdempotentRequest,
    work: (keep: SaveResponse<Answer>) => Promise<Answer>,
  ): Promise<Answer> {
    await this.#deleteExpired();
    const body = stringifyJson(request.body);
    const bodyHash = hashOf(body, this.#hashKeys[0]);
    for (let waitMs = firstLookMs; ; waitMs = Math.min(longestLookMs, waitMs * 2)) {
      const attempt = randomUUID();
      if (await acquireKey(this.#db, request, { bodyHash, attempt, leaseSeconds, keptSeconds })) {
        return this.#run(request, attempt, work);
      }
      const state = await readKey(this.#db, request);
      if (state !== null) {
        if (!this.#hashKeys.some(key => timingSafeEqual(state.bodyHash, hashOf(body, key)))) throw reused();
        // Only `#run` writes answers, from what `work` gave.
        if (state.answer !== null) return parseJson(state.answer) as Answer;
      }
      await delay(waitMs, undefined, { signal: request.signal }).catch((cause: unknown) => {
        throw new ConnectorAuthError('aborted', 'The caller left before the first request was done', {
          cause,
        });
      });
    }
  }

  async #run<Answer>(
    request: IdempotentRequest,
    attempt: string,
    work: (keep: SaveResponse<Answer>) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await work(async (transaction, answer) => {
        if (await saveResponse(transaction, request, attempt, stringifyJson(answer))) return;
        throw new ConnectorAuthError(
          'overloaded',
          'The request took so long that another took its place: try again',
        );
      });
    } catch (error) {
      await releaseKey(this.#db, request, attempt);
      throw error;
    }
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
