import { createHmac, hkdfSync } from 'node:crypto';
import type { Key } from '../crypto/key-ring.ts';

/** Returns the URL of a link's page. The browser does not send the fragment, which the page's script reads. */
export function linkUrl(publicUrl: string, id: string, fragment: string): string {
  return `${publicUrl}/connect/${id}#${fragment}`;
}

/**
 * Derives the secret of a link, 256 bits in base64url, so that a repeated request with the same idempotency key gets the
 * same URL without a stored secret.
 */
export function linkSecret(key: Key, id: string): string {
  const hmacKey = new Uint8Array(hkdfSync('sha256', key.secret.reveal(), '', 'connect link secret', 32));
  return createHmac('sha256', hmacKey).update(id).digest('base64url');
}
