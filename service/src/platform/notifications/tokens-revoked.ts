import type { Listener, Notifications } from './notifications.ts';

const topic = 'tokens-revoked';

/** Notifies all processes that tokens were revoked. If the notification is lost, they notice within a second. */
export function notifyTokensRevoked(notifications: Notifications): Promise<void> {
  return notifications.notify(topic);
}

/** Listens for {@link notifyTokensRevoked}. */
export function listenForTokensRevoked(notifications: Notifications): Listener {
  return notifications.listen(topic);
}
