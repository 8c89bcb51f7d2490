import { ConnectorAuthError, type WebhookEvent } from '@connector-auth/api';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** An event with the id by which a repeated one is recognized. */
export type ReceivedEvent = WebhookEvent & { readonly id: string };

/** The headers of a request: a web request's, or those of `node:http` with names in lower case. */
type RequestHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies that a request was sent by the service, for any server. Ignore events of a `type` that you do not know: later versions
 * of the service send more.
 * @param body the body as it was received. Parsed and written again, it has another signature.
 * @param secrets the secret of the webhook, or several while you replace it.
 * @throws ConnectorAuthError `webhook_signature_invalid`, also if the request is older than five minutes.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: RequestHeaders,
  secrets: string | readonly string[],
): ReceivedEvent {
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name => [name, headerOf(headers, name)]),
  );
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  let cause: unknown;
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    try {
      // The service has signed it, so it is an event.
      const event = new Webhook(secret).verify(text, signed) as WebhookEvent;
      return { ...event, id: signed['webhook-id'] ?? '' };
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      cause = error;
    }
  }
  throw new ConnectorAuthError(
    'webhook_signature_invalid',
    'The request is not signed with the secret of the webhook, or is older than five minutes',
    { cause },
  );
}

function headerOf(headers: RequestHeaders, name: string): string {
  // Only `Headers` has a function of this name: names in lower case of `node:http` have string values.
  const value =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
