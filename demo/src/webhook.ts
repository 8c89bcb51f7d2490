/** Lets the service send its events to a server on this machine. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createClient, type ClientOptions } from '@connector-auth/api/client';

/** Distinguishes the webhook from those that a developer adds to the same service. */
const description = 'Local development';

/**
 * Creates a webhook with a URL, or changes the URL of the one that was created before. Returns its secret, which stays the
 * same: only the response that creates a webhook contains it.
 * @param secretPath the file in which the secret is stored.
 */
export async function sendEventsTo(
  service: Pick<ClientOptions, 'baseUrl' | 'clientId' | 'clientSecret'>,
  url: string,
  secretPath: string,
): Promise<string> {
  const { webhooks } = createClient(service);
  const { data } = await webhooks.list();
  const present = data.find(webhook => webhook.description === description);
  if (present && existsSync(secretPath)) {
    await webhooks.update(present.id, { url, enabled: true });
    return readFileSync(secretPath, 'utf8');
  }
  if (present) await webhooks.delete(present.id);
  const { secret } = await webhooks.create({ url, description });
  writeFileSync(secretPath, secret, { mode: 0o600 });
  return secret;
}
