import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';
import type { SealedColumn, SealOwner } from './sealed-columns.ts';

/**
 * The row and column to which a sealed value belongs, and the owner of the row. A value cannot be decrypted in any other
 * context.
 */
export type SealContext = SealedColumn & {
  organizationId: string;
  /** The id of the row within its organization. */
  row: string;
  owner: SealOwner;
};

export interface Sealer {
  /** Encrypts text with the active key. */
  seal(plaintext: string, context: SealContext): Buffer;
  /**
   * Decrypts text that was sealed with the same context.
   * @throws SealError `unknown_key` if the key is not configured, or `damaged` if the value was modified,
   * truncated, sealed with another context, or never sealed.
   */
  open(sealed: Uint8Array, context: SealContext): string;
  /** The configured key ids. The active key comes first. */
  readonly keyIds: readonly string[];
}

/** Reports that a sealed value cannot be decrypted. The message does not contain the value. */
export class SealError extends Error {
  override readonly name = 'SealError';
  readonly code: 'unknown_key' | 'damaged';

  constructor(code: 'unknown_key' | 'damaged', message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Creates a sealer that uses AES-256-GCM with a random 96-bit nonce. The organization, table, column, row,
 * owner and key id are the associated data, so an attacker with write access to the database cannot move a
 * value to another row, give the row to another customer, or restore an earlier version of the value.
 *
 * Byte layout: format (1), length of the key id (1), key id, nonce (12), tag (16), ciphertext.
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

/** The first byte of a sealed value. Values of format 1 were not bound to an owner, and are rejected. */
const format = 2;
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encodes the context as a JSON array, so that different contexts never produce the same bytes. */
function associatedData(context: SealContext, keyId: string): Buffer {
  const { organizationId, table, column, row, owner } = context;
  const place = [organizationId, table, column, row, keyId];
  return Buffer.from(JSON.stringify([format, ...place, owner.customerId, owner.kind, owner.version]));
}

function parseSealed(sealed: Uint8Array): {
  id: string;
  nonce: Buffer;
  tag: Buffer;
  ciphertext: Buffer;
} {
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
