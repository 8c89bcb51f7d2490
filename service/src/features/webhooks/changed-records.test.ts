import { eventSchema, type EventOf, type WebhookDelivery } from '@connector-auth/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { storeRecords } from '../../../test/synced-records.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { Horizon } from '../../shared/records/horizon.ts';
import { RecordTables } from '../../shared/records/record-table.ts';
import { advanceHorizon } from '../../shared/repositories/record-changes.ts';
import { reportChangedRecords } from './changed-records.ts';

const tables = new RecordTables([firstKind]);
const [table] = tables.all;
if (table === undefined) throw new Error('The kind has no table');
const connectors = '/api/v1/integrations/connectors';

type ChangedRecords = EventOf<'records.changed'>;

onPostgresOrEachEngineInFull('records.changed', (database, engine) => {
  let service: TestService;
  let token: string;
  let organizationId: string;
  let webhookId: string;
  let count = 0;
  const db = () => database().kysely;

  beforeAll(async () => {
    await ensureRecordTables(db(), tables);
    service = await startTestService(database(), { kinds: [firstKind] });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const name = `organization ${(count += 1)}`;
    const application = await service.addApplication(name, [name]);
    [organizationId = ''] = application.organizationIds;
    token = await service.tokenOf(application);
    webhookId = await listen(['records.changed']);
  });

  const listen = async (events: readonly string[] | null): Promise<string> => {
    const body = { url: 'https://app.example.com/events', events };
    return (await service.ask('POST', '/api/v1/webhooks', { token, body })).body.id;
  };
  const connect = async (customer_name = 'acme'): Promise<string> => {
    const credentials = { api_key: goodKey };
    const body = { customer_name, connector_type: firstKind.key, name: 'Notes', credentials };
    return (await service.ask('POST', connectors, { token, body })).body.id;
  };
  const disconnect = (id: string) => service.ask('DELETE', `${connectors}/${id}`, { token });
  const store = (id: string, ...ids: readonly string[]) =>
    storeRecords(
      db(),
      table,
      { organizationId, id },
      ids.map(key => ({ id: key, title: key })),
    );
  /** Reports once, as a process does. */
  const report = () => reportChangedRecords(db(), new Horizon(db()));
  /** Waits until readers can read all changes: transactions of other tests on the same server hold them back. */
  const settle = () =>
    until(async () => {
      const { horizon } = await advanceHorizon(db());
      const { rows } = await sql`
        select from record_changes
        where organization_id = ${organizationId} and xid >= ${String(horizon)}::xid8`.execute(db());
      expect(rows).toEqual([]);
    });
  const reportAll = async () => {
    await settle();
    await report();
  };
  const setReported = (ago: string) =>
    sql`update reported_changes set reported_at = now() - ${ago}::interval
      where reported_at > now() - interval '1 hour'`.execute(db());
  const pass = () => setReported('10 seconds');
  const events = async (id = webhookId): Promise<readonly ChangedRecords[]> => {
    const { body } = await service.ask('GET', `/api/v1/webhooks/${id}/deliveries`, { token });
    const deliveries: readonly WebhookDelivery[] = body.data;
    return deliveries.toReversed().map(({ type, body }) => {
      expect(eventSchema(type).parse(body)).toEqual(body);
      // The schema has just accepted it, and the webhook receives nothing else.
      return body as unknown as ChangedRecords;
    });
  };
  /** Returns what a reader finds from the cursor of an event. */
  const found = async (event: ChangedRecords | undefined) => {
    const path = `/api/v1/integrations/changes?cursor=${event?.data.cursor}`;
    const { body, text } = await service.ask('GET', path, { token });
    expect(body.changes, text).toBeDefined();
    const changes: readonly { operation: string; id: string | null }[] = body.changes;
    return changes.map(({ operation, id }) => `${operation} ${id}`);
  };

  test('is sent for changes of a connector, which a reader finds from its cursor on', async () => {
    const [id, other] = [await connect(), await connect('beta')];
    await store(id, 'n1', 'n2');
    await store(other, 'm1');
    await reportAll();
    const [first, second, ...more] = (await events()).toSorted((a, b) =>
      a.data.connector_id === id ? -1 : b.data.connector_id === id ? 1 : 0,
    );
    expect(more).toEqual([]);
    expect(first?.data).toEqual({
      organization_id: organizationId,
      connector_id: id,
      customer_name: 'acme',
      connector_type: firstKind.key,
      cursor: expect.any(String),
    });
    expect(await found(first)).toEqual(['upsert n1', 'upsert n2', 'upsert m1']);
    expect(second?.data).toMatchObject({ connector_id: other, customer_name: 'beta' });
    expect(await found(second)).toEqual(['upsert m1']);
  });

  test('is sent at most once in 10 s however many processes report, and once more for what changed since', async () => {
    const id = await connect();
    await store(id, 'n1');
    await reportAll();
    // However long the next steps take, the 10 seconds are not over.
    await setReported('-1 hour');
    for (const key of ['n2', 'n3']) {
      await store(id, key);
      await Promise.all(Array.from({ length: 4 }, report));
    }
    expect(await events()).toHaveLength(1);
    await pass();
    await settle();
    await Promise.all(Array.from({ length: 4 }, report));
    await pass();
    await reportAll();
    const [, last, ...more] = await events();
    expect(more).toEqual([]);
    expect(await found(last)).toEqual(['upsert n2', 'upsert n3']);
  });

  test('is not written for an organization without a webhook that receives it', async () => {
    await service.ask('PATCH', `/api/v1/webhooks/${webhookId}`, {
      token,
      body: { events: ['connector.connected'] },
    });
    const id = await connect();
    await store(id, 'n1');
    await report();
    const stored = await db()
      .selectFrom('webhook_events')
      .select('type')
      .where('organization_id', '=', organizationId)
      .where('type', '=', 'records.changed')
      .execute();
    expect(stored).toEqual([]);
    // What readers could read before a webhook received the event is not reported to it.
    await settle();
    const late = await listen(['records.changed']);
    await store(id, 'n2');
    await reportAll();
    const [event, ...more] = await events(late);
    expect(more).toEqual([]);
    expect(await found(event)).toEqual(['upsert n2']);
  });

  test('is sent for a connector that can be searched again, and for a disconnected one', async () => {
    const id = await connect();
    const other = await connect('beta');
    const set = (value: string) =>
      sql`update connectors set disabled_at = ${sql.raw(value)} where id = ${id}`.execute(db());
    await store(id, 'n1');
    await set('now()');
    await report();
    expect(await events()).toEqual([]);
    await set('null');
    await pass();
    await reportAll();
    expect(await found((await events()).at(-1))).toEqual(['upsert n1']);
    await disconnect(id);
    await service.ask('DELETE', '/api/v1/customers/beta', { token });
    await pass();
    await reportAll();
    const ofDisconnected = (await events()).slice(1);
    expect(ofDisconnected.map(({ data }) => [data.connector_id, data.customer_name])).toEqual(
      expect.arrayContaining([
        [id, 'acme'],
        [other, null],
      ]),
    );
    expect(await found(ofDisconnected[0])).toContain('disconnect null');
  });

  test.each([
    ['the changes were deleted', sql`deleted_before = now() + interval '2 hours'`],
    ['the database was restored', sql`epoch = gen_random_uuid()`],
  ])('says that its cursor has expired once %s', async (_when, change) => {
    await store(await connect(), 'n1');
    await reportAll();
    const [before] = await events();
    expect(await found(before)).toEqual(['upsert n1']);
    await sql`update change_feed set ${change}`.execute(db());
    const [after] = await events();
    expect(after).toEqual({ ...before, data: { ...before?.data, cursor: null } });
    await sql`update change_feed set deleted_before = '-infinity'`.execute(db());
  });

  describe.runIf(engine === 'postgres')('with an older transaction that has not ended', () => {
    test('waits until readers can read the changes', async () => {
      const id = await connect();
      const older = await db().startTransaction().execute();
      await sql`select pg_current_xact_id()`.execute(older);
      await store(id, 'n1');
      await report();
      expect(await events()).toEqual([]);
      await older.commit().execute();
      await reportAll();
      expect(await found((await events())[0])).toEqual(['upsert n1']);
    });
  });
});
