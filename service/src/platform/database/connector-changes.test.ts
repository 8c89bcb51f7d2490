import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { makeDatabase, onPostgresOrEachEngineInFull, openTestDatabase } from '../../../test/engines.ts';
import { addConnector } from '../../../test/record-fixtures.ts';
import { until } from '../../../test/until.ts';
import { silentLog } from '../log/log.ts';
import { openNotifications } from '../notifications/notifications.ts';
import { type Database } from './database.ts';

function reportsOf({ connectorChanges }: Database): (string | null)[] {
  const reported: (string | null)[] = [];
  connectorChanges.listen(id => reported.push(id));
  return reported;
}

onPostgresOrEachEngineInFull('changes of connectors by this process', database => {
  test('are reported after the commit and before the change returns', async () => {
    const { kysely } = database();
    const one = await addConnector(kysely, 'granola');
    const two = await addConnector(kysely, 'granola');
    const reported = reportsOf(database());
    const change = sql`update connectors set name = name || '!' where id in (${one.id}, ${two.id})`;
    await kysely.transaction().execute(async transaction => {
      await change.execute(transaction);
      expect(reported).toEqual([]);
    });
    expect(new Set(reported)).toEqual(new Set([one.id, two.id]));
    await sql`delete from connectors where id = ${one.id}`.execute(kysely);
    expect(reported.slice(2)).toEqual([one.id]);
  });

  test('are reported as one if a statement changes more than 100', async () => {
    const { kysely } = database();
    const { organizationId } = await addConnector(kysely, 'granola');
    await sql`
      insert into connectors (organization_id, id, customer_id, kind, name, auth_method, credentials)
      select organization_id, gen_random_uuid(), customer_id, kind, name, auth_method, credentials
      from connectors, generate_series(1, 100) where organization_id = ${organizationId}`.execute(kysely);
    const reported = reportsOf(database());
    await sql`update connectors set name = 'New' where organization_id = ${organizationId}`.execute(kysely);
    expect(reported).toEqual([null]);
  });

  test('are not reported if nothing changed', async () => {
    const reported = reportsOf(database());
    await sql`update connectors set name = 'New' where false`.execute(database().kysely);
    expect(reported).toEqual([]);
  });
});

test('changes of connectors by other processes are reported by the one connection that listens', async () => {
  const { location, remove } = await makeDatabase('postgres');
  onTestFinished(remove);
  if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL');
  const database = await openTestDatabase(location);
  onTestFinished(() => database.close());
  const reported = reportsOf(database);
  const { id } = await addConnector(database.kysely, 'granola');
  const notifications = openNotifications(database, location.databaseUrl, silentLog);
  onTestFinished(() => notifications.close());
  // The connection may have missed earlier changes.
  await until(() => expect(reported).toEqual([null]));
  const other = new Client({ connectionString: location.databaseUrl });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('update connectors set name = $1', ['New']);
  await until(() => expect(reported).toEqual([null, id]));
  const { rows } = await sql`select pg_listening_channels()`.execute(database.kysely);
  expect(rows).toEqual([]);
});
