import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Notifications } from '../../platform/notifications/notifications.ts';
import { topics } from '../../platform/notifications/topics.ts';
import type { LinkRef } from '../auth/caller.ts';
import { findLinkStatus, spendLink, type LinkStatus } from '../repositories/connect-links.ts';

/**
 * Throws if the caller's token belongs to a connect link that cannot be used, or no longer. Call this before a vendor is
 * called for something new.
 * @throws ConnectorAuthError `link_used`; `link_expired`; `link_revoked`.
 */
export async function requireLiveLink(db: Kysely<Tables>, link: LinkRef | null): Promise<void> {
  if (link === null) return;
  const status = await findLinkStatus(db, link);
  if (status !== 'confirmed') throw linkEndedError(status);
}

/**
 * Uses up the connect link of the caller's token, in the transaction that stores or re-authenticates the connector.
 * @throws ConnectorAuthError `link_used`; `link_expired`; `link_revoked`.
 */
export async function spendOwnLink(
  transaction: Kysely<Tables>,
  link: LinkRef | null,
  connectorId: string,
): Promise<void> {
  if (link === null || (await spendLink(transaction, link, connectorId))) return;
  throw linkEndedError(await findLinkStatus(transaction, link));
}

/** Wakes the requests that wait for the connect link of the caller's token. */
export async function notifyLinkUsed(notifications: Notifications, link: LinkRef | null): Promise<void> {
  if (link !== null) await notifications.notify(topics.link(link.id));
}

/** Returns the error for a link that cannot be used, or no longer. */
export function linkEndedError(status: LinkStatus | null): ConnectorAuthError {
  if (status === 'used') {
    return new ConnectorAuthError('link_used', 'A source was already connected with this link');
  }
  if (status === 'expired') {
    return new ConnectorAuthError('link_expired', 'The link has expired: ask for a new one');
  }
  return new ConnectorAuthError('link_revoked', 'The link was revoked: ask for a new one');
}
