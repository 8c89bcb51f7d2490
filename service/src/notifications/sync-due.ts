import type { Listener, Notifications } from './notifications.ts';

/** Signalled when something is due that was not: whoever has a free turn looks. */
const topic = 'sync';

/** Tells every process that something is due. Lost, it only makes them find out some seconds later. */
export function notifySyncDue(notifications: Notifications): Promise<void> {
  return notifications.notify(topic);
}

/** Listens for what {@link notifySyncDue} tells. */
export function listenForSyncDue(notifications: Notifications): Listener {
  return notifications.listen(topic);
}
