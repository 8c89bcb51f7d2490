import { createMask } from '@connector-auth/connectors/kind';
import { Webhook } from 'standardwebhooks';

/** Returns the request that sends the body of an event, signed with each secret. */
export function createMessage(
  eventId: string,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const signatures = secrets.map(secret => new Webhook(secret).sign(eventId, new Date(nowMs), body));
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'connector-auth-webhooks',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(nowMs / 1000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

/** How much of a response is kept. */
const keptCharacters = 1_000;

/** Returns what is kept of a response to a message: its beginning, without the secrets. */
export function keptResponse(text: string, secrets: readonly string[], signatures: string): string {
  const mask = createMask([
    ...secrets,
    ...secrets.map(secret => secret.replace(/^whsec_/, '')),
    ...signatures.split(' ').filter(signature => signature !== ''),
  ]);
  return mask.text(text.replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')).slice(0, keptCharacters);
}
