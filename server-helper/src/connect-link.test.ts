import { languages, type Language } from '@connector-auth/api';
import * as fc from 'fast-check';
import type { Dispatcher } from 'undici';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeService, problem } from '../test/fake-service.ts';
import { clientSecret, pageOrigin, startHost } from '../test/host-app.ts';
import { createConnectorAuth, type HelperOptions } from './index.ts';
import { messages } from './messages/index.ts';

const link = '5b1f0c9e-6a47-4c53-9d7e-2f8a0b6c4d3e';
const code = 'c0de-_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abc';
const path = `/connect-link?link=${link}&code=${code}`;
const returnUrl = `https://connectors.example.com/connect/${link}#return=r3turn`;

/** Headers of a browser that the service redirected here. */
const navigation = {
  origin: undefined,
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-user': '?1',
};

const isFull = process.env['TEST_FULL'] !== undefined;

let service: FakeService;
beforeEach(async () => {
  service = await new FakeService().start();
  service.respond = (_request, response) => {
    const body = JSON.stringify({ return_url: returnUrl });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
});

/** Opens an address as a person does who is signed in as `acme`. */
async function open(
  options: Parameters<typeof startHost>[1] = {},
  { headers = {}, at = path }: { headers?: Record<string, string | undefined>; at?: string } = {},
): Promise<Dispatcher.ResponseData & { readonly html: string }> {
  const host = await startHost(service, { serviceUrl: 'https://connectors.example.com', ...options });
  const response = await host.fetch('GET', at, { headers: { ...navigation, ...headers } });
  return Object.assign(response, { html: await response.body.text() });
}

test('confirms the signed-in customer with the application token, and returns to the link', async () => {
  const response = await open();
  expect([response.statusCode, response.headers['location']]).toEqual([303, returnUrl]);
  const [confirmation] = service.requests;
  expect(confirmation).toMatchObject({
    method: 'POST',
    path: `/api/v1/integrations/connect-links/${link}/confirm`,
    headers: expect.objectContaining({ authorization: 'Bearer app-1' }),
  });
  expect(JSON.parse(confirmation?.body ?? '')).toEqual({ code, customer_name: 'acme' });
});

test('takes the customer from the session, whatever the query says', async () => {
  await open({}, { at: `${path}&customer_name=globex&customer=globex` });
  expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({ customer_name: 'acme' });
});

describe('who opens the address', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['a redirect of the service', {}],
    ['a redirect of the own sign-in page', { 'sec-fetch-site': 'same-origin' }],
    ['a person who pastes it', { 'sec-fetch-site': 'none' }],
    [
      'a browser without fetch metadata',
      { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined, 'sec-fetch-dest': undefined },
    ],
  ])('accepts %s', async (_who, headers) => {
    expect((await open({}, { headers })).statusCode).toBe(303);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['a frame', { 'sec-fetch-dest': 'iframe' }],
    ['an object', { 'sec-fetch-dest': 'object' }],
    ['an image', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    [
      'a fetch of an allowed page',
      { origin: pageOrigin, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    ],
    ['a fetch of the own page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['a fetch of an older browser', { origin: 'https://evil.example', 'sec-fetch-mode': undefined }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ['a prefetch of an older browser', { purpose: 'prefetch' }],
  ])('rejects %s with 403', async (_who, headers) => {
    const resolveCustomer = vi.fn();
    const response = await open({ resolveCustomer }, { headers });
    expect(response.statusCode).toBe(403);
    expect(response.headers['x-problem-code']).toBe('origin_not_allowed');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(resolveCustomer).not.toHaveBeenCalled();
    expect(service.requests).toEqual([]);
  });

  test.each(['HEAD', 'POST', 'DELETE', 'OPTIONS'] as const)('rejects %s with 403', async method => {
    const host = await startHost(service);
    expect((await host.fetch(method, path, { headers: navigation })).statusCode).toBe(403);
    expect(service.requests).toEqual([]);
  });

  test('does not relax what the other routes accept', async () => {
    const host = await startHost(service);
    const response = await host.fetch('GET', '/connectors', { headers: navigation });
    expect(response.statusCode).toBe(403);
  });
});

describe('a person who is not signed in', () => {
  const signedOut = { headers: { cookie: undefined } };
  const signInUrl = (returnTo: string) => `/login?next=${encodeURIComponent(returnTo)}`;

  test('is sent to the sign-in page, which can return here', async () => {
    const response = await open({ signInUrl }, signedOut);
    expect(response.statusCode).toBe(303);
    const next = `/connector-auth/connect-link?link=${link}&code=${code}`;
    expect(response.headers['location']).toBe(`/login?next=${encodeURIComponent(next)}`);
    expect(service.requests).toEqual([]);
  });

  test('can be sent to a sign-in page on another host, asynchronously', async () => {
    const elsewhere = () => Promise.resolve('https://login.example.com/');
    expect((await open({ signInUrl: elsewhere }, signedOut)).headers['location']).toBe(
      'https://login.example.com/',
    );
  });

  test('gets a page that says to sign in and open the link again, without signInUrl', async () => {
    const onError = vi.fn();
    const response = await open({ onError }, signedOut);
    expect(response.statusCode).toBe(401);
    expect(response.html).toContain('Sign in first');
    expect(response.html).toContain(`href="https://connectors.example.com/connect/${link}"`);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'not_signed_in' });
  });

  test.each([
    ['throws', () => fail(new Error('no sign-in page'))],
    ['returns nothing', () => undefined as never],
    ['returns a line break', () => '/login\r\nSet-Cookie: a=b'],
  ])('gets 500 if signInUrl %s', async (_how, broken) => {
    const onError = vi.fn();
    const { response } = await handle({ onError, signInUrl: broken, resolveCustomer: () => null });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('no sign-in page');
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'internal_error' });
  });

  test('only ever returns to this host', async () => {
    const segment = fc.constantFrom(
      '',
      '/',
      '\\',
      '.',
      '..',
      'evil.example',
      '@',
      ':',
      '%2f',
      'a b',
      'é',
      '?',
    );
    const mount = fc.array(segment, { maxLength: 6 }).map(parts => parts.join('/'));
    await fc.assert(
      fc.asyncProperty(mount, async mounted => {
        const { response } = await handle(
          { resolveCustomer: () => null, signInUrl: returnTo => returnTo },
          `https://app.example.com/${mounted}/connect-link?link=${link}&code=${code}`,
        );
        const location = response.headers.get('location');
        // A mount path with a question mark is not one.
        if (location === null) return;
        expect(new URL(location, pageOrigin).origin).toBe(pageOrigin);
        expect(location).toMatch(/^\/[^/\\]/);
      }),
      { numRuns: isFull ? 300 : 60 },
    );
  });
});

