import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  copyDatabase,
  enginesInFull,
  makeDatabase,
  type TestDatabase,
  openTestDatabase,
} from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { firstKind } from '../../../test/second-kind.ts';
import {
  keyRing,
  startTestService,
  type ServiceOptions,
  type TestService,
} from '../../../test/test-service.ts';
import type { BootstrapConfiguration } from '../../platform/config/configuration.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import { type Database } from '../../platform/database/database.ts';

/**
 * Restores a backup from before an operator deleted a customer and replaced a client secret. `docs/security.md`
 * documents what it revives.
 */

const connectors = '/api/v1/integrations/connectors';
const before: BootstrapConfiguration = {
  organizations: ['Acme'],
  clientId: 'app',
  clientSecret: new Secret('first secret'),
  redirectUrls: [],
};
const after: BootstrapConfiguration = { ...before, clientSecret: new Secret('second secret') };

describe.each(enginesInFull)('a restored backup on %s', engine => {
  let live: TestDatabase;
  let backup: TestDatabase;
  let restored: TestDatabase;
  let database: Database | null = null;
  let service: TestService | null = null;
  let scoped: string;

  const start = async (at: TestDatabase, options: ServiceOptions = {}): Promise<TestService> => {
    database = await openTestDatabase(at.location);
    service = await startTestService(database, { kinds: [firstKind], ...options });
    return service;
  };
  const stop = async (): Promise<void> => {
    await service?.close();
    await database?.close();
    [service, database] = [null, null];
  };
  const requestToken = async (from: TestService, client_secret: string) =>
    from.ask('POST', '/api/v1/account/applications/token', { body: { client_id: 'app', client_secret } });
  const list = (from: TestService, token: string) => from.ask('GET', connectors, { token });

  beforeAll(async () => {
    live = await makeDatabase(engine);
    let running = await start(live);
    await running.bootstrap(before);
    const token = String((await requestToken(running, 'first secret')).body.access_token);
    const body = {
      customer_name: 'leaving',
      connector_type: firstKind.key,
      name: 'Notes',
      credentials: { api_key: goodKey },
    };
    expect((await running.ask('POST', connectors, { token, body })).status).toBe(201);
    scoped = await running.customerToken(token, { customer_name: 'leaving' });
    await stop();
    backup = await copyDatabase(live);

    running = await start(live);
    expect((await running.ask('DELETE', '/api/v1/customers/leaving', { token })).status).toBe(204);
    expect((await list(running, scoped)).status).toBe(401);
    await running.bootstrap(after);
    expect((await requestToken(running, 'first secret')).status).toBe(401);
    await stop();
  });
  beforeEach(async () => {
    restored = await copyDatabase(backup);
    return async () => {
      await stop();
      await restored.remove();
    };
  });
  afterAll(async () => {
    await live.remove();
    await backup.remove();
  });

  test('revives a customer that was deleted after the backup, with its connectors and its tokens', async () => {
    const running = await start(restored);
    const response = await list(running, scoped);
    expect(response.status).toBe(200);
    expect(response.body.data).toHaveLength(1);
  });

  test('revives no token that was issued more than 20 minutes ago', async () => {
    const running = await start(restored);
    running.advance(20 * 60_000);
    expect((await list(running, scoped)).body.code).toBe('token_expired');
  });

  test('revives no token if the signing keys were replaced', async () => {
    const running = await start(restored, { signingKeys: keyRing('replaced', 3) });
    expect((await list(running, scoped)).body.code).toBe('token_invalid');
  });

  test('revives neither a replaced client secret nor its tokens if the variables have the new one', async () => {
    const running = await start(restored);
    const revived = await requestToken(running, 'first secret');
    expect(revived.status).toBe(200);
    await running.bootstrap(after);
    expect((await requestToken(running, 'first secret')).status).toBe(401);
    for (const token of [scoped, String(revived.body.access_token)])
      expect((await list(running, token)).body.code).toBe('token_invalid');
    expect((await requestToken(running, 'second secret')).status).toBe(200);
  });
});
