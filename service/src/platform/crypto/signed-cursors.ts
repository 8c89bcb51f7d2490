import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
// oxlint-disable-next-line no-restricted-imports -- reads cursors that this service signed
import { parseJson, stringifyJson } from '@connector-auth/api';
import type { KeyRing } from './key-ring.ts';

/** The reason why a cursor is rejected. */
export type CursorError = 'invalid' | 'other_query';

/**
 * Creates and verifies signed cursors. A cursor encodes a position, and is valid only for what it was created for, such as the
 * query that returned it.
 */
export class SignedCursors<Position extends readonly unknown[]> {
  readonly #keys: readonly [Uint8Array, ...Uint8Array[]];

  /**
   * @param keys the first key signs new cursors; all keys verify them.
   * @param purpose such as `search cursor`. Cursors for other purposes are invalid.
   */
  constructor(keys: KeyRing, purpose: string) {
    const [first, ...others] = keys;
    const derive = ({ secret }: KeyRing[number]): Uint8Array =>
      new Uint8Array(hkdfSync('sha256', secret.reveal(), '', purpose, 32));
    this.#keys = [derive(first), ...others.map(derive)];
  }

  /**
   * @param binding everything for which the cursor is valid, such as what determines the records of a query and their order.
   */
  write(position: Position, binding: unknown): string {
    const body = Buffer.from(stringifyJson([digest(binding), position]));
    return `${body.toString('base64url')}.${sign(body, this.#keys[0]).toString('base64url')}`;
  }

  read(cursor: string, binding: unknown): { readonly position: Position } | { readonly error: CursorError } {
    const [encoded = '', signature = '', ...rest] = cursor.split('.');
    const body = Buffer.from(encoded, 'base64url');
    const given = Buffer.from(signature, 'base64url');
    const isOurs = this.#keys.some(key => {
      const expected = sign(body, key);
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    if (!isOurs || rest.length > 0) return { error: 'invalid' };
    // The signature is valid, so `write` created this body.
    const [bound, position] = parseJson(body.toString()) as [string, Position];
    return bound === digest(binding) ? { position } : { error: 'other_query' };
  }
}

function sign(body: Uint8Array, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, 16);
}

function digest(binding: unknown): string {
  return createHash('sha256')
    .update(stringifyJson(sortMembers(binding)))
    .digest('base64url')
    .slice(0, 22);
}

/** Sorts object members by name, so that equal queries have equal digests. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sortMembers(member)]),
  );
}
