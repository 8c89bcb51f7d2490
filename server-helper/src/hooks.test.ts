import { ConnectorAuthError } from '@connector-auth/api';
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest';
import { FakeService } from '../test/fake-service.ts';
import { clientSecret, id, pageOrigin } from '../test/host-app.ts';
import { createConnectorAuth, type HelperOptions } from './index.ts';

let service: FakeService;
let log: MockInstance;
beforeEach(async () => {
  log = vi.spyOn(console, 'error').mockReturnValue();
  service = await new FakeService().start();
});
afterEach(() => vi.restoreAllMocks());

/** Sends a request from the integrator's page to a helper with these options. */
async function send(
  options: Partial<HelperOptions<Request>>,
  path = '/widget-token',
  init: RequestInit = {},
): Promise<{ request: Request; response: Response }> {
  const { handler } = createConnectorAuth({
    baseUrl: service.baseUrl,
    clientId: 'client-1',
    clientSecret,
    allowedOrigins: [pageOrigin],
    resolveCustomer: () => 'acme',
    ...options,
  });
  const headers = { origin: pageOrigin };
  const request = new Request(`https://app.example.com/any/path${path}`, {
    method: 'POST',
    headers,
    ...init,
  });
  return { request, response: await handler(request) };
}

describe('onToken', () => {
  test('receives the customer and the origin after a widget token, and nothing else', async () => {
    const onToken = vi.fn();
    await send({ onToken });
    expect(onToken.mock.calls).toEqual([[{ customer: 'acme', origin: pageOrigin }]]);
  });

  test('is not called without a token, or for the helper’s own tokens', async () => {
    const onToken = vi.fn();
    await send({ onToken, resolveCustomer: () => null });
    await send({ onToken }, '/widget-token', { headers: { origin: 'https://evil.example' } });
    await send({ onToken }, '/connectors', { method: 'GET' });
    service.rejectsApplication = true;
    await send({ onToken });
    expect(onToken).not.toHaveBeenCalled();
  });
});

describe('onError', () => {
  test('receives each problem and the request', async () => {
    const onError = vi.fn();
    const calls = [
      await send({ onError, resolveCustomer: () => null }),
      await send({ onError }, '/widget-token', { headers: { origin: 'https://evil.example' } }),
      await send({ onError }, '/other'),
      await send({ onError }, '/connectors'),
      await send({ onError }, '/connectors/7', { method: 'DELETE' }),
      await send({ onError, allowedManagement: [] }, `/connectors/${id}`, { method: 'DELETE' }),
    ];
    const codes = await Promise.all(
      calls.map(async ({ response }) => ((await response.json()) as { code: string }).code),
    );
    expect(codes).toEqual([
      'not_signed_in',
      'origin_not_allowed',
      'route_not_found',
      'method_not_allowed',
      'malformed_request',
      'management_not_allowed',
    ]);
    expect(onError.mock.calls).toEqual(
      calls.map(({ request }, index) => [expect.objectContaining({ code: codes[index] }), request]),
    );
    expect(log).not.toHaveBeenCalled();
  });

  test('receives a problem without the client secret if the service rejects the application', async () => {
    const onError = vi.fn();
    service.rejectsApplication = true;
    const { response } = await send({ onError });
    expect(response.status).toBe(500);
    const [[problem]] = onError.mock.calls as [[Error]];
    expect(problem.message).toContain('clientSecret');
    expect(JSON.stringify([problem, problem.message, problem.cause])).not.toContain(clientSecret);
  });

  test('is not called for responses of the service, which are forwarded', async () => {
    const onError = vi.fn();
    service.respond = (_request, response) => response.writeHead(404).end('{}');
    const { response } = await send({ onError }, `/connectors/${id}`, { method: 'GET' });
    expect([response.status, onError.mock.calls.length]).toEqual([404, 0]);
  });

  test('is not called if the browser disconnected', async () => {
    const onError = vi.fn();
    const resolveCustomer = () => Promise.reject(new Error('too late'));
    await send({ onError, resolveCustomer }, '/widget-token', { signal: AbortSignal.abort() });
    expect(onError).not.toHaveBeenCalled();
  });
});

test('an error of another service in resolveCustomer is not taken for a sign-out', async () => {
  const onError = vi.fn();
  const failure = new ConnectorAuthError('token_expired', 'The token of the user service expired');
  const { response } = await send({ onError, resolveCustomer: () => Promise.reject(failure) });
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain(failure.message);
  expect(onError.mock.calls[0]?.[0]).toMatchObject({
    message: expect.stringContaining('A function in the options'),
    cause: failure,
  });
});

test('without onError, problems with status 500 or more are logged in one line', async () => {
  service.rejectsApplication = true;
  await send({});
  expect(log.mock.calls).toEqual([
    [expect.stringMatching(/^connectorAuth\(\): .* clientSecret .* \(backend_misconfigured\)$/)],
  ]);
});

test('without onError, errors of the app are logged and those of the page are not', async () => {
  const failure = new Error('session store is down');
  await send({ resolveCustomer: () => null });
  expect(log).not.toHaveBeenCalled();
  const { response } = await send({ resolveCustomer: () => Promise.reject(failure) });
  expect(response.status).toBe(500);
  expect(log.mock.calls).toEqual([[failure]]);
});

test.each([
  ['throws', () => fail()],
  ['rejects', () => Promise.reject(new Error('hook failed'))],
])('a hook that %s changes no response and is logged', async (_how, hook) => {
  expect((await send({ onToken: hook })).response.status).toBe(200);
  expect((await send({ onError: hook, resolveCustomer: () => null })).response.status).toBe(401);
  await vi.waitFor(
    () => expect(log.mock.calls).toEqual([[new Error('hook failed')], [new Error('hook failed')]]),
    { timeout: 30_000 },
  );
});

function fail(): never {
  throw new Error('hook failed');
}
