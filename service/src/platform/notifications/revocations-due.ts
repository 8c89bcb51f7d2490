import type { Listener, Notifications } from './notifications.ts';

const topic = 'revocations-due';

/** Wakes the revocation workers of all processes. */
export function notifyRevocationsDue(notifications: Notifications): Promise<void> {
  return notifications.notify(topic);
}

/** Listens for {@link notifyRevocationsDue}. */
export function listenForRevocationsDue(notifications: Notifications): Listener {
  return notifications.listen(topic);
}
