import type { Listener, Notifications } from './notifications.ts';

const topic = 'sync';

/**
 * Notifies all processes that a sync may be due. Only those with a free time slice look for it. If the notification is
 * lost, they find the due sync at their next poll, a few seconds later.
 */
export function notifySyncDue(notifications: Notifications): Promise<void> {
  return notifications.notify(topic);
}

/** Listens for {@link notifySyncDue}. */
export function listenForSyncDue(notifications: Notifications): Listener {
  return notifications.listen(topic);
}
