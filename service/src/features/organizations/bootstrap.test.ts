import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useCheapScrypt } from '../../../test/cheap-scrypt.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import type { BootstrapConfiguration } from '../../platform/config/configuration.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import { findApplication } from '../../shared/repositories/applications.ts';

const wanted: BootstrapConfiguration = {
  organizations: ['Acme', 'Beta'],
  clientId: 'app',
  clientSecret: new Secret('first secret'),
  redirectUrls: ['https://app.example/back'],
};
const second = { clientSecret: new Secret('second secret') };

onPostgresOrEachEngineInFull('bootstrap', database => {
  useCheapScrypt();
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(database());
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await database().kysely.deleteFrom('applications').execute();
    await database().kysely.deleteFrom('organizations').execute();
    // Lets the rate limit of the token endpoint refill.
    service.advance(120_000);
  });

  const run = (changes: Partial<BootstrapConfiguration> = {}) => service.bootstrap({ ...wanted, ...changes });
  const organizationNames = async (): Promise<string[]> => {
    const application = await findApplication(database().kysely, { clientId: 'app' });
    return application?.organizations.map(({ name }) => name) ?? [];
  };
  const requestToken = (clientId: string, clientSecret: string) =>
    service.ask('POST', '/api/v1/account/applications/token', {
      body: { client_id: clientId, client_secret: clientSecret },
    });
  /** Requests a token, and returns the status and the token. */
  const tokenOf = async (secret: string, clientId = 'app'): Promise<{ status: number; token: string }> => {
    const { status, body } = await requestToken(clientId, secret);
    return { status, token: String(body.access_token) };
  };
  const organizationIdOf = async (name: string): Promise<string> => {
    const { id } = await database()
      .kysely.selectFrom('organizations')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return id;
  };
  const statusOf = async (token: string, organization = 'Acme'): Promise<number> => {
    const headers = { 'x-organization-id': await organizationIdOf(organization) };
    return (await service.ask('GET', '/api/v1/organization', { token, headers })).status;
  };

  test('creates the organizations and the application, in the configured order', async () => {
    await run();
    expect(await organizationNames()).toEqual(['Acme', 'Beta']);
    const application = await findApplication(database().kysely, { clientId: 'app' });
    expect(application?.redirectUrls).toEqual(['https://app.example/back']);
    expect(JSON.stringify(application)).not.toContain('first secret');
  });

  test("sets the helper's URL of the organizations, and leaves it unchanged without the variable", async () => {
    const helperUrl = async () => {
      const { token } = await tokenOf('first secret');
      const headers = { 'x-organization-id': await organizationIdOf('Beta') };
      return (await service.ask('GET', '/api/v1/organization', { token, headers })).body.connect_helper_url;
    };
    await run({ helperUrl: 'https://app.example/connector-auth' });
    expect(await helperUrl()).toBe('https://app.example/connector-auth');
    await run();
    expect(await helperUrl()).toBe('https://app.example/connector-auth');
  });

  test('changes nothing when run again with the same configuration', async () => {
    await run();
    const { token } = await tokenOf('first secret');
    const rows = () => database().kysely.selectFrom('applications').selectAll().execute();
    const [before, ids] = [await rows(), await organizationNames()];
    await run();
    expect(await rows()).toEqual(before);
    expect(await organizationNames()).toEqual(ids);
    expect(await statusOf(token)).toBe(200);
  });

  test('applies a changed configuration to existing organizations and applications', async () => {
    await run();
    await run({ ...second, organizations: ['Gamma', 'Acme'], redirectUrls: [] });
    expect(await organizationNames()).toEqual(['Gamma', 'Acme']);
    const names = await database()
      .kysely.selectFrom('organizations')
      .select('name')
      .orderBy('name')
      .execute();
    expect(names.map(({ name }) => name)).toEqual(['Acme', 'Beta', 'Gamma']);
  });

  test('bootstraps safely in several processes at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => run()));
    expect(await organizationNames()).toEqual(['Acme', 'Beta']);
    const application = await findApplication(database().kysely, { clientId: 'app' });
    expect(application?.secrets).toHaveLength(1);
  });

  test('rejects the old secret and its tokens after the secret was changed', async () => {
    await run();
    const old = await tokenOf('first secret');
    const headers = { 'x-organization-id': await organizationIdOf('Acme') };
    const scoped = await service.customerToken(old.token, { customer_name: 'acme' }, headers);
    expect(await statusOf(old.token)).toBe(200);
    await run(second);
    expect((await tokenOf('first secret')).status).toBe(401);
    expect(await statusOf(old.token)).toBe(401);
    const list = await service.ask('GET', '/api/v1/integrations/connectors', { token: scoped });
    expect(list.body.code).toBe('token_invalid');
    // A token of the new secret works, even within the same second.
    expect(await statusOf((await tokenOf('second secret')).token)).toBe(200);
  });

  test('rejects the old client id and its tokens after the client id was changed, until it is restored', async () => {
    await run();
    const old = await tokenOf('first secret');
    await run({ ...second, clientId: 'renamed' });
    expect((await tokenOf('first secret')).status).toBe(401);
    expect(await statusOf(old.token)).toBe(401);
    const renamed = await tokenOf('second secret', 'renamed');
    expect(await statusOf(renamed.token)).toBe(200);
    await run();
    expect(await statusOf(renamed.token)).toBe(401);
    expect((await tokenOf('second secret', 'renamed')).status).toBe(401);
    expect(await statusOf(old.token)).toBe(401);
    expect(await statusOf((await tokenOf('first secret')).token)).toBe(200);
  });

  test('rejects the client id and its tokens after the variables were removed', async () => {
    await run();
    const old = await tokenOf('first secret');
    await service.bootstrap(null);
    expect((await tokenOf('first secret')).status).toBe(401);
    expect(await statusOf(old.token)).toBe(401);
    expect(service.logged()).toMatch(
      /"by":"environment".*"changes":\["disabled"\],"event":"application_changed"/,
    );
  });

  test('ends the tokens of an application only for the organization that was removed from it', async () => {
    await run();
    const old = await tokenOf('first secret');
    expect(await statusOf(old.token, 'Beta')).toBe(200);
    await run({ organizations: ['Acme'] });
    expect(await statusOf(old.token, 'Beta')).toBe(401);
    expect(await statusOf(old.token, 'Acme')).toBe(200);
    const minted = await service.ask('POST', '/api/v1/account/applications/scoped-token', {
      token: old.token,
      body: { customer_name: 'acme' },
      headers: { 'x-organization-id': await organizationIdOf('Beta') },
    });
    expect(minted.status).toBe(401);
  });

  test('ignores the variables after an operator has taken over the application', async () => {
    await run();
    const application = await findApplication(database().kysely, { clientId: 'app' });
    const path = `/api/v1/admin/applications/${application?.id}/adopt`;
    expect((await service.ask('POST', path, { token: adminToken })).status).toBe(200);
    await run(second);
    expect((await tokenOf('second secret')).status).toBe(401);
    await service.bootstrap(null);
    expect((await tokenOf('first secret')).status).toBe(200);
    expect(service.logged()).toContain('bootstrap_ignored');
  });
});
