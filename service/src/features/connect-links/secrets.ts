import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Key, KeyRing } from '../../platform/crypto/key-ring.ts';
import { hashOf, randomSecret } from '../../platform/crypto/random-secret.ts';

/**
 * Derives the secret of a link, 256 bits in base64url, so that a repeated request with the same idempotency key gets the
 * same URL without a stored secret.
 */
export function linkSecret(key: Key, id: string): string {
  return macOf(key, 'connect link secret', id);
}

/**
 * Returns the secret of a link, if one of the keys derived it. If none did, its key was replaced and may have leaked.
 * Compares the secret instead of the key's id, which a new key can have too.
 */
export function findDerivedSecret(keys: KeyRing, id: string, secretHash: Uint8Array): string | undefined {
  return keys.map(key => linkSecret(key, id)).find(secret => timingSafeEqual(hashOf(secret), secretHash));
}

/** Returns a new key for the cookie of a browser that has opened a link. */
export function newBrowserKey(key: Key, linkId: string): string {
  return signed(key, linkId, randomSecret());
}

/** Returns whether this service issued a browser key for the link. */
export function isBrowserKey(keys: KeyRing, linkId: string, browserKey: string): boolean {
  const [random = ''] = browserKey.split('.');
  return keys.some(key => timingSafeEqual(hashOf(signed(key, linkId, random)), hashOf(browserKey)));
}

function signed(key: Key, linkId: string, random: string): string {
  return `${random}.${macOf(key, 'connect link browser', `${linkId} ${random}`)}`;
}

function macOf(key: Key, purpose: string, text: string): string {
  const macKey = new Uint8Array(hkdfSync('sha256', key.secret.reveal(), '', purpose, 32));
  return createHmac('sha256', macKey).update(text).digest('base64url');
}
