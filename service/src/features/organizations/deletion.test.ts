import { kinds } from '@connector-auth/connectors';
import { sql, type Kysely } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { addWebhook } from '../../../test/callers.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { connectorsPath, quick, useIncidentHarness, type Tenant } from '../../../test/incident-harness.ts';
import { untilReady } from '../../../test/synced-records.ts';
import { adminToken } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { openNotifications } from '../../platform/notifications/notifications.ts';
import { createKindRegistry } from '../../shared/definitions/registry.ts';
import { deleteOrganizations } from './deletion.ts';

const path = '/api/v1/admin/organizations';
const person = 'Zebedee Quux';

/** Where ids of a deleted organization stay, and why. */
const kept: Readonly<Record<string, string>> = {
  audit_entries: 'who did what, without names, for AUDIT_RETENTION_DAYS',
  organization_deletions: 'the receipt',
  token_revocations: 'ends tokens until they have expired',
};

onPostgresOrEachEngineInFull('deleting an organization', database => {
  const harness = useIncidentHarness(database);
  beforeEach(() => database().kysely.deleteFrom('customers').execute());

  const remove = (id: string) => harness.ask('DELETE', `${path}/${id}`);
  const receiptOf = async (id: string) =>
    (await harness.ask('GET', `/api/v1/admin/organization-deletions/${id}`)).body;
  /** Does once what the service does every two seconds. */
  const deleteOnce = async (db: Kysely<Tables> = database().kysely): Promise<void> => {
    const { log } = harness.service;
    const notifications = openNotifications(database(), null, log);
    const context = {
      db,
      kinds: createKindRegistry(kinds),
      notifications,
      log,
      audit: { recordChange: () => {} },
    };
    await deleteOrganizations(context, new AbortController().signal, 0);
    await notifications.close();
  };
  const untilDeleted = (id: string) =>
    until(async () => {
      await deleteOnce();
      const receipt = await receiptOf(id);
      expect(receipt.status).toBe('deleted');
      return receipt;
    });

  /** Returns the rows of all tables as `table {row}`. */
  const readRows = async (): Promise<readonly string[]> => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(database().kysely);
    const { rows } = await sql<{ row: string }>`${sql.join(
      tables.map(
        ({ name }) => sql`select ${sql.lit(name)} || ' ' || to_jsonb(present)::text as row
          from ${sql.table(name)} as present`,
      ),
      sql` union all `,
    )}`.execute(database().kysely);
    return rows.map(({ row }) => row);
  };
  const tablesOf = (rows: readonly string[], text: string): string[] =>
    [
      ...new Set(rows.filter(row => row.includes(text)).map(row => row.slice(0, row.indexOf(' ')))),
    ].toSorted();

  /** Adds a row for the organization to every table that has organizations. */
  const fillTables = async (tenant: Tenant, hasOpenConsent: boolean): Promise<void> => {
    const { service } = harness;
    const { organizationId, applicationId, token } = tenant;
    const notes = await harness.connectGranola(tenant, person);
    const sync = await service.startSync();
    await untilReady(service, token, notes);
    await sync.close();
    const deleted = await harness.connectGranola(tenant, person);
    await service.ask('DELETE', `${connectorsPath}/${deleted}`, { token });
    const ads = await harness.redeem(tenant, 'google-ads', await harness.consent(tenant, 'google-ads'));
    expect(ads.status, ads.text).toBe(201);
    // Its many records would show nothing that the notes do not show.
    await sql`update synced_entities set due_at = now() + interval '1 day'
      where connector_id = ${ads.body.id}`.execute(database().kysely);
    // While one is open, no grant is revoked.
    if (hasOpenConsent) await harness.consent(tenant, 'google-ads');
    await service.ask('PATCH', '/api/v1/organization', {
      token,
      body: { connect_helper_url: 'https://app.example/connector-auth', guest_connect_links: true },
    });
    const link = await service.ask('POST', '/api/v1/integrations/connect-links', {
      token,
      body: { customer_name: person, connector_type: 'granola', audience: 'guest', inviter: person },
    });
    expect(link.status, link.text).toBe(201);
    await sql`insert into connect_link_visits (organization_id, link_id, browser_hash)
      values (${organizationId}, ${link.body.id}, '\\x01')`.execute(database().kysely);
    const request = {
      customer_name: person,
      connector_type: 'granola',
      credentials: { api_key: 'grn_sandbox_demo' },
    };
    await service.ask('POST', connectorsPath, {
      token,
      headers: { 'idempotency-key': person },
      body: { ...request, name: 'Other notes' },
    });
    // Of a customer whose connectors are not frozen, so that it waits for a time slice.
    await harness.connectGranola(tenant);
    await sql`insert into oauth_apps (organization_id, kind, client_id, configuration)
      values (${organizationId}, 'granola', 'own', '\\x01')`.execute(database().kysely);
    await sql`insert into agent_sign_ins (organization_id, id, expires_at)
      values (${organizationId}, ${`sign-in ${organizationId}`}, now() + interval '1 hour')`.execute(
      database().kysely,
    );
    await sql`insert into agents (organization_id, id, customer_id, application_id, user_id, user_name, client_id, resource,
        scopes, allowed_scopes, allowed_data, expires_at)
      select organization_id, gen_random_uuid(), id, ${applicationId}, 'user', 'Ana', 'client', 'resource', '{}', '{}', '{}', now()
      from customers where organization_id = ${organizationId} limit 1`.execute(database().kysely);
    await addWebhook(service, token);
    // As in the middle of a full run.
    await sql`insert into seen_records (organization_id, connector_id, entity, run, key_hashes)
      values (${organizationId}, ${notes}, 'notes', gen_random_uuid(), '{1}')`.execute(database().kysely);
    await sql`insert into skipped_changes (organization_id, kind, entity, since)
      values (${organizationId}, 'unloaded', 'notes', '1')`.execute(database().kysely);
    await sql`insert into vendor_quota_usage (key, hour, organization_id, customer_id, used, last_used_at)
      values ('quota', now(), ${organizationId}, gen_random_uuid(), 1, now())`.execute(database().kysely);
    await harness.declare({ customer: { organization: organizationId, name: person }, reason: person });
    expect(applicationId).not.toBe('');
  };

  test('deletes what every table contains of it, and nothing of another one', async () => {
    const [own, other] = [await harness.addTenant(), await harness.addTenant()];
    await fillTables(other, false);
    await fillTables(own, true);
    // Both organizations have one, so that it must not be deleted with the first.
    const shared = await harness.service.addApplication('shared', ['tenant-1', 'tenant-2']);
    const sharedToken = await harness.service.tokenOf(shared);
    // Both are written in batches.
    await until(async () =>
      expect(tablesOf(await readRows(), own.organizationId)).toEqual(
        expect.arrayContaining(['audit_entries', 'hourly_uses']),
      ),
    );
    const requested = await readRows();
    expect((await remove(own.organizationId)).body.status).toBe('deleting');
    const before = await readRows();
    const { rows: columns } = await sql<{ table: string }>`
      select table_name as table from information_schema.columns
      where table_schema = 'public' and column_name = 'organization_id'`.execute(database().kysely);
    const tables = columns.map(({ table }) => table).toSorted();
    // A new table needs a row above, so that this test can find out that it is deleted.
    expect(tablesOf([...requested, ...before], own.organizationId)).toEqual(expect.arrayContaining(tables));
    const ids = before
      // An application can belong to several organizations.
      .filter(row => row.includes(own.organizationId) && !row.startsWith('application_organizations '))
      .flatMap(row => row.match(/"(?:id|connector_id|customer_id)": "[\da-f-]{36}"/g) ?? [])
      .map(field => field.slice(-37, -1));
    expect(ids.length).toBeGreaterThan(0);
    const ofOther = (rows: readonly string[]) =>
      rows.filter(row => row.includes(other.organizationId)).toSorted();

    const worker = harness.service.startRevocations(quick);
    const sync = await harness.service.startSync({ pollMs: 20 });
    const receipt = await untilDeleted(own.organizationId);
    await Promise.all([worker.close(), sync.close()]);
    const after = await readRows();
    for (const text of [own.organizationId, ...new Set(ids)]) {
      expect(
        tablesOf(after, text).filter(table => !(table in kept)),
        text,
      ).toEqual([]);
    }
    expect(after.filter(row => row.includes(person) && !row.includes(other.organizationId))).toEqual([]);
    expect(receipt).toMatchObject({
      requested_by: 'ADMIN_TOKEN',
      finished_at: expect.any(String),
      deleted: {
        organizations: 1,
        customers: 2,
        connectors: 4,
        applications: 1,
        application_organizations: 1,
      },
      grants: { pending: 0, failed: 0 },
    });
    expect(receipt.deleted.records).toBeGreaterThan(0);
    expect(receipt.erased_audit_entries).toBeGreaterThan(0);
    expect(JSON.stringify(receipt)).not.toContain(person);

    const unchanged = /^(customers|connect_links|oauth_apps|organizations|idempotency_keys|incidents) /;
    expect(ofOther(after).filter(row => unchanged.test(row))).toEqual(
      ofOther(before).filter(row => unchanged.test(row)),
    );
    const list = await harness.service.ask('GET', connectorsPath, {
      token: sharedToken,
      headers: { 'x-organization-id': other.organizationId },
    });
    expect(list.status, list.text).toBe(200);
    expect(list.body.data).toHaveLength(4);
    expect((await harness.ask('GET', `${path}/${own.organizationId}`)).body.code).toBe(
      'organization_not_found',
    );
    expect((await remove(own.organizationId)).body).toEqual(receipt);
  });

  test('ends it for every caller at once, and for good', async () => {
    const { service } = harness;
    const tenant = await harness.addTenant();
    const id = await harness.connectGranola(tenant);
    const scoped = await service.customerToken(tenant.token, { customer_name: 'acme' });
    const consented = await harness.consent(tenant, 'google-ads');
    expect((await remove(tenant.organizationId)).status).toBe(200);
    for (const token of [tenant.token, scoped]) {
      expect((await service.ask('GET', connectorsPath, { token })).body.code).toBe('token_invalid');
      const execute = await service.ask('POST', `${connectorsPath}/${id}/check`, { token });
      expect(execute.body.code).toBe('token_invalid');
      expect((await service.ask('POST', '/mcp', { token, body: {} })).status).toBe(401);
    }
    expect((await harness.redeem(tenant, 'google-ads', consented)).body.code).toBe('token_invalid');
    service.advance(60_000);
    const { clientId: client_id, clientSecret: client_secret } = tenant.application;
    const minted = await service.ask('POST', '/api/v1/account/applications/token', {
      body: { client_id, client_secret },
    });
    expect(minted.body.code).toBe('organization_disabled');
    const enabled = await harness.ask('POST', `${path}/${tenant.organizationId}/enable`);
    expect([enabled.status, enabled.body.code]).toEqual([409, 'organization_being_deleted']);
    // What a process of an earlier version would do.
    await expect(
      sql`update organizations set disabled_at = null where id = ${tenant.organizationId}`.execute(
        database().kysely,
      ),
    ).rejects.toThrow('disabled_while_deleted');
    const added = await harness.ask('POST', '/api/v1/admin/applications', {
      name: 'Late',
      organization_ids: [tenant.organizationId],
    });
    expect(added.body.errors).toEqual([
      { path: 'organization_ids.0', message: 'No organization has this id' },
    ]);
    const worker = service.startRevocations(quick);
    const sync = await service.startSync({ pollMs: 20 });
    await untilDeleted(tenant.organizationId);
    await Promise.all([worker.close(), sync.close()]);
    expect((await service.ask('GET', connectorsPath, { token: scoped })).body.code).toBe('token_invalid');
  });

  test('revokes its grants at the vendor, with its own OAuth app until then', async () => {
    const tenant = await harness.addTenant();
    await harness.redeem(tenant, 'google-ads', await harness.consent(tenant, 'google-ads'));
    const revoked = harness.revocationRequests();
    await remove(tenant.organizationId);
    await deleteOnce();
    await deleteOnce();
    expect(await receiptOf(tenant.organizationId)).toMatchObject({
      status: 'deleting',
      deleted: { connectors: 1 },
      grants: { pending: 1 },
    });
    const worker = harness.service.startRevocations(quick);
    const receipt = await until(async () => {
      const found = await receiptOf(tenant.organizationId);
      expect(found.grants.revoked).toBe(1);
      return found;
    });
    expect(receipt.grants).toEqual({ pending: 0, revoked: 1, in_use: 0, invalid: 0, failed: 0 });
    expect(harness.revocationRequests()).toBe(revoked + 1);
    await worker.close();
    const sync = await harness.service.startSync({ pollMs: 20 });
    await untilDeleted(tenant.organizationId);
    await sync.close();
  });

  test('does not revoke a grant that would end that of another organization, and counts what a vendor never revokes', async () => {
    const [own, other, third] = [
      await harness.addTenant(),
      await harness.addTenant(),
      await harness.addTenant(),
    ];
    for (const tenant of [own, other]) {
      await harness.redeem(tenant, 'google-ads', await harness.consent(tenant, 'google-ads'));
    }
    await remove(own.organizationId);
    await deleteOnce();
    const worker = harness.service.startRevocations(quick);
    await until(async () => expect((await receiptOf(own.organizationId)).grants.in_use).toBe(1));
    await database().kysely.deleteFrom('customers').execute();
    await harness.redeem(third, 'google-ads', await harness.consent(third, 'google-ads'));
    // While anyone gives another consent for the app, the grant is not revoked.
    await harness.consent(other, 'google-ads', 'pending');
    await remove(third.organizationId);
    await deleteOnce();
    await sql`update grant_revocations set queued_at = now() - interval '3 days'
      where organization_id = ${third.organizationId}`.execute(database().kysely);
    await until(async () => expect((await receiptOf(third.organizationId)).grants.failed).toBe(1));
    await worker.close();
  });

  test('counts a grant that the vendor no longer accepts as invalid', async () => {
    const tenant = await harness.addTenant();
    await harness.redeem(tenant, 'google-ads', await harness.consent(tenant, 'google-ads'));
    const revoked = harness.revocationRequests();
    // As in the user's settings at the vendor.
    harness.sandbox.control.vendor('google-ads').act('revoke-consent', {});
    await remove(tenant.organizationId);
    await deleteOnce();
    const worker = harness.service.startRevocations(quick);
    const { grants } = await until(async () => {
      const receipt = await receiptOf(tenant.organizationId);
      expect([receipt.deleted.connectors, receipt.grants.pending]).toEqual([1, 0]);
      return receipt;
    });
    await worker.close();
    expect(grants).toEqual({ pending: 0, revoked: 0, in_use: 0, invalid: 1, failed: 0 });
    expect(harness.revocationRequests()).toBe(revoked);
  });

  test('continues after a crash in any step, and counts each row once', async () => {
    const tenant = await harness.addTenant();
    const { organizationId } = tenant;
    await harness.service.customerToken(tenant.token, { customer_name: 'acme' });
    await sql`insert into connectors (organization_id, id, customer_id, kind, name, auth_method, credentials)
      select organization_id, gen_random_uuid(), id, 'granola', 'Notes', 'api_key', '\\x01'
      from customers, generate_series(1, 250) where organization_id = ${organizationId}`.execute(
      database().kysely,
    );
    await sql`insert into synced_entities (organization_id, connector_id, entity, records)
      select organization_id, id, 'notes', 3 from connectors where organization_id = ${organizationId}`.execute(
      database().kysely,
    );
    await remove(organizationId);
    let crashes = 0;
    for (;;) {
      // Two processes. Each crashes at the end of its third step, which the database then reverts.
      await Promise.all([0, 1].map(() => deleteOnce(crashingAt(3, database().kysely, () => (crashes += 1)))));
      const { rows } = await sql`select from connectors where organization_id = ${organizationId}`.execute(
        database().kysely,
      );
      if (rows.length === 0) break;
    }
    expect(crashes).toBeGreaterThan(1);
    const sync = await harness.service.startSync({ pollMs: 20 });
    const { deleted } = await untilDeleted(organizationId);
    await sync.close();
    expect(deleted).toMatchObject({ connectors: 250, synced_entities: 250, records: 750, customers: 1 });
  });

  test('leaves the audit entries without customer names and addresses', async () => {
    const tenant = await harness.addTenant();
    await harness.connectGranola(tenant, person);
    const read = async () =>
      (await harness.ask('GET', `/api/v1/admin/audit?organization_id=${tenant.organizationId}`)).body.data;
    await until(async () => expect(await read()).toHaveLength(1));
    await remove(tenant.organizationId);
    await until(async () => expect(await read()).toHaveLength(2));
    const sync = await harness.service.startSync({ pollMs: 20 });
    await untilDeleted(tenant.organizationId);
    await sync.close();
    expect(await read()).toMatchObject([
      { action: 'organization.deletion_requested', actor: { name: 'ADMIN_TOKEN' }, address: '127.0.0.1' },
      { action: 'connector.created', customer_name: null, address: null },
    ]);
    const forge = sql`update audit_entries set outcome = 'ok', customer_name = null, address = null`;
    await expect(
      database()
        .kysely.transaction()
        .execute(async transaction => {
          await sql`set local connector_auth.erases_audit_entries = on`.execute(transaction);
          await sql`update audit_entries set action = 'forged', customer_name = null`.execute(transaction);
        }),
    ).rejects.toThrow('append-only');
    await expect(forge.execute(database().kysely)).rejects.toThrow('append-only');
  });

  test('is rejected if the next start would create it again', async () => {
    await harness.service.bootstrap({
      organizations: ['From the environment'],
      clientId: 'from-the-environment',
      clientSecret: new Secret('a-secret-of-the-environment'),
      redirectUrls: [],
    });
    const { body } = await harness.ask('GET', `${path}?search=environment`);
    const rejected = await remove(body.data[0].id);
    expect([rejected.status, rejected.body.code]).toEqual([409, 'managed_by_environment']);
    await harness.service.bootstrap(null);
  });

  test('lists the receipts, newest first', async () => {
    const [first, second] = [await harness.addTenant(), await harness.addTenant()];
    for (const { organizationId } of [first, second]) await remove(organizationId);
    const list = '/api/v1/admin/organization-deletions?limit=1';
    const page = (await harness.ask('GET', list)).body;
    expect(page.data).toMatchObject([{ organization_id: second.organizationId }]);
    const next = (await harness.ask('GET', `${list}&cursor=${page.meta.cursor}`)).body;
    expect(next.data).toMatchObject([{ organization_id: first.organizationId }]);
    const own = await harness.service.ask('GET', list, { token: second.token });
    expect(own.status).toBe(401);
    expect((await receiptOf(crypto.randomUUID())).code).toBe('organization_not_found');
    expect(adminToken).not.toBe('');
  });
});

/** Returns the database for one process that crashes at the end of a transaction. */
function crashingAt(step: number, db: Kysely<Tables>, onCrash: () => void): Kysely<Tables> {
  let steps = 0;
  const transaction: Kysely<Tables>['transaction'] = () => {
    const builder = db.transaction();
    const execute: typeof builder.execute = run =>
      builder.execute(async handle => {
        const result = await run(handle);
        if (++steps !== step) return result;
        onCrash();
        throw new Error('Crashed');
      });
    return Object.assign(Object.create(builder), { execute });
  };
  return new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') return transaction;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
