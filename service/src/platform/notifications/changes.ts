import type { Notifications } from './notifications.ts';

/** Returns the notification topic for changed records of an organization. */
export function changesTopic(organizationId: string): string {
  return `changes:${organizationId}`;
}

/** Wakes the requests that wait for changes of an organization's records. */
export async function notifyChanges(notifications: Notifications, organizationId: string): Promise<void> {
  await notifications.notify(changesTopic(organizationId));
}
