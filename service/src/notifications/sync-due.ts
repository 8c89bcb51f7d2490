import type { Listener, Notifications } from './notifications.ts';

const topic = 'sync';

/** Notifies every process that a sync may be due. If it gets lost, they find out by polling some seconds later. */
export function notifySyncDue(notifications: Notifications): Promise<void> {
  return notifications.notify(topic);
}

/** Listens for {@link notifySyncDue}. */
export function listenForSyncDue(notifications: Notifications): Listener {
  return notifications.listen(topic);
}