describe('problems', () => {
  test.each([
    ['customer_not_allowed', 403, 'This link is for a different account', false],
    ['link_not_found', 404, 'This link no longer works', false],
    ['link_used', 409, 'This link no longer works', false],
    ['link_expired', 409, 'This link no longer works', false],
    ['link_revoked', 409, 'This link no longer works', false],
    ['link_code_invalid', 422, 'That took too long', true],
    ['rate_limited', 429, 'Something went wrong', true],
    ['internal_error', 500, 'Something went wrong', true],
  ])('explains %s of the service', async (name, status, title, canContinue) => {
    service.respond = (_request, response) => problem(response, status, name, { 'retry-after': '7' });
    const response = await open();
    expect(response.statusCode).toBe(status);
    expect(response.html).toContain(`<h1>${title}</h1>`);
    expect(response.html.includes(`/connect/${link}"`)).toBe(canContinue);
    expect(response.headers['x-problem-code']).toBe(name);
  });

  test.each<[string, Language, string]>([
    ['de-AT, en;q=0.5', 'de', 'ltr'],
    ['ar', 'ar', 'rtl'],
    ['zh-CN', 'zh', 'ltr'],
    ['zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'en', 'ltr'],
    ['nl', 'en', 'ltr'],
  ])('are explained in the language of the browser: %s', async (header, language, direction) => {
    service.respond = (_request, response) => problem(response, 409, 'link_used');
    const { headers, html } = await open({}, { headers: { 'accept-language': header } });
    expect(html).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(html).toContain(`<h1>${messages[language].over.title}</h1>`);
    expect(headers).toMatchObject({ 'content-language': language });
  });

  test('have a text of their own in each language', () => {
    const texts = (language: Language) => JSON.stringify(messages[language]).match(/"[^"]+"(?=[,}])/g);
    for (const language of languages.filter(language => language !== 'en')) {
      const english = new Set(texts('en'));
      expect(texts(language)).toHaveLength(english.size);
      expect(texts(language)?.filter(text => english.has(text))).toEqual([]);
    }
  });

  test('reports a rejected client secret to the operator, not to the person', async () => {
    service.rejectsApplication = true;
    const onError = vi.fn();
    const response = await open({ onError });
    expect(response.statusCode).toBe(500);
    expect(response.html).toContain('Something went wrong');
    expect(response.html).not.toMatch(/client|secret/i);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'backend_misconfigured' });
  });

  test('explains that a service that is down can be tried again', async () => {
    const { response } = await handle({ baseUrl: 'http://127.0.0.1:1', onError: () => {} });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('Try again in a few minutes');
  });

  test.each([
    ['no query', '/connect-link'],
    ['no code', `/connect-link?link=${link}`],
    ['no link', `/connect-link?code=${code}`],
    ['an empty code', `/connect-link?link=${link}&code=`],
    ['a link that is not a UUID', `/connect-link?link=../../tokens&code=${code}`],
    [
      'a code with markup',
      `/connect-link?link=${link}&code=${encodeURIComponent('<script>alert(1)</script>')}`,
    ],
    ['a code of 10,000 characters', `/connect-link?link=${link}&code=${'c'.repeat(10_000)}`],
    ['broken escapes', `/connect-link?link=%E0%A4%A&code=%`],
  ])('rejects %s with 400 before asking who is signed in', async (_what, at) => {
    const resolveCustomer = vi.fn();
    const response = await open({ resolveCustomer }, { at });
    expect(response.statusCode).toBe(400);
    expect(response.html).toContain('This address is incomplete');
    expect(response.html).not.toMatch(/alert|cccc/);
    expect(resolveCustomer).not.toHaveBeenCalled();
    expect(service.requests).toEqual([]);
  });
});

