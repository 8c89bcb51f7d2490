import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../platform/crypto/seal.ts';
import type { StoredWebhook, WebhookRef } from './store.ts';

/** Returns a new secret in the form of Standard Webhooks. */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export function sealSecret(
  sealer: Sealer,
  webhook: WebhookRef,
  column: 'secret' | 'previous_secret',
  secret: string,
): Buffer {
  return sealer.seal(secret, contextOf(webhook, column));
}

/**
 * Returns the secrets that sign events now, the newest first.
 * @throws SealError
 */
export function openSecrets(sealer: Sealer, stored: StoredWebhook, nowMs: number): [string, ...string[]] {
  const webhook = { organizationId: stored.organization_id, id: stored.id };
  const secret = sealer.open(stored.secret, contextOf(webhook, 'secret'));
  const { previous_secret: previous, previous_secret_expires_at: expiresAt } = stored;
  if (previous === null || expiresAt === null || expiresAt.getTime() <= nowMs) return [secret];
  return [secret, sealer.open(previous, contextOf(webhook, 'previous_secret'))];
}

function contextOf({ organizationId, id }: WebhookRef, column: 'secret' | 'previous_secret') {
  const owner = { customerId: null, kind: id, version: null };
  return { organizationId, table: 'webhooks', column, row: id, owner } as const;
}
