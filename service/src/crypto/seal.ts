import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** The row and column that a sealed value belongs to. It cannot be opened for any other. */
export type SealContext = SealedColumn & {
  organizationId: string;
  /** The row's id within its organization. */
  row: string;
};

export interface Sealer {
  /** Encrypts a text with the active key. */
  seal(plaintext: string, context: SealContext): Buffer;
  /**
   * Decrypts a text that was sealed for the same context.
   * @throws SealError `unknown_key` if its key is not configured; `damaged` if it was modified, truncated, sealed for
   *   another context, or never sealed.
   */
  open(sealed: Uint8Array, context: SealContext): string;
  /** The configured key ids, starting with the active one. */
  readonly keyIds: readonly string[];
}

/** A sealed value cannot be opened. The message does not contain the value. */
export class SealError extends Error {
  override readonly name = 'SealError';
  readonly code: 'unknown_key' | 'damaged';

  constructor(code: 'unknown_key' | 'damaged', message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Creates a sealer: AES-256-GCM with a random 96-bit nonce. Organization, table, column, row and key id are associated
 * data, so that an attacker with write access to the database cannot move a value to a row that they may read.
 *
 * Layout in bytes: format (1), length of the key id (1), key id, nonce (12), tag (16), ciphertext.
 * `sealed-columns.ts` reads the key id in SQL.
 */
export function createSealer(keys: KeyRing): Sealer {
  const byId = new Map(keys.map(key => [key.id, key.secret]));
  const [active] = keys;
  return {
    keyIds: keys.map(({ id }) => id),
    seal(plaintext, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, active.secret.reveal(), nonce);
      cipher.setAAD(associatedData(context, active.id));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const id = Buffer.from(active.id, 'latin1');
      return Buffer.concat([Buffer.of(format, id.length), id, nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      const { id, nonce, tag, ciphertext } = parseSealed(sealed);
      const secret = byId.get(id);
      if (secret === undefined) {
        throw new SealError(
          'unknown_key',
          `A stored value needs the encryption key ${JSON.stringify(id)}, which is not configured`,
        );
      }
      const decipher = createDecipheriv(algorithm, secret.reveal(), nonce, { authTagLength: tagBytes });
      decipher.setAAD(associatedData(context, id));
      decipher.setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
      } catch (error) {
        throw damaged(error);
      }
    },
  };
}

const algorithm = 'aes-256-gcm';
const format = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** A JSON array, so that no two contexts have the same text. */
function associatedData({ organizationId, table, column, row }: SealContext, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([organizationId, table, column, row, keyId]));
}

function parseSealed(sealed: Uint8Array): { id: string; nonce: Buffer; tag: Buffer; ciphertext: Buffer } {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const idLength = bytes[1] ?? 0;
  const nonceAt = 2 + idLength;
  const tagAt = nonceAt + nonceBytes;
  const ciphertextAt = tagAt + tagBytes;
  if (bytes[0] !== format || bytes.length < ciphertextAt) throw damaged();
  return {
    id: bytes.toString('latin1', 2, nonceAt),
    nonce: bytes.subarray(nonceAt, tagAt),
    tag: bytes.subarray(tagAt, ciphertextAt),
    ciphertext: bytes.subarray(ciphertextAt),
  };
}

function damaged(cause?: unknown): SealError {
  return new SealError('damaged', 'A stored value cannot be decrypted: it was modified, truncated or moved', {
    cause,
  });
}
