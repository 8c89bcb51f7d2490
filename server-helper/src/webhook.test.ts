import { events } from '@connector-auth/api';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook } from './webhook.ts';

const secret = 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0cw==';
const body = JSON.stringify({
  type: 'connector.needs_reauth',
  timestamp: '2026-11-20T09:30:00.000Z',
  data: events['connector.needs_reauth'].example,
});

function headersOf(key = secret, at = new Date()): Record<string, string> {
  return {
    'webhook-id': 'event-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('event-1', at, body),
  };
}

test('returns a verified event whose type determines its data', () => {
  for (const headers of [headersOf(), new Headers(headersOf())]) {
    const event = verifyWebhook(Buffer.from(body), headers, secret);
    if (event.type !== 'connector.needs_reauth') throw new Error(event.type);
    expect([event.id, event.data.reconnect.customer_name]).toEqual(['event-1', 'acme']);
  }
});

test('accepts the signature of any secret, also among others', () => {
  const other = 'whsec_b3RoZXItc2VjcmV0';
  const signed = headersOf();
  const both = { ...signed, 'webhook-signature': `v1,AAAA ${signed['webhook-signature']}` };
  expect(verifyWebhook(body, both, [other, secret]).id).toBe('event-1');
});

const minute = 60_000;
test.each<[string, Record<string, string | undefined>, string]>([
  ['of another secret', headersOf('whsec_b3RoZXItc2VjcmV0'), body],
  ['with another body', headersOf(), body.replace('acme', 'beta')],
  ['that is six minutes old', headersOf(secret, new Date(Date.now() - 6 * minute)), body],
  ['of the future', headersOf(secret, new Date(Date.now() + 6 * minute)), body],
  ['with another id', { ...headersOf(), 'webhook-id': 'event-2' }, body],
  ['without headers', {}, body],
])('rejects a request %s', (_title, headers, text) => {
  const verify = () => verifyWebhook(text, headers, secret);
  expect(verify).toThrow(expect.objectContaining({ code: 'webhook_signature_invalid' }));
});
