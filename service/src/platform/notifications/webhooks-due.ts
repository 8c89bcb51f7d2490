import type { Listener, Notifications } from './notifications.ts';

/** The trigger that queues deliveries notifies the same topic. */
export const webhooksDueTopic = 'webhooks-due';

/** Wakes the workers of all processes that deliver events. */
export function notifyWebhooksDue(notifications: Notifications): Promise<void> {
  return notifications.notify(webhooksDueTopic);
}

/** Listens for {@link notifyWebhooksDue}. */
export function listenForWebhooksDue(notifications: Notifications): Listener {
  return notifications.listen(webhooksDueTopic);
}
