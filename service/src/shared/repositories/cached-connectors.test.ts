import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { useLinkHarness } from '../../../test/link-harness.ts';
import { until } from '../../../test/until.ts';
import type { Tenant } from '../auth/caller.ts';
import { CachedConnectors } from './cached-connectors.ts';
import type { StoredConnector } from './connectors.ts';

onPostgresOrEachEngineInFull('connectors in memory', database => {
  const harness = useLinkHarness(database);
  let cached: CachedConnectors;
  let tenant: Tenant;
  let id: string;
  const find = async (): Promise<StoredConnector | null> => cached.find(tenant, id);
  /** Expects that the row stays in memory. Repeats the act if it took longer than rows stay. */
  const expectKept = (act: () => Promise<unknown>): Promise<void> =>
    until(async () => {
      const found = await find();
      await act();
      expect(await find()).toBe(found);
    });

  beforeEach(async () => {
    const { body } = await harness.connect({ token: harness.consent.token }, { customer_name: 'acme' });
    ({ id } = body);
    const row = await database()
      .kysely.selectFrom('connectors')
      .select('organization_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    tenant = { organizationId: row.organization_id, customerId: null };
    cached = new CachedConnectors(database().kysely, database().connectorChanges, 2);
  });

  test('are the same object until they change', async () => {
    expect(await find()).toMatchObject({ id });
    await expectKept(find);
    await sql`update connectors set name = 'New' where id = ${id}`.execute(database().kysely);
    expect(await find()).toMatchObject({ id, name: 'New' });
  });

  test('stay when others ask for connectors that do not exist', async () => {
    await expectKept(async () => {
      for (let asked = 0; asked < 3; asked++) expect(await cached.find(tenant, randomUUID())).toBeNull();
    });
  });

  test('are read once for requests at the same time, and again if they change meanwhile', async () => {
    const [first, second] = await Promise.all([find(), find()]);
    expect(second).toBe(first);
    const reading = new CachedConnectors(database().kysely, database().connectorChanges);
    const early = reading.find(tenant, id);
    await sql`update connectors set name = 'New' where id = ${id}`.execute(database().kysely);
    await early;
    expect(await reading.find(tenant, id)).toMatchObject({ name: 'New' });
  });

  test('stay when a link changes that is not for them', async () => {
    await expectKept(async () => harness.openConfirmed(await harness.create()));
  });

  test('are read again when a link for them changes', async () => {
    const link = await harness.create({ connector_type: undefined, connector_id: id });
    const found = await find();
    await harness.ask('DELETE', `/${link.id}`);
    const reread = await find();
    expect(reread).not.toBe(found);
    expect(reread).toEqual(found);
  });
});
