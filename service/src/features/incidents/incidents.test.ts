import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import {
  connectorsPath,
  googleCredentials,
  incidentsPath,
  quick,
  useIncidentHarness,
  type Tenant,
} from '../../../test/incident-harness.ts';
import { secondKind } from '../../../test/second-kind.ts';
import { startTestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import { claimRevocations } from '../../shared/repositories/grant-revocations.ts';

const unknownId = '6a1d2c3e-0000-4000-8000-000000000000';

onPostgresOrEachEngineInFull('incidents', database => {
  const harness = useIncidentHarness(database);
  const copiesOfGrants = () =>
    database()
      .kysely.selectFrom('grant_revocations')
      .select('id')
      .where(query =>
        query.or([
          query('connector_credentials', 'is not', null),
          query('session_credentials', 'is not', null),
        ]),
      )
      .execute();
  /** Removes the connectors and consents of other tests, which use the same account and OAuth app. */
  const removeCustomers = () => database().kysely.deleteFrom('customers').execute();
  const listWith = (token: string) => harness.service.ask('GET', connectorsPath, { token });
  const newTokenOf = async (tenant: Tenant): Promise<Tenant> => ({
    ...tenant,
    token: await harness.service.tokenOf(tenant.application),
  });
  const acmeOf = ({ organizationId: organization }: Tenant) => ({ customer: { organization, name: 'acme' } });
  const codeOf = async (tenant: Tenant, id: string): Promise<unknown> =>
    (await harness.execute(tenant, id)).body.code;

  test('an incident of an organization ends its tokens and freezes its connectors, and no others', async () => {
    const [own, other] = [await harness.addTenant(), await harness.addTenant()];
    const id = await harness.connectGranola(own);
    const untouched = await harness.connectGranola(other);
    const scoped = await harness.service.customerToken(own.token, { customer_name: 'acme' });
    const incident = await harness.declare({ organization: own.organizationId, reason: 'Laptop stolen' });
    expect(incident).toMatchObject({
      scope: 'organization',
      reason: 'Laptop stolen',
      status: 'open',
      declared_by: 'ADMIN_TOKEN',
      undone_at: null,
      frozen_connectors: 1,
      receipts: { pending: 0, confirmed: 0, vendor_cannot: 1 },
    });
    for (const token of [own.token, scoped]) expect((await listWith(token)).body.code).toBe('token_invalid');
    const again = await newTokenOf(own);
    expect(await harness.statusOf(again, id)).toBe('frozen');
    expect(await codeOf(again, id)).toBe('connector_frozen');
    expect(await harness.statusOf(other, untouched)).toBe('active');
    expect((await harness.execute(other, untouched)).status).toBe(200);
  });

  test('an incident of a customer ends only its tokens and freezes only its connectors', async () => {
    const tenant = await harness.addTenant();
    const id = await harness.connectGranola(tenant, 'acme');
    const untouched = await harness.connectGranola(tenant, 'beta');
    const acme = await harness.service.customerToken(tenant.token, { customer_name: 'acme' });
    const beta = await harness.service.customerToken(tenant.token, { customer_name: 'beta' });
    const incident = await harness.declare({
      customer: { organization: tenant.organizationId, name: 'acme' },
    });
    expect(incident).toMatchObject({ scope: 'customer', target: 'acme', frozen_connectors: 1 });
    expect((await listWith(acme)).body.code).toBe('token_invalid');
    expect((await listWith(beta)).status).toBe(200);
    expect(await codeOf(tenant, id)).toBe('connector_frozen');
    expect((await harness.execute(tenant, untouched)).status).toBe(200);
  });

  test('an incident of a kind freezes its connectors in all organizations, and ends no tokens', async () => {
    const [own, other] = [await harness.addTenant(), await harness.addTenant()];
    const frozen = [await harness.connectGranola(own), await harness.connectGranola(other)] as const;
    const untouched = await harness.connectGoogle(own);
    const incident = await harness.declare({ kind: 'Granola' });
    expect(incident).toMatchObject({ scope: 'kind', target: 'Granola' });
    expect(await codeOf(own, frozen[0])).toBe('connector_frozen');
    expect(await codeOf(other, frozen[1])).toBe('connector_frozen');
    expect((await harness.execute(own, untouched)).status).toBe(200);
  });

  test('an incident of an application ends its tokens and secrets for good, and freezes nothing', async () => {
    const tenant = await harness.addTenant();
    const id = await harness.connectGranola(tenant);
    const colleague = await harness.service.addApplication('colleague', [
      `tenant of ${tenant.applicationId}`,
    ]);
    await database()
      .kysely.updateTable('application_organizations')
      .set({ organization_id: tenant.organizationId })
      .where('organization_id', '=', colleague.organizationIds[0] ?? '')
      .execute();
    const incident = await harness.declare({ application: tenant.applicationId });
    expect(incident).toMatchObject({
      scope: 'application',
      target: tenant.application.clientId,
      frozen_connectors: 0,
      receipts: { pending: 0, confirmed: 0, vendor_cannot: 0 },
    });
    const { clientId: client_id, clientSecret: client_secret } = tenant.application;
    const askForToken = () =>
      harness.service.ask('POST', '/api/v1/account/applications/token', {
        body: { client_id, client_secret },
      });
    expect((await listWith(tenant.token)).body.code).toBe('token_invalid');
    expect((await askForToken()).status).toBe(401);
    const token = await harness.service.tokenOf(colleague);
    expect((await harness.execute({ ...tenant, token }, id)).status).toBe(200);

    expect((await harness.undo(incident.id)).body.status).toBe('undone');
    expect((await askForToken()).status).toBe(401);
    // The leaked secret stays expired if an operator enables the application.
    await database()
      .kysely.updateTable('applications')
      .set({ disabled_at: null })
      .where('id', '=', tenant.applicationId)
      .execute();
    expect((await askForToken()).status).toBe(401);
  });

  test('an incident of the application of the environment outlasts a restart with the same variables', async () => {
    const wanted = {
      clientId: 'leaked-in-environment',
      clientSecret: 'a-long-secret-for-the-tests',
      organizations: ['Environment'],
    };
    const application = await harness.service.addApplication(wanted.clientId, ['Environment']);
    await database()
      .kysely.updateTable('applications')
      .set({ managed_by: 'environment' })
      .where('client_id', '=', wanted.clientId)
      .execute();
    const { id } = await database()
      .kysely.selectFrom('applications')
      .select('id')
      .where('client_id', '=', wanted.clientId)
      .executeTakeFirstOrThrow();
    await harness.declare({ application: id });
    await harness.service.bootstrap({
      clientId: wanted.clientId,
      clientSecret: new Secret(application.clientSecret),
      organizations: ['Environment'],
      redirectUrls: [],
    });
    await expect(harness.service.tokenOf(application)).resolves.toBe('undefined');
  });

  test('rejects new connectors and consents in the scope of an open incident, until it is undone', async () => {
    const [own, other] = [await harness.addTenant(), await harness.addTenant()];
    const create = (tenant: Tenant, customer_name: string) =>
      harness.service.ask('POST', connectorsPath, {
        token: tenant.token,
        body: {
          customer_name,
          connector_type: 'google-ads',
          name: 'Ads',
          credentials: googleCredentials(harness.sandbox),
        },
      });
    expect((await create(own, 'acme')).status).toBe(201);
    const { id } = await harness.declare({ customer: { organization: own.organizationId, name: 'acme' } });
    expect((await create(own, 'acme')).body).toMatchObject({ code: 'connector_frozen', status: 403 });
    const consent = await harness.service.ask('POST', `${connectorsPath}/oauth/initiate`, {
      token: own.token,
      body: { customer_name: 'acme', connector_type: 'google-ads', redirect_url: 'http://127.0.0.1/done' },
    });
    expect(consent.body.code).toBe('connector_frozen');
    expect((await create(own, 'beta')).status).toBe(201);
    expect((await create(other, 'acme')).status).toBe(201);
    await harness.undo(id);
    expect((await create(own, 'acme')).status).toBe(201);
  });

  test('a connector whose credentials are being verified does not escape the incident', async () => {
    const tenant = await harness.addTenant();
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    harness.gate = () => {
      asked.resolve();
      return released.promise;
    };
    const creating = harness.service.ask('POST', connectorsPath, {
      token: tenant.token,
      body: {
        customer_name: 'acme',
        connector_type: 'google-ads',
        name: 'Ads',
        credentials: googleCredentials(harness.sandbox),
      },
    });
    await asked.promise;
    await harness.declare({ kind: 'google-ads' });
    released.resolve();
    expect((await creating).body.code).toBe('connector_frozen');
  });

  test('lists a receipt per grant, with the vendor’s page if it has to be revoked by hand', async () => {
    const tenant = await harness.addTenant();
    const granola = await harness.connectGranola(tenant);
    const google = await harness.connectGoogle(tenant, 'beta');
    const { id } = await harness.declare({ organization: tenant.organizationId });
    const organization = { id: tenant.organizationId, name: expect.any(String) };
    const shared = { organization, attempts: 0, last_error: null, confirmed_at: null };
    expect(await harness.receipts(id)).toEqual([
      {
        ...shared,
        connector: { id: granola, name: 'Notes' },
        customer: { id: expect.any(String), name: 'acme' },
        connector_type: 'granola',
        state: 'vendor_cannot',
        vendor_page: expect.stringContaining('https://docs.granola.ai/'),
      },
      {
        ...shared,
        connector: { id: google, name: 'Ads' },
        customer: { id: expect.any(String), name: 'beta' },
        connector_type: 'google-ads',
        state: 'pending',
        vendor_page: 'https://myaccount.google.com/connections',
      },
    ]);
    expect(await harness.receipts(id, '?state=pending')).toHaveLength(1);
    const { body: incident } = await harness.ask('GET', `${incidentsPath}/${id}`);
    expect(incident.advice).toMatch(
      /cannot revoke 1 grant .* customer must revoke the key.* works with it again/,
    );
    const first = await harness.ask('GET', `${incidentsPath}/${id}/receipts?limit=1`);
    expect(first.body.meta.has_more).toBe(true);
    const cursor = encodeURIComponent(first.body.meta.cursor);
    const second = await harness.ask('GET', `${incidentsPath}/${id}/receipts?limit=1&cursor=${cursor}`);
    expect(second.body.data[0].connector.id).toBe(google);
    expect(second.body.meta).toEqual({ cursor: null, has_more: false });
  });

  test('repeats the revocation until the vendor has recovered and confirms it', async () => {
    const tenant = await harness.addTenant();
    const id = await harness.connectGoogle(tenant);
    const outage = { vendor: 'google-ads', path: '/revoke' };
    harness.sandbox.control.faults.add({ ...outage, closeConnection: true, count: 1 });
    harness.sandbox.control.faults.add({ ...outage, html: true, count: 1 });
    harness.sandbox.control.faults.add({ ...outage, status: 503 });
    const incident = await harness.declare({
      customer: { organization: tenant.organizationId, name: 'acme' },
    });
    const worker = harness.service.startRevocations(quick);
    await until(async () => {
      const [receipt] = await harness.receipts(incident.id);
      expect(receipt).toMatchObject({ state: 'pending', vendor_page: expect.any(String) });
      expect(receipt?.attempts).toBeGreaterThan(3);
      expect(receipt?.last_error).toContain('Google Ads');
    });
    harness.sandbox.control.faults.clear();
    const [receipt] = await harness.untilAll(incident.id, 'confirmed');
    expect(receipt).toMatchObject({ last_error: null, confirmed_at: expect.any(String), vendor_page: null });
    expect((await harness.ask('GET', `${incidentsPath}/${incident.id}`)).body.receipts).toEqual({
      pending: 0,
      confirmed: 1,
      vendor_cannot: 0,
    });
    const grants = harness.sandbox.control.requests.list({ operation: 'revoke token' });
    expect(grants.at(-1)?.status).toBe(200);
    expect(await harness.statusOf(tenant, id)).toBe('frozen');
    await worker.close();
  });

  test('confirms a grant that was revoked before, such as one that two connectors share', async () => {
    const tenant = await harness.addTenant();
    const credentials = googleCredentials(harness.sandbox);
    await harness.connectGoogle(tenant, 'acme', credentials);
    await harness.connectGoogle(tenant, 'beta', credentials);
    const { id } = await harness.declare({ organization: tenant.organizationId });
    const worker = harness.service.startRevocations(quick);
    expect(await harness.untilAll(id, 'confirmed')).toHaveLength(2);
    const statuses = harness.sandbox.control.requests
      .list({ operation: 'revoke token' })
      .map(({ status }) => status);
    expect(statuses.sort((a, b) => Number(a) - Number(b))).toEqual([200, 400]);
    await worker.close();
  });

  test('undoing leaves connectors with revoked grants needs_reauth, and restores the others', async () => {
    const tenant = await harness.addTenant();
    const granola = await harness.connectGranola(tenant);
    const revoked = await harness.connectGoogle(tenant);
    const { id } = await harness.declare({ organization: tenant.organizationId });
    const worker = harness.service.startRevocations(quick);
    await until(async () => expect(await harness.receipts(id, '?state=confirmed')).toHaveLength(1));
    await worker.close();
    const again = await newTokenOf(tenant);
    const untouched = await harness.undo(id);
    expect(untouched.body).toMatchObject({ status: 'undone', undone_at: expect.any(String) });
    expect(await harness.statusOf(again, revoked)).toBe('needs_reauth');
    expect(await harness.statusOf(again, granola)).toBe('active');
    expect((await harness.execute(again, granola)).status).toBe(200);
    // The tokens from before stay revoked.
    expect((await listWith(tenant.token)).body.code).toBe('token_invalid');
    expect((await harness.undo(id)).body).toEqual(untouched.body);
  });

  test('undoing stops pending revocations, also those that a process has just started', async () => {
    const tenant = await harness.addTenant();
    const attempted = await harness.connectGoogle(tenant);
    const { id } = await harness.declare(acmeOf(tenant));
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    harness.gate = () => {
      asked.resolve();
      return released.promise;
    };
    harness.sandbox.control.faults.add({ vendor: 'google-ads', path: '/revoke', status: 503 });
    const failed = harness.sandbox.control.requests.next({ path: '/revoke' });
    const worker = harness.service.startRevocations(quick);
    await asked.promise;
    await harness.undo(id);
    released.resolve();
    harness.gate = null;
    const untouched = await harness.connectGoogle(tenant);
    await failed;
    harness.sandbox.control.faults.clear();
    // Another incident shows that the worker has continued after the failed attempt.
    const elsewhere = await harness.addTenant();
    await harness.connectGoogle(elsewhere);
    const later = await harness.declare({ organization: elsewhere.organizationId });
    await harness.untilAll(later.id, 'confirmed');
    await worker.close();
    expect(await harness.receipts(id, '?state=confirmed')).toEqual([]);
    expect(await harness.statusOf(tenant, attempted)).toBe('needs_reauth');
    expect(await harness.statusOf(tenant, untouched)).toBe('active');
  });

  test('undoing one of two incidents leaves what both contain frozen by the other', async () => {
    const [own, other] = [await harness.addTenant(), await harness.addTenant()];
    const both = await harness.connectGranola(own);
    const only = await harness.connectGranola(other);
    const kind = await harness.declare({ kind: 'granola' });
    const organization = await harness.declare({ organization: own.organizationId });
    const again = await newTokenOf(own);
    await harness.undo(kind.id);
    expect(await harness.statusOf(again, both)).toBe('frozen');
    expect(await harness.statusOf(other, only)).toBe('active');
    await harness.undo(organization.id);
    expect(await harness.statusOf(again, both)).toBe('active');
  });

  test('a connector that both of two incidents revoke is needs_reauth after both are undone', async () => {
    const tenant = await harness.addTenant();
    const id = await harness.connectGoogle(tenant);
    const first = await harness.declare(acmeOf(tenant));
    const worker = harness.service.startRevocations(quick);
    await harness.untilAll(first.id, 'confirmed');
    await worker.close();
    const second = await harness.declare({ kind: 'google-ads' });
    await harness.undo(first.id);
    expect(await harness.statusOf(tenant, id)).toBe('frozen');
    await harness.undo(second.id);
    expect(await harness.statusOf(tenant, id)).toBe('needs_reauth');
  });

  test('another process continues after one has died during an attempt', async () => {
    const tenant = await harness.addTenant();
    const id = await harness.connectGoogle(tenant);
    const { id: incidentId } = await harness.declare(acmeOf(tenant));
    const claim = { kinds: ['google-ads'], limit: 10 };
    const dead = await claimRevocations(database().kysely, { ...claim, seconds: 3600 });
    expect(dead.map(({ subjectId }) => subjectId)).toEqual([id]);
    expect(await claimRevocations(database().kysely, { ...claim, seconds: 3600 })).toEqual([]);
    await database()
      .kysely.updateTable('grant_revocations')
      .set({ due_at: new Date(0) })
      .where('due_at', 'is not', null)
      .execute();
    const worker = harness.service.startRevocations(quick);
    expect(await harness.untilAll(incidentId, 'confirmed')).toMatchObject([{ attempts: 2 }]);
    await worker.close();
  });

  test('treats a grant as possibly revoked if its process died during the attempt', async () => {
    const tenant = await harness.addTenant();
    const id = await harness.connectGoogle(tenant);
    const incident = await harness.declare(acmeOf(tenant));
    await claimRevocations(database().kysely, { kinds: ['google-ads'], limit: 10, seconds: 3600 });
    await harness.undo(incident.id);
    expect(await harness.statusOf(tenant, id)).toBe('needs_reauth');
  });

  test.each(['before', 'after'])(
    'revokes the grant of a frozen connector whose customer is deleted, %s the incident is undone',
    async when => {
      await removeCustomers();
      const tenant = await harness.addTenant();
      const id = await harness.connectGoogle(tenant);
      const incident = await harness.declare(acmeOf(tenant));
      const remove = (path: string) => harness.service.ask('DELETE', path, { token: tenant.token });
      expect((await remove(`${connectorsPath}/${id}`)).body.code).toBe('connector_frozen');
      expect((await remove('/api/v1/customers/acme')).status).toBe(204);
      expect(harness.revocationRequests()).toBe(0);
      if (when === 'after') await harness.undo(incident.id);
      const worker = harness.service.startRevocations(quick);
      expect(await harness.untilAll(incident.id, 'confirmed')).toMatchObject([
        { connector: { id }, customer: { name: 'acme' } },
      ]);
      const requests = harness.sandbox.control.requests.list({ operation: 'revoke token' });
      expect(requests.map(({ status }) => status)).toEqual([200]);
      expect(await copiesOfGrants()).toEqual([]);
      await worker.close();
    },
  );

  test.each([
    ['no scope', {}],
    ['two scopes', { kind: 'granola', application: unknownId }],
    ['an id that is not a UUID', { organization: 'x' }],
    ['an unknown property', { kind: 'granola', force: true }],
    ['a blank reason', { kind: 'granola', reason: ' ' }],
    ['a customer without an organization', { customer: { name: 'acme' } }],
  ])('rejects %s', async (_title, body) => {
    const response = await harness.ask('POST', incidentsPath, body);
    expect(response.status).toBe(400);
    expect(response.body.code).toBe('malformed_request');
  });

  test.each([
    ['organization', { organization: unknownId }, 404, 'organization_not_found'],
    ['application', { application: unknownId }, 404, 'application_not_found'],
    ['kind', { kind: 'unheard-of' }, 422, 'unknown_connector_type'],
    [
      'customer of an unknown organization',
      { customer: { organization: unknownId, name: 'acme' } },
      404,
      'organization_not_found',
    ],
  ])('rejects an unknown %s', async (_title, body, status, code) => {
    const response = await harness.ask('POST', incidentsPath, body);
    expect([response.status, response.body.code]).toEqual([status, code]);
  });

  test('rejects an unknown customer and an unknown incident', async () => {
    const { organizationId: organization } = await harness.addTenant();
    const response = await harness.ask('POST', incidentsPath, {
      customer: { organization, name: 'unheard-of' },
    });
    expect([response.status, response.body.code]).toEqual([404, 'customer_not_found']);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/receipts'],
      ['POST', '/undo'],
    ] as const) {
      const { body } = await harness.ask(method, `${incidentsPath}/${unknownId}${path}`);
      expect(body.code).toBe('incident_not_found');
    }
  });

  test('lists incidents newest first, page by page', async () => {
    const { organizationId: organization } = await harness.addTenant();
    const first = await harness.declare({ organization, reason: '<b>Markup & "quotes"</b>' });
    const second = await harness.declare({ organization });
    const page = await harness.ask('GET', `${incidentsPath}?limit=1`);
    expect(page.body.data).toMatchObject([{ id: second.id, reason: null }]);
    const cursor = encodeURIComponent(page.body.meta.cursor);
    const next = await harness.ask('GET', `${incidentsPath}?limit=1&cursor=${cursor}`);
    expect(next.body.data).toMatchObject([{ id: first.id, reason: '<b>Markup & "quotes"</b>' }]);
  });

  test('ends consents in scope, and revokes the grants that no connector has used', async () => {
    const [own, other] = [await harness.addTenant(), await harness.addTenant()];
    const [pending, completed, elsewhere] = [
      await harness.consent(own, 'google-ads', 'pending'),
      await harness.consent(own, 'google-ads'),
      await harness.consent(other, 'google-ads'),
    ];
    const incident = await harness.declare(acmeOf(own));
    expect(incident).toMatchObject({ frozen_connectors: 0, receipts: { pending: 1 } });
    expect((await harness.redeem(own, 'google-ads', completed)).body.code).toBe('secret_id_invalid');
    expect((await harness.redeem(other, 'google-ads', elsewhere)).status).toBe(201);
    const page = await harness.ask('GET', `${incidentsPath}/${incident.id}`);
    expect(page.status).toBe(200);
    const state = await database()
      .kysely.selectFrom('oauth_sessions')
      .select(['status', 'error_code'])
      .where('id', '=', pending.sessionId)
      .executeTakeFirstOrThrow();
    expect(state).toEqual({ status: 'failed', error_code: 'connector_frozen' });
    const worker = harness.service.startRevocations(quick);
    expect(await harness.untilAll(incident.id, 'confirmed')).toMatchObject([
      { connector: null, customer: { name: 'acme' }, connector_type: 'google-ads' },
    ]);
    expect(harness.sandbox.control.requests.list({ operation: 'revoke token' })).toMatchObject([
      { status: 200 },
    ]);
    expect(await copiesOfGrants()).toEqual([]);
    await worker.close();
  });

  test('revokes the grants in its scope that wait in the queue, and those of cancelled consents', async () => {
    const tenant = await harness.addTenant();
    const cancelled = await harness.consent(tenant, 'google-ads');
    const consented = await harness.consent(tenant, 'google-ads');
    const { body: connector } = await harness.redeem(tenant, 'google-ads', consented);
    const remove = (path: string) => harness.service.ask('DELETE', path, { token: tenant.token });
    expect((await remove(`${connectorsPath}/${connector.id}`)).status).toBe(204);
    expect((await remove(`${connectorsPath}/oauth/sessions/${cancelled.sessionId}`)).status).toBe(204);
    const incident = await harness.declare(acmeOf(tenant));
    expect(incident).toMatchObject({ frozen_connectors: 0, receipts: { pending: 2 } });
    // Another consent of the organization postpones only revocations without an incident.
    await harness.consent(await harness.addTenant(), 'google-ads', 'pending');
    const worker = harness.service.startRevocations(quick);
    expect(await harness.untilAll(incident.id, 'confirmed')).toMatchObject([
      { connector: null },
      { connector: null },
    ]);
    expect(await copiesOfGrants()).toEqual([]);
    await worker.close();
  });

  test('revokes the grant of a connector that was deleted while its kind was not loaded', async () => {
    await removeCustomers();
    const without = await startTestService(database(), { kinds: [secondKind] });
    const removeConsented = async (tenant: Tenant): Promise<void> => {
      const consented = await harness.consent(tenant, 'google-ads');
      const { body: google } = await harness.redeem(tenant, 'google-ads', consented);
      // Its user may use the key elsewhere, too.
      const granola = await harness.connectGranola(tenant);
      for (const id of [google.id, granola]) {
        const removed = await without.ask('DELETE', `${connectorsPath}/${id}`, { token: tenant.token });
        expect(removed.status, removed.text).toBe(204);
      }
      expect(await copiesOfGrants()).toHaveLength(2);
    };
    await removeConsented(await harness.addTenant());
    const worker = harness.service.startRevocations(quick);
    await until(async () => expect(await copiesOfGrants()).toEqual([]));
    await worker.close();
    expect(harness.revocationRequests()).toBe(1);

    // It is given up after two days, as if the vendor did not respond.
    await removeConsented(await harness.addTenant());
    await sql`update grant_revocations set queued_at = now() - interval '3 days' where incident_id is null`.execute(
      database().kysely,
    );
    const other = without.startRevocations(quick);
    await until(async () => expect(await copiesOfGrants()).toEqual([]));
    await other.close();
    await without.close();
    expect(harness.revocationRequests()).toBe(1);
  });

  test('revokes the previous grant of a reconnected connector, not only its current one', async () => {
    const tenant = await harness.addTenant();
    const { body } = await harness.redeem(
      tenant,
      'tiktok-marketing',
      await harness.consent(tenant, 'tiktok-marketing'),
    );
    const { secretId } = await harness.consent(tenant, 'tiktok-marketing');
    const reconnected = await harness.service.ask('PATCH', `${connectorsPath}/${body.id}`, {
      token: tenant.token,
      body: { server_side_oauth_secret_id: secretId },
    });
    expect(reconnected.status, reconnected.text).toBe(200);
    const incident = await harness.declare(acmeOf(tenant));
    const worker = harness.service.startRevocations(quick);
    expect(await harness.untilAll(incident.id, 'confirmed')).toHaveLength(2);
    const requests = harness.sandbox.control.requests.list({ operation: 'revoke token' });
    expect(requests.map(({ status }) => status)).toEqual([200, 200]);
    await worker.close();
    expect(await harness.statusOf(tenant, body.id)).toBe('frozen');
  });

  test('leaves a grant after it was undone, if a connector in the meantime uses its account', async () => {
    await removeCustomers();
    const tenant = await harness.addTenant();
    await harness.consent(tenant, 'google-ads');
    const incident = await harness.declare(acmeOf(tenant));
    await harness.undo(incident.id);
    const { body } = await harness.redeem(tenant, 'google-ads', await harness.consent(tenant, 'google-ads'));
    const worker = harness.service.startRevocations(quick);
    await until(async () => expect(await copiesOfGrants()).toEqual([]));
    await worker.close();
    expect(harness.revocationRequests()).toBe(0);
    expect((await harness.execute(tenant, body.id)).status).toBe(200);
  });

  test('revokes a grant that the vendor issues while an incident is being declared', async () => {
    const tenant = await harness.addTenant();
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    harness.gate = ({ url }) => {
      if (!url.endsWith('/token')) return undefined;
      asked.resolve();
      return released.promise;
    };
    const consenting = harness.consent(tenant, 'google-ads');
    await asked.promise;
    const { id } = await harness.declare(acmeOf(tenant));
    released.resolve();
    await consenting;
    const worker = harness.service.startRevocations(quick);
    expect(await harness.untilAll(id, 'confirmed')).toMatchObject([{ connector: null }]);
    expect(harness.sandbox.control.requests.list({ operation: 'revoke token' })).toMatchObject([
      { status: 200 },
    ]);
    await worker.close();
  });

  test('waits for the OAuth app of a grant if it is no longer configured', async () => {
    const tenant = await harness.addTenant();
    const { body } = await harness.redeem(
      tenant,
      'tiktok-marketing',
      await harness.consent(tenant, 'tiktok-marketing'),
    );
    // The grant names the app that it was issued to.
    const app = harness.removePlatformApp('OAUTH_TIKTOK_MARKETING');
    const incident = await harness.declare(acmeOf(tenant));
    const worker = harness.service.startRevocations(quick);
    await until(async () => {
      const [receipt] = await harness.receipts(incident.id);
      expect(receipt).toMatchObject({ state: 'pending', vendor_page: expect.any(String) });
      expect(receipt?.last_error).toContain('Configure it again');
    });
    expect(harness.revocationRequests()).toBe(0);
    app.restore();
    await harness.untilAll(incident.id, 'confirmed');
    await worker.close();
    await harness.undo(incident.id);
    expect(await harness.statusOf(tenant, body.id)).toBe('needs_reauth');
  });
});
