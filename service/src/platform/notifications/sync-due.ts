import type { Listener, Notifications } from './notifications.ts';

const topic = 'sync';

/**
 * Notifies all processes that a sync may be due. If the notification is lost, they detect the due sync at
 * their next poll, a few seconds later.
 */
export function notifySyncDue(notifications: Notifications): Promise<void> {
  return notifications.notify(topic);
}

/** Listens for {@link notifySyncDue}. */
export function listenForSyncDue(notifications: Notifications): Listener {
  return notifications.listen(topic);
}
