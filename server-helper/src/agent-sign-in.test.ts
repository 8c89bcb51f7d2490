import type { Dispatcher } from 'undici';
import { beforeEach, expect, test, vi } from 'vitest';
import { FakeService, problem } from '../test/fake-service.ts';
import { startHost } from '../test/host-app.ts';

const id = 'Qk7w9cVb2nXr4sLp';
const code = 'c0de-_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abc';
const path = `/agent-sign-in?sign_in=${id}&code=${code}`;
const serviceUrl = 'https://connectors.example.com';
const returnUrl = `${serviceUrl}/agents/sign-in/${id}?return=r3turn`;
const ana = { id: 'user-4711', name: 'Ana Silva' };

let service: FakeService;
beforeEach(async () => {
  service = await new FakeService().start();
  service.respond = (_request, response) => {
    const body = JSON.stringify({ return_url: returnUrl });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
});

/** Opens an address as a browser that the service has redirected, of a person who is signed in as `acme`. */
async function open(
  options: Parameters<typeof startHost>[1] = {},
  headers: Readonly<Record<string, string | undefined>> = {},
  at = path,
): Promise<Dispatcher.ResponseData & { readonly html: string }> {
  const host = await startHost(service, { serviceUrl, resolveUser: () => ana, ...options });
  const navigation = { origin: undefined, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const response = await host.fetch('GET', at, { headers: { ...navigation, ...headers } });
  return Object.assign(response, { html: await response.body.text() });
}

const bodies = () => service.requests.map(({ body }) => JSON.parse(body) as unknown);

test('confirms the person and the customer of the session, and sends the browser back', async () => {
  const resolveUser = vi.fn(() => ({ ...ana, scopes: ['read', 'search'] as const }));
  const response = await open({
    resolveUser,
    resolveCustomer: () => ({ name: 'acme', displayName: 'Acme Inc.' }),
    allowedSources: ['granola'],
    allowedData: ['private_fields'],
  });
  expect([response.statusCode, response.headers['location']]).toEqual([303, returnUrl]);
  expect(resolveUser).toHaveBeenCalledWith(expect.anything(), { name: 'acme', displayName: 'Acme Inc.' });
  expect(service.requests[0]?.path).toBe(`/api/v1/agents/sign-ins/${id}/confirm`);
  expect(bodies()).toEqual([
    {
      code,
      customer_name: 'acme',
      customer_display_name: 'Acme Inc.',
      user: ana,
      allowed_scopes: ['read', 'search'],
      allowed_sources: ['granola'],
      allowed_data: ['private_fields'],
    },
  ]);
});

test('sends a person without access to the service’s page that says where to go', async () => {
  const response = await open({ resolveUser: () => null });
  expect(response.headers['location']).toBe(`${serviceUrl}/agents/sign-in/${id}?no_access`);
  expect(service.requests).toEqual([]);
});

test('sends a person who is not signed in to the sign-in page, which can return here', async () => {
  const signInUrl = (returnTo: string) => `/login?next=${encodeURIComponent(returnTo)}`;
  const response = await open({ signInUrl }, { cookie: undefined });
  const next = encodeURIComponent(`/connector-auth${path}`);
  expect(response.headers['location']).toBe(`/login?next=${next}`);
  const page = await open({}, { cookie: undefined });
  expect([page.statusCode, page.html.includes(`${serviceUrl}/agents/sign-in/${id}"`)]).toEqual([401, true]);
});

test.each([
  ['is missing', undefined, 'backend_misconfigured'],
  ['returns only a name', () => 'Ana', 'internal_error'],
  ['returns an unknown scope', () => ({ ...ana, scopes: ['delete'] }), 'internal_error'],
])('fails with an error for the integrator if resolveUser %s', async (_how, resolveUser, expected) => {
  const onError = vi.fn();
  const { statusCode } = await open({ onError, resolveUser: resolveUser as never });
  expect(statusCode).toBe(500);
  expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: expected });
  expect(service.requests).toEqual([]);
});

test.each<[string, Readonly<Record<string, string>>, string, number]>([
  ['a frame', { 'sec-fetch-dest': 'iframe' }, path, 403],
  ['a fetch', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, path, 403],
  ['an address without a code', {}, `/agent-sign-in?sign_in=${id}`, 400],
  ['an id that is none', {}, `/agent-sign-in?sign_in=../../tokens&code=${code}`, 400],
])('rejects %s before asking who is signed in', async (_what, headers, at, status) => {
  const resolveCustomer = vi.fn();
  expect((await open({ resolveCustomer }, headers, at)).statusCode).toBe(status);
  expect(resolveCustomer).not.toHaveBeenCalled();
});

test('offers to try again if the code has ended', async () => {
  service.respond = (_request, response) => problem(response, 422, 'sign_in_invalid');
  const { statusCode, html } = await open();
  expect(statusCode).toBe(422);
  expect(html).toContain('That took too long');
  expect(html).toContain(`href="${serviceUrl}/agents/sign-in/${id}"`);
});

test('confirms connect links with the person, too', async () => {
  const link = '5b1f0c9e-6a47-4c53-9d7e-2f8a0b6c4d3e';
  await open({}, {}, `/connect-link?link=${link}&code=${code}`);
  await open({ resolveUser: () => null }, {}, `/connect-link?link=${link}&code=${code}`);
  expect(bodies()).toEqual([
    { code, customer_name: 'acme', user_id: ana.id },
    { code, customer_name: 'acme' },
  ]);
});
