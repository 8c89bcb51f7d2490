import { describe, expect, test } from 'vitest';
import { connectors, page, setUpConsentHarness } from '../../test/consent-harness.ts';
import { storedRows } from '../../test/database-snapshot.ts';
import { onEachEngine } from '../../test/engines.ts';

const back = `${page}/connected`;

onEachEngine('after consent', database => {
  const stage = setUpConsentHarness(database);

  describe('a secret id', () => {
    test('makes one connector, however often and at once it is sent', async () => {
      const secretId = await stage.secretOf();
      const told = await Promise.all(Array.from({ length: 6 }, () => stage.create(secretId)));
      expect(told.map(({ status }) => status)).toEqual(Array(6).fill(201));
      expect(new Set(told.map(({ body }) => body.id)).size).toBe(1);
      const later = await stage.create(secretId, { name: 'Another name' });
      expect(later.body.id).toBe(told[0]?.body.id);
      expect(await database().kysely.selectFrom('connectors').select('id').execute()).toHaveLength(1);
    });

    test('is answered with the same connector under an idempotency key', async () => {
      const secretId = await stage.secretOf();
      const headers = { origin: page, 'idempotency-key': 'k1' };
      const first = await stage.create(secretId, {}, { headers });
      const second = await stage.create(secretId, {}, { headers });
      const third = await stage.create(secretId, {}, { headers: { origin: page, 'idempotency-key': 'k2' } });
      expect([second.body, third.body]).toEqual([first.body, first.body]);
    });

    test.each([
      ['by another customer', { customer_name: 'beta' }],
      ['by a customer that does not exist', { customer_name: 'nobody' }],
      ['for another kind', { connector_type: 'tiktok-marketing', customer_name: 'acme' }],
      ['that nobody was given', { server_side_oauth_secret_id: 'x'.repeat(43), customer_name: 'acme' }],
    ])('is refused %s, and still works where it belongs', async (_title, changes) => {
      const secretId = await stage.secretOf();
      await stage.service.customerToken(stage.token, { customer_name: 'beta' });
      const before = await storedRows(database());
      const told = await stage.create(secretId, changes, { token: stage.token, headers: {} });
      expect(told.status).toBe(422);
      expect(told.body).toMatchObject({
        code: 'secret_id_invalid',
        errors: [{ path: 'server_side_oauth_secret_id' }],
      });
      expect(await storedRows(database())).toEqual(before);
      expect((await stage.create(secretId)).status).toBe(201);
    });

    test('is refused in another organization, where the customer has the same name', async () => {
      const secretId = await stage.secretOf();
      const other = await stage.service.tokenOf(await stage.service.addApplication('other', ['Other']));
      await stage.service.customerToken(other, { customer_name: 'acme' });
      const told = await stage.create(secretId, { customer_name: 'acme' }, { token: other, headers: {} });
      expect(told.body.code).toBe('secret_id_invalid');
    });

    test('is refused after ten minutes, its grant forgotten', async () => {
      const secretId = await stage.secretOf();
      await database()
        .kysely.updateTable('oauth_sessions')
        .set({ secret_expires_at: new Date(Date.now() - 1) })
        .execute();
      expect((await stage.create(secretId)).body.code).toBe('secret_id_invalid');
    });

    test('is refused when the connector that was made with it is gone', async () => {
      const secretId = await stage.secretOf();
      const { body: made } = await stage.create(secretId);
      await stage.service.ask('DELETE', `${connectors}/${made.id}`, { token: stage.token });
      expect((await stage.create(secretId)).body.code).toBe('secret_id_invalid');
    });

    test.each([
      ['together with credentials', { credentials: { access_key: 'a', access_key_secret: 'b' } }],
      ['as a number', { server_side_oauth_secret_id: 7 }],
      ['as an empty text', { server_side_oauth_secret_id: '' }],
    ])('is refused %s', async (_title, changes) => {
      expect((await stage.create('x', changes)).status).toBe(400);
    });

    test('goes with settings that fit the kind only', async () => {
      const told = await stage.create(await stage.secretOf(), { replication_config: { folder: 'x' } });
      expect(told.body).toMatchObject({
        code: 'invalid_credentials',
        errors: [{ path: 'replication_config.folder' }],
      });
    });

    test('stays good when the vendor fails at the check', async () => {
      const secretId = await stage.secretOf();
      stage.service.sandbox.control.faults.add({
        vendor: 'gong',
        path: '/v2/*',
        status: 429,
        retryAfter: 900,
      });
      expect((await stage.create(secretId)).body.code).toBe('vendor_rate_limited');
      stage.service.sandbox.control.faults.clear();
      expect((await stage.create(secretId)).status).toBe(201);
    });

    test('keeps the tokens that were renewed at the check, when what follows fails', async () => {
      stage.service.sandbox.control.vendor('gong').settings.set({ accessTokenLifetimeSeconds: 0 });
      const secretId = await stage.secretOf();
      stage.service.sandbox.control.vendor('gong').settings.set({ accessTokenLifetimeSeconds: 3600 });
      stage.service.sandbox.control.faults.add({
        vendor: 'gong',
        path: '/v2/*',
        status: 429,
        retryAfter: 900,
      });
      expect((await stage.create(secretId)).body.code).toBe('vendor_rate_limited');
      stage.service.sandbox.control.faults.clear();
      // The first refresh token is spent by now.
      expect((await stage.create(secretId)).status).toBe(201);
      expect(stage.service.sandbox.control.requests.count({ operation: 'refresh token' })).toBe(1);
    });
  });

  describe('re-authentication', () => {
    const patch = (id: string, body: unknown) =>
      stage.service.ask('PATCH', `${connectors}/${id}`, { ...stage.asWidget, body });

    test('replaces the credentials of the same connector', async () => {
      const { body: made } = await stage.create(await stage.secretOf());
      stage.service.sandbox.control.vendor('gong').act('revoke-consent', {});
      const check = () => stage.service.ask('POST', `${connectors}/${made.id}/check`, { token: stage.token });
      expect((await check()).body.status).toBe('unhealthy');
      const shown = await stage.service.ask('GET', `${connectors}/${made.id}`, { token: stage.token });
      expect(shown.body.status).toBe('needs_reauth');

      const secretId = await stage.secretOf({ connector_id: made.id });
      const told = await patch(made.id, { server_side_oauth_secret_id: secretId });
      expect(told.status, told.text).toBe(200);
      expect(told.body).toMatchObject({ id: made.id, status: 'active' });
      expect((await check()).body.status).toBe('healthy');
      expect((await patch(made.id, { server_side_oauth_secret_id: secretId })).status).toBe(200);
      expect(await database().kysely.selectFrom('connectors').select('id').execute()).toHaveLength(1);
    });

    test('notices another vendor account, and changes over only when told to', async () => {
      const { body: made } = await stage.create(await stage.secretOf());
      const secretId = await stage.secretOf({ connector_id: made.id }, 'northquay');
      const told = await patch(made.id, { server_side_oauth_secret_id: secretId });
      expect(told.status).toBe(409);
      expect(told.body.code).toBe('different_account');
      const replaced = await patch(made.id, {
        server_side_oauth_secret_id: secretId,
        replace_account: true,
      });
      expect(replaced.status).toBe(200);
    });

    test('of one connector makes no other, and re-authenticates no other', async () => {
      const { body: first } = await stage.create(await stage.secretOf());
      const { body: second } = await stage.create(await stage.secretOf());
      const secretId = await stage.secretOf({ connector_id: first.id });
      expect((await stage.create(secretId)).body.code).toBe('secret_id_invalid');
      expect((await patch(second.id, { server_side_oauth_secret_id: secretId })).body.code).toBe(
        'secret_id_invalid',
      );
      expect((await patch(first.id, { server_side_oauth_secret_id: secretId })).status).toBe(200);
    });

    test('is refused for a connector of another kind, of another customer, of nobody', async () => {
      const { body: made } = await stage.create(await stage.secretOf());
      const beta = await stage.service.customerToken(stage.token, {
        customer_name: 'beta',
        allowed_origin: page,
      });
      const elsewhere = await stage.initiate({ connector_id: made.id }, { ...stage.asWidget, token: beta });
      expect(elsewhere.body.code).toBe('connector_not_found');
      const named = await stage.initiate(
        { connector_id: made.id, customer_name: 'beta', redirect_url: back },
        { token: stage.token, headers: {} },
      );
      expect(named.body.code).toBe('connector_not_found');
      const nobody = await stage.initiate({ connector_id: crypto.randomUUID() });
      expect(nobody.body.code).toBe('connector_not_found');
    });
  });
});
