import { createHash, randomBytes, randomInt } from 'node:crypto';
import { adminKeyPrefix } from '../../shared/auth/admin-caller.ts';

/** Generates an admin key of 256 random bits. */
export function generateAdminKey(): string {
  return `${adminKeyPrefix}${randomBytes(32).toString('base64url')}`;
}

/** Generates the secret in the cookie of a session. */
export function generateSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Crockford's Base32, which has no letters that look like digits. */
const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // cspell:disable-line
/** 130 bits. */
const setUpCodeLength = 26;

/** How a person recognizes a set-up code. */
export const setUpCodeForm = `${setUpCodeLength} letters and digits in groups of up to four, such as 7K3M-…`;

/** Generates a set-up code in groups of up to four letters and digits. */
export function generateSetUpCode(): string {
  const code = Array.from({ length: setUpCodeLength }, () => symbols[randomInt(symbols.length)]).join('');
  return code.replaceAll(/.{4}(?=.)/g, '$&-');
}

/** Hashes a set-up code as a person types it: in any case, with or without separators, O for 0, and I or L for 1. */
export function hashSetUpCode(typed: string): string {
  return hashOf(
    typed
      .toUpperCase()
      .replaceAll(/[\s\p{Dash}]/gu, '')
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1'),
  );
}

/** Hashes a generated secret, which needs no slow hash because it cannot be guessed. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
