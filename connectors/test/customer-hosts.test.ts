/** Hosts that are taken from a key or a setting, as the guide shows it, stay within the declared ones. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { forum, mail, mailKey, settings } from '../examples/customer-hosts.ts';
import { createTransport } from '../src/kind/index.ts';
import { requestTo } from '../src/rest/index.ts';

const suffixes = [
  'us21',
  'evil.example/',
  'evil.example#',
  'evil.example?',
  'evil.example\\',
  'evil.example:443/',
  'user@evil.example/',
  'evil.example%2f',
  '169.254.169.254/',
  '[::1]/',
  'localhost:80/#',
  'evil。example/', // cspell:disable-line
  '',
];

/** Returns how a request ends: it may be sent, or its host is not allowed. */
async function send(
  api: typeof mail,
  hosts: string[],
  grant: Parameters<typeof requestTo>[1],
): Promise<string> {
  // Nothing listens there.
  const transport = createTransport({ sandboxUrl: 'http://127.0.0.1:9' });
  const call = { vendorName: api.name, hosts, timeoutMs: 10_000 };
  try {
    await transport(requestTo(api, grant, { path: '/me' }), call);
    return 'sent';
  } catch (error) {
    return String((error as { readonly code?: unknown }).code);
  }
}

test.each(suffixes)(
  'a host that ends with %j is sent nothing unless it is one of the hosts',
  async suffix => {
    const credentials = { api_key: `0123-${suffix}` };
    const grant = { method: 'api_key', credentials, state: {}, settings: { site: suffix } };
    const isRight = suffix === 'us21';
    const rejected = /^(?:internal_error|ERR_INVALID_URL)$/;
    expect(await send(mail, ['*.api.mail.example'], grant)).toMatch(isRight ? 'vendor_failed' : rejected);
    expect(await send(forum, ['*.forum.example'], grant)).toMatch(rejected);
    // The form reports it before.
    expect(mailKey.fields.safeParse(credentials).success).toBe(isRight);
    expect(settings.safeParse({ site: suffix }).success).toBe(false);
    expect(settings.safeParse({ site: 'team.forum.example' }).success).toBe(true);
    expect(z.globalRegistry.get(mailKey.fields.shape.api_key)).toMatchObject({
      title: 'API key',
      writeOnly: true,
    });
  },
);
