import { randomUUID } from 'node:crypto';
import type { ActivityEntry, AuditAction } from '@connector-auth/api';
import type { AuditEntry } from '@connector-auth/api/admin';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDatabase, onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { entryOfService } from '../../platform/audit-log/entry.ts';
import { deleteOldEntries, deleteOldUses, insertBatch } from '../../platform/audit-log/store.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { silentLog } from '../../platform/log/log.ts';
import { startAuditRetention } from './retention.ts';

const connectors = '/api/v1/integrations/connectors';
const list = { entity: 'notes', action: 'list', params: { page_size: 1 } };

onPostgresOrEachEngineInFull('what the audit log guarantees', (database, engine) => {
  let service: TestService;
  let token: string;
  let otherToken: string;
  beforeAll(async () => {
    service = await startTestService(database());
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
    otherToken = await service.tokenOf(await service.addApplication('other', ['Other']));
  });
  afterAll(() => service.close());

  const connect = async (customer_name = 'acme'): Promise<string> => {
    const body = {
      customer_name,
      connector_type: firstKind.key,
      name: 'Notes',
      credentials: { api_key: goodKey },
    };
    return (await service.ask('POST', connectors, { token, body })).body.id;
  };
  const readAudit = async (query: Readonly<Record<string, string>>): Promise<AuditEntry[]> => {
    const path = `/api/v1/admin/audit?${new URLSearchParams(query).toString()}`;
    return (await service.ask('GET', path, { token: adminToken })).body.data;
  };
  const write = (name: string, count = 1) => {
    // The log does not look at the name.
    const action = name as AuditAction;
    const entry = entryOfService('service', {}, { action, entity: null, outcome: 'ok', records: null });
    const entries = Array.from({ length: count }, () => ({ entry, recordedAt: performance.now() }));
    return { id: randomUUID(), entries };
  };
  const count = async (action: string): Promise<number> => {
    const { rows } = await sql`select id from audit_entries where action = ${action}`.execute(
      database().kysely,
    );
    return rows.length;
  };

  describe('the activity of a connector', () => {
    const readActivity = async (id: string, as: string, query = ''): Promise<ActivityEntry[]> => {
      const response = await service.ask('GET', `${connectors}/${id}/activity${query}`, { token: as });
      expect(response.status, response.text).toBe(200);
      return response.body.data;
    };

    test('shows its customer who did what, but no address, key, name or token', async () => {
      const id = await connect();
      const customer = await service.customerToken(token, { customer_name: 'acme' });
      await service.ask('POST', `${connectors}/${id}/execute`, { token: customer, body: list });
      await service.ask('POST', `${connectors}/${id}/check`, { token });
      const path = `/api/v1/admin/connectors/${id}`;
      await service.ask('POST', `${path}/disable`, { token: adminToken });
      await service.ask('POST', `${connectors}/${id}/execute`, { token, body: list });
      const entries = await until(async () => {
        const found = await readActivity(id, customer);
        expect(found).toHaveLength(5);
        return found;
      });
      const common = {
        id: expect.any(String),
        at: expect.any(String),
        entity: null,
        outcome: 'ok',
        records: null,
      };
      expect(entries).toEqual([
        { ...common, actor: 'integrator', action: 'list', outcome: 'connector_disabled' },
        { ...common, actor: 'operator', action: 'connector.disabled' },
        { ...common, actor: 'integrator', action: 'check' },
        { ...common, actor: 'customer', action: 'list', entity: 'notes', records: 1 },
        { ...common, actor: 'integrator', action: 'connector.created' },
      ]);
    });

    test('is paged', async () => {
      const id = await connect();
      await service.ask('POST', `${connectors}/${id}/check`, { token });
      await until(async () => expect(await readActivity(id, token)).toHaveLength(2));
      const first = await service.ask('GET', `${connectors}/${id}/activity?limit=1`, { token });
      expect(first.body.meta.has_more).toBe(true);
      const second = await readActivity(id, token, `?limit=1&cursor=${first.body.meta.cursor}`);
      expect([...first.body.data, ...second]).toMatchObject([
        { action: 'check' },
        { action: 'connector.created' },
      ]);
    });

    test('does not contain the attempts of other customers and organizations', async () => {
      const id = await connect();
      const stranger = await service.customerToken(token, {
        customer_name: 'beta',
        allowed_actions: ['get'],
      });
      for (const as of [stranger, otherToken]) {
        const attempt = await service.ask('POST', `${connectors}/${id}/execute`, { token: as, body: list });
        expect([403, 404]).toContain(attempt.status);
      }
      const attempts = await until(async () => {
        const found = (await readAudit({ outcome: 'error' })).filter(({ target_id }) => target_id === id);
        expect(found).toHaveLength(2);
        return found;
      });
      // Otherwise, they would slow down its activity.
      expect(attempts).toMatchObject([{ connector_id: null }, { connector_id: null }]);
      expect(await readActivity(id, token)).toMatchObject([{ action: 'connector.created' }]);
    });

    test('is not found for other customers and organizations', async () => {
      const id = await connect();
      const stranger = await service.customerToken(token, { customer_name: 'beta' });
      for (const as of [stranger, otherToken]) {
        const response = await service.ask('GET', `${connectors}/${id}/activity`, { token: as });
        expect(response.status).toBe(404);
        expect(response.body.code).toBe('connector_not_found');
      }
    });
  });

  test('a customer leaves 60 rejections per minute, but every use of a credential', async () => {
    const limited = await startTestService(database());
    limited.stopClock();
    const id = await connect();
    const [acme, beta] = await Promise.all([
      limited.customerToken(token, { customer_name: 'acme', allowed_actions: ['get'] }),
      limited.customerToken(token, { customer_name: 'beta', allowed_actions: ['get'] }),
    ]);
    const requestIds: string[] = [];
    const execute = async (as: string, body: object): Promise<string> => {
      const response = await limited.ask('POST', `${connectors}/${id}/execute`, { token: as, body });
      requestIds.push(response.requestId);
      return response.body.code;
    };
    for (let index = 0; index < 62; index++) expect(await execute(acme, list)).toBe('action_not_allowed');
    expect(await execute(beta, list)).toBe('action_not_allowed');
    const get = { entity: 'notes', action: 'get', params: { note_id: 'not_aaaaaaaaaaaaaa' } };
    expect(await execute(acme, get)).toBe('record_not_found');
    const metrics = await limited.ask('GET', '/metrics');
    expect(metrics.text).toContain('connector_auth_audit_omitted_rejections_total 2');
    await limited.close();
    const { rows } = await sql<{ entry: string }>`
      select concat_ws(' ', customer_name, outcome, count(*)) as entry from audit_entries
      where request_id = any(${requestIds}) group by customer_name, outcome order by 1`.execute(
      database().kysely,
    );
    expect(rows.map(({ entry }) => entry)).toEqual([
      'acme action_not_allowed 60',
      'acme record_not_found 1',
      'beta action_not_allowed 1',
    ]);
  });

  test('a time slice of a sync leaves one entry with the number of records', async () => {
    const id = await connect('synced');
    const ends: string[] = [];
    const worker = await service.startSync({
      onSliceEnd: ({ connectorId }, end) => void (connectorId === id && ends.push(end)),
    });
    await until(() => expect(ends).toContain('finished'));
    await worker.close();
    const entries = await until(async () => {
      const found = (await readAudit({ connector_id: id })).filter(({ action }) => action === 'sync');
      expect(found).toHaveLength(ends.length);
      return found;
    });
    const { rows } = await sql<{ records: number }>`
      select records from synced_entities where connector_id = ${id}`.execute(database().kysely);
    expect(entries[0]).toMatchObject({
      actor: { type: 'sync', id: null, name: null, token_id: null },
      customer_name: 'synced',
      connector_type: firstKind.key,
      entity: 'notes',
      outcome: 'ok',
      request_id: null,
      address: null,
    });
    expect(entries[0]?.records).toBeGreaterThan(0);
    expect(entries.reduce((sum, { records }) => sum + (records ?? 0), 0)).toBe(rows[0]?.records);
  });

  describe('the table', () => {
    test.each([
      "update audit_entries set outcome = 'ok'",
      'delete from audit_entries',
      'truncate audit_entries',
      'delete from audit_entries where false',
    ])('rejects: %s', async statement => {
      const { kysely } = database();
      await insertBatch(kysely, write('kept'));
      await expect(sql.raw(statement).execute(kysely)).rejects.toThrow('audit_entries is append-only');
      expect(await count('kept')).toBeGreaterThan(0);
    });

    test('accepts a batch only once', async () => {
      const batch = write('once', 3);
      await insertBatch(database().kysely, batch);
      await insertBatch(database().kysely, batch);
      expect(await count('once')).toBe(3);
    });

    test('accepts text that PostgreSQL cannot store, without these characters', async () => {
      await insertBatch(database().kysely, write('nul \0 and half a surrogate \ud800'));
      expect(await count('nul \ufffd and half a surrogate \ufffd')).toBe(1);
    });

    test('keeps entries for as long as configured, and deletes older ones in batches', async () => {
      const { kysely } = database();
      const old = write('old', 5);
      const ageMs = 11 * 86_400_000;
      const entries = old.entries.map(entry => ({ ...entry, recordedAt: performance.now() - ageMs }));
      await insertBatch(kysely, { ...old, entries });
      await insertBatch(kysely, write('new'));
      expect(await deleteOldEntries(kysely, { days: 12, limit: 100 })).toBe(0);
      expect(await deleteOldEntries(kysely, { days: 10, limit: 2 })).toBe(2);
      expect(await count('old')).toBe(3);
      const retention = startAuditRetention(kysely, 10, silentLog);
      await until(async () => expect(await count('old')).toBe(0));
      await retention.close();
      expect(await count('new')).toBe(1);
      // The permission ended with the transactions of the job.
      await expect(sql`delete from audit_entries`.execute(kysely)).rejects.toThrow('append-only');
    });
  });

  describe('the counters of uses', () => {
    const readUses = async (kind: string) =>
      (
        await sql<{ name: string; age: number; succeeded: number; failed: number }>`
          select organizations.name, round(extract(epoch from date_trunc('hour', now()) - hour) / 3600)::int as age, succeeded, failed
          from hourly_uses join organizations on organizations.id = organization_id where kind = ${kind}
          order by name, age`.execute(database().kysely)
      ).rows;
    const use = (
      kind: string,
      organizationId: string,
      action: AuditAction,
      outcome: string,
      hoursAgo = 0,
    ) => ({
      entry: entryOfService(
        'service',
        { kind, organizationId },
        // The table stores any text.
        { action, outcome: outcome as 'ok', entity: null, records: null },
      ),
      recordedAt: performance.now() - hoursAgo * 3_600_000,
    });
    const organizationOf = async (name: string): Promise<string> => {
      const { rows } = await sql<{ id: string }>`select id from organizations where name = ${name}`.execute(
        database().kysely,
      );
      return rows[0]?.id ?? '';
    };

    test('add up calls and syncs by organization, kind and hour, once per batch', async () => {
      const [own, other] = [await organizationOf('Own'), await organizationOf('Other')];
      const { kysely } = database();
      const batch = {
        id: randomUUID(),
        entries: [
          use('counted', own, 'list', 'ok'),
          use('counted', own, 'sync', 'vendor_timeout'),
          use('counted', own, 'get', 'ok', 5),
          use('counted', other, 'list', 'reauthentication_required'),
          use('counted', other, 'list', 'vendor_rate_limited'),
          // The caller's errors, a sync that waits for its turn and what calls no vendor.
          use('counted', own, 'list', 'invalid_params'),
          use('counted', own, 'list', 'connector_disabled'),
          use('counted', own, 'sync', 'vendor_rate_limited'),
          use('counted', own, 'search', 'overloaded'),
          use('counted', own, 'connector.created', 'ok'),
          use('counted', randomUUID(), 'list', 'ok'),
        ],
      };
      await insertBatch(kysely, batch);
      await insertBatch(kysely, batch);
      await insertBatch(kysely, { id: randomUUID(), entries: [use('counted', own, 'check', 'ok')] });
      expect(await readUses('counted')).toEqual([
        { name: 'Other', age: 0, succeeded: 0, failed: 2 },
        { name: 'Own', age: 0, succeeded: 2, failed: 1 },
        { name: 'Own', age: 5, succeeded: 1, failed: 0 },
      ]);
    });

    test('are kept for 30 days, and deleted with their organization', async () => {
      const { kysely } = database();
      await sql`insert into organizations (id, name) values (${randomUUID()}, 'Gone')`.execute(kysely);
      const [own, gone] = [await organizationOf('Own'), await organizationOf('Gone')];
      await insertBatch(kysely, {
        id: randomUUID(),
        entries: [
          use('kept', own, 'list', 'ok', 31 * 24),
          use('kept', own, 'list', 'ok', 29 * 24),
          use('kept', gone, 'list', 'ok'),
        ],
      });
      await deleteOldUses(kysely);
      expect(await readUses('kept')).toMatchObject([
        { name: 'Gone', age: 0 },
        { name: 'Own', age: 29 * 24 },
      ]);
      await sql`delete from organizations where id = ${gone}`.execute(kysely);
      expect(await readUses('kept')).toMatchObject([{ name: 'Own' }]);
    });
  });

  test('writes everything when the service stops', async () => {
    const brief = await startTestService(database());
    const own = await brief.tokenOf(await brief.addApplication('brief', ['Brief']));
    const requestIds: string[] = [];
    for (let index = 0; index < 20; index++) {
      const { requestId } = await brief.ask('POST', `${connectors}/${randomUUID()}/check`, { token: own });
      requestIds.push(requestId);
    }
    await brief.close();
    const { rows } = await sql`select id from audit_entries where request_id = any(${requestIds})`.execute(
      database().kysely,
    );
    expect(rows).toHaveLength(20);
  });

  describe('while entries cannot be written', () => {
    test('rejects changes after 30 s unless they revoke something, and continues executes', async () => {
      const id = await connect();
      const customer = await service.customerToken(token, { customer_name: 'acme' });
      await until(async () => expect(await readAudit({ connector_id: id })).toHaveLength(1));
      const { kysely } = database();
      const create = () =>
        service.ask('POST', '/api/v1/admin/organizations', {
          token: adminToken,
          body: { name: randomUUID() },
        });
      await sql`alter table audit_entries rename to hidden_audit_entries`.execute(kysely);
      try {
        const started = await service.ask('POST', `${connectors}/${id}/check`, { token });
        expect(started.status).toBe(200);
        await until(() => expect(service.logged()).toContain('audit_write_failed'));
        expect((await create()).status).toBe(201);

        service.advance(30_000);
        const rejected = await create();
        expect(rejected.status).toBe(503);
        expect(rejected.body.code).toBe('audit_unavailable');
        const overview = await service.ask('GET', '/api/v1/admin/overview', { token: adminToken });
        expect(overview.body.audit).toEqual({
          is_writable: false,
          waiting_entries: expect.toSatisfy((waiting: number) => waiting >= 2),
          oldest_at: expect.any(String),
        });
        const executed = await service.ask('POST', `${connectors}/${id}/execute`, {
          token: customer,
          body: list,
        });
        expect(executed.status).toBe(200);
        const path = `/api/v1/admin/connectors/${id}`;
        expect((await service.ask('POST', `${path}/disable`, { token: adminToken })).status).toBe(200);
        expect((await service.ask('POST', `${path}/enable`, { token: adminToken })).status).toBe(503);
        expect((await service.ask('DELETE', path, { token: adminToken })).status).toBe(204);
        const metrics = await service.ask('GET', '/metrics');
        expect(metrics.text).toContain('connector_auth_audit_writable 0');
      } finally {
        await sql`alter table hidden_audit_entries rename to audit_entries`.execute(kysely);
      }
      await until(async () => expect((await create()).status).toBe(201));
      await until(async () => {
        const entries = await readAudit({ connector_id: id });
        expect(entries.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
          'connector.deleted ok',
          'connector.enabled audit_unavailable',
          'connector.disabled ok',
          'list ok',
          'check ok',
          'connector.created ok',
        ]);
      });
      const events = service.logged().match(/"event":"audit_(un)?available"/g);
      expect(events).toEqual(['"event":"audit_unavailable"', '"event":"audit_available"']);
    });
  });

  if (engine === 'postgres') {
    test('a read of the audit log ends at the time limit of searches, and says how to read less', async () => {
      const place = await makeDatabase('postgres');
      const impatient = await openDatabase(place.location, { log: silentLog, searchTimeoutMs: 100 });
      const own = await startTestService(impatient);
      try {
        const response = await impatient.kysely.transaction().execute(async transaction => {
          await sql`lock table audit_entries in access exclusive mode`.execute(transaction);
          return own.ask('GET', '/api/v1/admin/audit', { token: adminToken });
        });
        expect(response.status).toBe(503);
        expect(response.body.detail).toBe('Reading the audit log took too long: add `from` and `to`');
      } finally {
        await own.close();
        await impatient.close();
        await place.remove();
      }
    });

    // PGlite has one connection, so that a table cannot be locked while another statement runs.
    test('reads of the audit log wait for two others, and neither they nor exports delay other requests', async () => {
      for (const path of ['/api/v1/admin/audit', '/api/v1/admin/audit/export']) {
        const locked = Promise.withResolvers<void>();
        const unlocked = Promise.withResolvers<void>();
        const locking = database()
          .kysely.transaction()
          .execute(async transaction => {
            await sql`lock table audit_entries in access exclusive mode`.execute(transaction);
            locked.resolve();
            await unlocked.promise;
          });
        await locked.promise;
        const asked = Array.from({ length: 11 }, () => service.ask('GET', path, { token: adminToken }));
        // Two run and eight wait, so that only the last one gets a response.
        const first = await Promise.race(asked);
        expect([first.status, first.body.code]).toEqual([429, 'rate_limited']);
        const other = await service.ask('GET', '/api/v1/admin/organizations', { token: adminToken });
        expect(other.status).toBe(200);
        unlocked.resolve();
        await locking;
        const statuses = (await Promise.all(asked)).map(({ status }) => status);
        expect(statuses.filter(status => status === 200)).toHaveLength(10);
      }
    });

    // PGlite has one connection, so that its writers take turns anyway.
    test('shows ids in ascending order even if an earlier writer commits later', async () => {
      const { kysely } = database();
      const slow = Promise.withResolvers<void>();
      const isWritten = Promise.withResolvers<void>();
      const first = kysely.transaction().execute(async transaction => {
        await insertBatch(transaction, write('slow'));
        isWritten.resolve();
        await slow.promise;
      });
      await isWritten.promise;
      let isSecondWritten = false;
      const second = (async () => {
        await insertBatch(kysely, write('fast'));
        isSecondWritten = true;
      })();
      // The second writer waits for the lock that the first one still has.
      await until(async () => {
        const { rows } =
          await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(kysely);
        expect(rows.length).toBeGreaterThan(0);
      });
      expect(isSecondWritten).toBe(false);
      slow.resolve();
      await Promise.all([first, second]);
      const { rows } = await sql<{ action: string }>`
      select action from audit_entries where action in ('slow', 'fast') order by id`.execute(kysely);
      expect(rows.map(({ action }) => action)).toEqual(['slow', 'fast']);
    });
  }
});
