import type { Notifications } from './notifications.ts';

/** Returns the notification topic for changes to a connect link. */
export function linkTopic(id: string): string {
  return `connect-link:${id}`;
}

/** Wakes the requests that wait for a connect link's status to change. */
export async function notifyLinkChanged(notifications: Notifications, id: string): Promise<void> {
  await notifications.notify(linkTopic(id));
}
