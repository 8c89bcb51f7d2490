import { beforeEach, expect, test } from 'vitest';
import { onEachEngine } from '../../test/engines.ts';
import { createSecretVerifier } from '../auth/client-secret.ts';
import { silentLog } from '../log/log.ts';
import { findApplication } from '../repositories/applications.ts';
import { bootstrap, type Bootstrap } from './bootstrap.ts';

const wanted: Bootstrap = {
  organizations: ['Acme', 'Beta'],
  clientId: 'app',
  clientSecret: 'first secret',
  redirectUrls: ['https://app.example/back'],
};

onEachEngine('bootstrap', database => {
  beforeEach(async () => {
    await database().kysely.deleteFrom('applications').execute();
    await database().kysely.deleteFrom('organizations').execute();
  });

  const run = (changes: Partial<Bootstrap> = {}) =>
    bootstrap(database().kysely, { ...wanted, ...changes }, silentLog);
  const organizationNames = async (): Promise<string[]> => {
    const ids = (await findApplication(database().kysely, 'app'))?.organizationIds ?? [];
    const rows = await database().kysely.selectFrom('organizations').select(['id', 'name']).execute();
    return ids.map(id => rows.find(row => row.id === id)?.name ?? 'missing');
  };

  test('creates the organizations and the application, in the configured order', async () => {
    await run();
    expect(await organizationNames()).toEqual(['Acme', 'Beta']);
    const [row] = await database().kysely.selectFrom('applications').selectAll().execute();
    expect(row?.redirect_urls).toEqual(['https://app.example/back']);
    expect(JSON.stringify(row)).not.toContain('first secret');
  });

  test('changes nothing when run again with the same configuration', async () => {
    await run();
    const rows = () => database().kysely.selectFrom('applications').selectAll().execute();
    const [before, ids] = [await rows(), await organizationNames()];
    await run();
    expect(await rows()).toEqual(before);
    expect(await organizationNames()).toEqual(ids);
  });

  test('applies a changed configuration to existing organizations and applications', async () => {
    await run();
    await run({ clientSecret: 'second secret', organizations: ['Gamma', 'Acme'], redirectUrls: [] });
    expect(await organizationNames()).toEqual(['Gamma', 'Acme']);
    const application = await findApplication(database().kysely, 'app');
    const verifier = createSecretVerifier();
    expect(await verifier.matches('second secret', application?.secretHash ?? null)).toBe(true);
    expect(await verifier.matches('first secret', application?.secretHash ?? null)).toBe(false);
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
  });
});
