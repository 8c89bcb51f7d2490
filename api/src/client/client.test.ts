import { inspect } from 'node:util';
import { Agent } from 'undici';
import { describe, expect, test } from 'vitest';
import { empty, id, list, problem, serve } from '../../test/client-of.ts';
import { application, organizationId } from '../../test/scripted-service.ts';
import { TestClock } from '../../test/test-clock.ts';
import { createClient, createCustomerClient } from './client.ts';

describe('customer client', () => {
  const scoped = (count: number) => ({
    json: { token: `scoped-${count}`, token_type: 'bearer', expires_in: 1200, customer_name: 'acme' },
  });

  test('mints a scoped token once and renews it after a 401', async () => {
    let minted = 0;
    const service = await serve(({ path, headers }) => {
      if (path.endsWith('/scoped-token')) return scoped((minted += 1));
      return headers.authorization === 'Bearer scoped-1' ? problem('token_expired') : empty;
    });
    const acme = createClient({ ...application, baseUrl: service.baseUrl }).forCustomer('acme', {
      allowed_actions: ['list', 'get'],
      allowed_sources: ['granola'],
    });
    await Promise.all(Array.from({ length: 20 }, () => acme.execute(id, list)));
    expect(minted).toBe(2);
    const [mint] = service.requests;
    expect(mint?.headers.authorization).toBe('Bearer app-1');
    expect(JSON.parse(mint?.body ?? '')).toEqual({
      customer_name: 'acme',
      allowed_actions: ['list', 'get'],
      allowed_sources: ['granola'],
    });
    expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer scoped-2');
  });

  test('a client with a fixed token fails with the service’s 401 when the token has expired', async () => {
    const service = await serve(() => problem('token_expired'));
    const acme = createCustomerClient({ baseUrl: service.baseUrl, token: 'scoped-1' });
    await expect(acme.execute(id, list)).rejects.toMatchObject({ code: 'token_expired' });
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer scoped-1']);
    expect(service.tokenRequests).toHaveLength(0);
  });
});

test('sends the organization and user agent, keeps the path prefix of the base URL and uses the dispatcher', async () => {
  const dispatched: string[] = [];
  const dispatcher = new Agent().compose(dispatch => (options, handler) => {
    dispatched.push(options.path);
    return dispatch(options, handler);
  });
  const service = await serve(() => empty);
  const client = createCustomerClient({
    baseUrl: `${service.baseUrl}/connectors/`,
    token: 'scoped-1',
    organizationId,
    userAgent: 'acme-crm/7',
    dispatcher,
  });
  await client.execute(id, list);
  const path = `/connectors/api/v1/integrations/connectors/${id}/execute`;
  expect(service.requests[0]).toMatchObject({
    path,
    headers: { 'x-organization-id': organizationId, 'user-agent': 'acme-crm/7 connector-auth-client' },
  });
  expect(dispatched).toEqual([path]);
  await dispatcher.close();
});

test('does not expose secrets in the client or its errors', async () => {
  const service = await serve(() => 'drop');
  const client = createClient({ ...application, baseUrl: service.baseUrl, clock: new TestClock(9_000) });
  const error = await client.execute(id, list).catch((reason: unknown) => reason);
  const seen = inspect({ client, error }, { depth: null, showHidden: true });
  expect(seen).not.toContain(application.clientSecret);
  expect(seen).not.toContain('app-1');
});