test('no page is stored, framed, scripted or repeats the code, and none leaks its address', async () => {
  const pages = [
    await open({}, { headers: { cookie: undefined } }),
    await open({}, { headers: { 'sec-fetch-dest': 'iframe' } }),
    await open({}, { at: `/connect-link?link=${link}&code=${code}"><b>` }),
  ];
  service.respond = (_request, response) => problem(response, 403, 'customer_not_allowed');
  pages.push(await open());
  for (const { headers, html } of pages) {
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      ),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(html).not.toContain(code);
    expect(html).not.toMatch(/<script|<b>|onerror/);
  }
  expect((await open({ signInUrl: () => '/login' })).headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
});

test('an error page of the app is not restricted by the policy of the helper’s pages', async () => {
  const response = await open({ resolveCustomer: () => Promise.reject(new Error('session store is down')) });
  expect([response.statusCode, response.html]).toEqual([500, 'the app’s own error page']);
  expect(response.headers['content-security-policy']).toBeUndefined();
});

/** Opens an address of a helper for web requests. */
async function handle(
  options: Partial<HelperOptions<Request>>,
  url = `https://app.example.com/any/mount${path}`,
): Promise<{ response: Response }> {
  const { handler } = createConnectorAuth({
    baseUrl: service.baseUrl,
    clientId: 'client-1',
    clientSecret,
    allowedOrigins: [pageOrigin],
    resolveCustomer: () => 'acme',
    ...options,
  });
  return { response: await handler(new Request(url)) };
}

function fail(error: Error): never {
  throw error;
}
