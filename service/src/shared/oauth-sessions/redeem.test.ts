import { describe, expect, test } from 'vitest';
import { connectors, page, useConsentHarness } from '../../../test/consent-harness.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';

const back = `${page}/connected`;

onPostgresOrEachEngineInFull('redeeming a secret id', database => {
  const harness = useConsentHarness(database);

  describe('a secret id', () => {
    test('creates one connector when requests with a secret id are repeated or concurrent', async () => {
      const secretId = await harness.secretOf();
      const response = await Promise.all(Array.from({ length: 6 }, () => harness.create(secretId)));
      expect(response.map(({ status }) => status)).toEqual(Array(6).fill(201));
      expect(new Set(response.map(({ body }) => body.id)).size).toBe(1);
      const later = await harness.create(secretId, { name: 'Another name' });
      expect(later.body.id).toBe(response[0]?.body.id);
      expect(await database().kysely.selectFrom('connectors').select('id').execute()).toHaveLength(1);
    });

    test('returns the same connector for a secret id regardless of the idempotency key', async () => {
      const secretId = await harness.secretOf();
      const headers = { origin: page, 'idempotency-key': 'k1' };
      const first = await harness.create(secretId, {}, { headers });
      const second = await harness.create(secretId, {}, { headers });
      const third = await harness.create(
        secretId,
        {},
        { headers: { origin: page, 'idempotency-key': 'k2' } },
      );
      expect([second.body, third.body]).toEqual([first.body, first.body]);
    });

    test('gives a token no connector with more access than its own', async () => {
      const mint = async (access: string) => ({
        token: await harness.service.customerToken(harness.token, { customer_name: 'acme', access }),
        headers: {},
      });
      const ofWrite = await harness.secretOf();
      const { body: own } = await harness.create(ofWrite, {}, await mint('write'));
      expect((await harness.create(ofWrite, {}, await mint('read'))).body.code).toBe('secret_id_invalid');
      expect((await harness.create(ofWrite, {}, await mint('write'))).body.id).toBe(own.id);
      const reconnect = async (secretId: string, access: string) =>
        harness.service.ask('PATCH', `${connectors}/${own.id}`, {
          ...(await mint(access)),
          body: { server_side_oauth_secret_id: secretId },
        });
      const second = await harness.secretOf();
      expect((await reconnect(second, 'write')).body.access).toBe('write');
      expect((await reconnect(second, 'read')).body.code).toBe('secret_id_invalid');
      const third = await harness.secretOf();
      for (let sent = 0; sent < 2; sent++) expect((await reconnect(third, 'read')).body.access).toBe('read');
    });

    test.each([
      ['from another customer', { customer_name: 'beta' }],
      ['from a customer that does not exist', { customer_name: 'unknown' }],
      ['for another kind', { connector_type: 'tiktok-marketing', customer_name: 'acme' }],
      ['that is unknown', { server_side_oauth_secret_id: 'x'.repeat(43), customer_name: 'acme' }],
    ])('rejects a secret id %s, and leaves the valid one usable', async (_title, changes) => {
      const secretId = await harness.secretOf();
      await harness.service.customerToken(harness.token, { customer_name: 'beta' });
      const before = await readDatabaseContents(database());
      const response = await harness.create(secretId, changes, { token: harness.token, headers: {} });
      expect(response.status).toBe(422);
      expect(response.body).toMatchObject({
        code: 'secret_id_invalid',
        errors: [{ path: 'server_side_oauth_secret_id' }],
      });
      expect(await readDatabaseContents(database())).toEqual(before);
      expect((await harness.create(secretId)).status).toBe(201);
    });

    test('rejects a secret id in another organization that has a customer with the same name', async () => {
      const secretId = await harness.secretOf();
      const other = await harness.service.tokenOf(await harness.service.addApplication('other', ['Other']));
      await harness.service.customerToken(other, { customer_name: 'acme' });
      const response = await harness.create(
        secretId,
        { customer_name: 'acme' },
        { token: other, headers: {} },
      );
      expect(response.body.code).toBe('secret_id_invalid');
    });

    test('rejects a secret id after ten minutes', async () => {
      const secretId = await harness.secretOf();
      await database()
        .kysely.updateTable('oauth_sessions')
        .set({ secret_expires_at: new Date(Date.now() - 1) })
        .execute();
      expect((await harness.create(secretId)).body.code).toBe('secret_id_invalid');
    });

    test('says that a secret id expired while its grant was verified', async () => {
      const { service } = harness;
      const secretId = await harness.secretOf();
      const held = service.holdVendorRequest();
      const creating = harness.create(secretId);
      const release = await held;
      await database().kysely.updateTable('oauth_sessions').set({ credentials: null }).execute();
      release();
      const { errors } = (await creating).body;
      expect(errors).toMatchObject([{ message: expect.stringContaining('expired') }]);
    });

    test('rejects a secret id after its connector was deleted', async () => {
      const secretId = await harness.secretOf();
      const { body: made } = await harness.create(secretId);
      await harness.service.ask('DELETE', `${connectors}/${made.id}`, { token: harness.token });
      expect((await harness.create(secretId)).body.code).toBe('secret_id_invalid');
    });

    test.each([
      ['together with credentials', { credentials: { access_key: 'a', access_key_secret: 'b' } }],
      ['as a number', { server_side_oauth_secret_id: 7 }],
      ['as an empty string', { server_side_oauth_secret_id: '' }],
    ])('rejects a secret id that is sent %s', async (_title, changes) => {
      expect((await harness.create('x', changes)).status).toBe(400);
    });

    test('rejects a secret id with settings that the kind does not declare', async () => {
      const response = await harness.create(await harness.secretOf(), {
        replication_config: { folder: 'x' },
      });
      expect(response.body).toMatchObject({
        code: 'invalid_credentials',
        errors: [{ path: 'replication_config.folder' }],
      });
    });

    test('keeps the secret id valid if the vendor fails during verification', async () => {
      const secretId = await harness.secretOf();
      harness.service.sandbox.control.faults.add({
        vendor: 'gong',
        path: '/v2/*',
        status: 429,
        retryAfter: 900,
      });
      expect((await harness.create(secretId)).body.code).toBe('vendor_rate_limited');
      harness.service.sandbox.control.faults.clear();
      expect((await harness.create(secretId)).status).toBe(201);
    });

    test('keeps tokens that were refreshed during a failed verification', async () => {
      harness.service.sandbox.control.vendor('gong').settings.set({ accessTokenLifetimeSeconds: 0 });
      const secretId = await harness.secretOf();
      harness.service.sandbox.control.vendor('gong').settings.set({ accessTokenLifetimeSeconds: 3600 });
      harness.service.sandbox.control.faults.add({
        vendor: 'gong',
        path: '/v2/*',
        status: 429,
        retryAfter: 900,
      });
      expect((await harness.create(secretId)).body.code).toBe('vendor_rate_limited');
      harness.service.sandbox.control.faults.clear();
      // By now, the first refresh token has been used.
      expect((await harness.create(secretId)).status).toBe(201);
      expect(harness.service.sandbox.control.requests.count({ operation: 'refresh token' })).toBe(1);
    });
  });

  describe('re-authentication with a secret id', () => {
    const patch = (id: string, body: unknown) =>
      harness.service.ask('PATCH', `${connectors}/${id}`, { ...harness.asWidget, body });

    test('replaces a connector’s credentials in place', async () => {
      const { body: made } = await harness.create(await harness.secretOf());
      harness.service.sandbox.control.vendor('gong').act('revoke-consent', {});
      const check = () =>
        harness.service.ask('POST', `${connectors}/${made.id}/check`, { token: harness.token });
      expect((await check()).body.status).toBe('unhealthy');
      const shown = await harness.service.ask('GET', `${connectors}/${made.id}`, { token: harness.token });
      expect(shown.body.status).toBe('needs_reauth');

      const secretId = await harness.secretOf({ connector_id: made.id });
      const response = await patch(made.id, { server_side_oauth_secret_id: secretId });
      expect(response.status, response.text).toBe(200);
      expect(response.body).toMatchObject({ id: made.id, status: 'active' });
      expect((await check()).body.status).toBe('healthy');
      expect((await patch(made.id, { server_side_oauth_secret_id: secretId })).status).toBe(200);
      expect(await database().kysely.selectFrom('connectors').select('id').execute()).toHaveLength(1);
    });

    test('detects a different vendor account, and switches only with replace_account', async () => {
      const { body: made } = await harness.create(await harness.secretOf());
      const secretId = await harness.secretOf({ connector_id: made.id }, 'northquay');
      const response = await patch(made.id, { server_side_oauth_secret_id: secretId });
      expect(response.status).toBe(409);
      expect(response.body.code).toBe('different_account');
      const replaced = await patch(made.id, {
        server_side_oauth_secret_id: secretId,
        replace_account: true,
      });
      expect(replaced.status).toBe(200);
    });

    test('accepts the secret id only for the connector that it was requested for', async () => {
      const { body: first } = await harness.create(await harness.secretOf());
      const { body: second } = await harness.create(await harness.secretOf());
      const secretId = await harness.secretOf({ connector_id: first.id });
      expect((await harness.create(secretId)).body.code).toBe('secret_id_invalid');
      expect((await patch(second.id, { server_side_oauth_secret_id: secretId })).body.code).toBe(
        'secret_id_invalid',
      );
      expect((await patch(first.id, { server_side_oauth_secret_id: secretId })).status).toBe(200);
    });

    test('rejects re-authentication of another customer’s connector or of an unknown connector', async () => {
      const { body: made } = await harness.create(await harness.secretOf());
      const beta = await harness.service.customerToken(harness.token, {
        customer_name: 'beta',
        allowed_origin: page,
      });
      const elsewhere = await harness.initiate(
        { connector_id: made.id },
        { ...harness.asWidget, token: beta },
      );
      expect(elsewhere.body.code).toBe('connector_not_found');
      const named = await harness.initiate(
        { connector_id: made.id, customer_name: 'beta', redirect_url: back },
        { token: harness.token, headers: {} },
      );
      expect(named.body.code).toBe('connector_not_found');
      const unknown = await harness.initiate({ connector_id: crypto.randomUUID() });
      expect(unknown.body.code).toBe('connector_not_found');
    });
  });
});
