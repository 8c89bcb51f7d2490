import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { connectors, page, useConsentHarness, verifier } from '../../../test/consent-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import type { RequestOptions, TestResponse } from '../../../test/test-service.ts';

onPostgresOrEachEngineInFull('the accounts of a consent', database => {
  const harness = useConsentHarness(database);

  const withVerifier = { 'x-oauth-verifier': verifier };
  const list = (id: string, headers: RequestOptions['headers'] = withVerifier, token?: string) =>
    harness.service.ask('GET', `${connectors}/oauth/sessions/${id}/accounts`, {
      token: token ?? harness.asWidget.token,
      headers: { origin: page, ...headers },
    });
  /** Completes a consent, and returns its session id and secret id. */
  const consent = async (changes: object = {}): Promise<{ id: string; secretId: string }> => {
    const started = await harness.begin({ ...changes });
    await harness.browser.consent(started, `${page}/`);
    const id = started.session_id;
    return { id, secretId: String((await harness.status(id)).body.secret_id) };
  };
  const codeOf = ({ status, body }: TestResponse) => [status, body.code];
  const gong = () => harness.service.sandbox.control.vendor('gong').settings;
  const refreshes = () => harness.service.sandbox.control.requests.count({ operation: 'refresh token' });

  test('are listed with the verifier or the secret id', async () => {
    const { id, secretId } = await consent();
    const response = await list(id);
    expect(response.status, response.text).toBe(200);
    expect(response.body).toMatchObject({ is_complete: true, selected: null });
    expect(response.body.accounts.length).toBeGreaterThan(1);
    expect(response.body.accounts[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: expect.any(String),
      detail: null,
      selectable: true,
      reason: null,
    });
    expect((await list(id, { 'x-oauth-secret-id': secretId })).body).toEqual(response.body);
    expect((await list(id, { ...withVerifier, 'x-oauth-secret-id': secretId })).status).toBe(200);
  });

  test('can be chosen when the connector is created', async () => {
    const { id, secretId } = await consent();
    const chosen = [(await list(id)).body.accounts[0].id];
    const created = await harness.create(secretId, { replication_config: { workspace_ids: chosen } });
    expect(created.body.replication_config).toEqual({ workspace_ids: chosen });
    const path = `${connectors}/${created.body.id}/accounts`;
    const { body } = await harness.service.ask('GET', path, harness.asWidget);
    expect(body).toMatchObject({ selected: chosen, daily_requests_per_account: 240 });
  });

  test('take as many requests a day as the organization has syncs', async () => {
    const { id } = await consent();
    const estimate = async () => (await list(id)).body.daily_requests_per_account;
    const every = (minutes: number | null) =>
      database().kysely.updateTable('organizations').set({ sync_interval_minutes: minutes }).execute();
    await every(30);
    expect(await estimate()).toBe(480);
    await every(null);
    expect(await estimate()).toBe(240);
  });

  test('show the present choice when an existing connector is reconnected', async () => {
    const first = await consent();
    const chosen = [(await list(first.id)).body.accounts[0].id];
    const replication_config = { workspace_ids: chosen };
    const { body: made } = await harness.create(first.secretId, { replication_config });
    const second = await consent({ connector_id: made.id });
    expect((await list(second.id)).body.selected).toEqual(chosen);
  });

  describe('are not shown', () => {
    const other = randomBytes(32).toString('base64url');
    test.each([
      ['without a verifier', {}, 400, 'malformed_request'],
      ['with another verifier', { 'x-oauth-verifier': other }, 403, 'verifier_wrong'],
      ['with another secret id', { 'x-oauth-secret-id': other }, 422, 'secret_id_invalid'],
      [
        'with the verifier and another secret id',
        { ...withVerifier, 'x-oauth-secret-id': other },
        422,
        'secret_id_invalid',
      ],
    ])('%s', async (_title, headers, status, code) => {
      const { id } = await consent();
      expect(codeOf(await list(id, headers))).toEqual([status, code]);
      expect(harness.service.logged()).not.toContain(other);
    });

    test('with another verifier and the right secret id', async () => {
      const { id, secretId } = await consent();
      const headers = { 'x-oauth-verifier': other, 'x-oauth-secret-id': secretId };
      expect(codeOf(await list(id, headers))).toEqual([403, 'verifier_wrong']);
    });

    test('to another customer or another organization, even with the verifier', async () => {
      const { id } = await consent();
      const { service, token } = harness;
      const foreign = await service.tokenOf(await service.addApplication('other', ['Other']));
      const widgetOf = (application: string, customer_name: string): Promise<string> =>
        service.customerToken(application, { customer_name, allowed_origin: page });
      for (const as of [await widgetOf(token, 'beta'), await widgetOf(foreign, 'acme')]) {
        expect(codeOf(await list(id, withVerifier, as))).toEqual([404, 'oauth_session_not_found']);
      }
    });

    test('to the same customer with a token that cannot create connectors or use the source', async () => {
      const { id } = await consent();
      const mint = (more: object): Promise<string> =>
        harness.service.customerToken(harness.token, {
          customer_name: 'acme',
          allowed_origin: page,
          ...more,
        });
      const settingsOnly = await mint({ allowed_management: ['settings', 'reconnect'] });
      expect(codeOf(await list(id, withVerifier, settingsOnly))).toEqual([403, 'management_not_allowed']);
      const elsewhere = await mint({ allowed_sources: ['granola'] });
      expect(codeOf(await list(id, withVerifier, elsewhere))).toEqual([403, 'source_not_allowed']);
    });

    test('before the user consents, and after the consent was cancelled', async () => {
      const { session_id: id } = await harness.begin();
      expect(codeOf(await list(id))).toEqual([422, 'secret_id_invalid']);
      await harness.service.ask('DELETE', `${connectors}/oauth/sessions/${id}`, harness.asWidget);
      const response = await list(id);
      expect(codeOf(response)).toEqual([422, 'secret_id_invalid']);
      expect(response.body.detail).toContain('denied');
    });

    test('once a connector has the grant, which lists them itself', async () => {
      const { id, secretId } = await consent();
      const { body: made } = await harness.create(secretId);
      const response = await list(id);
      expect(codeOf(response)).toEqual([422, 'secret_id_invalid']);
      expect(response.body.detail).toContain(`/connectors/${made.id}/accounts`);
    });

    test('more than 20 times', async () => {
      const { id } = await consent();
      await sql`update oauth_sessions set account_listings = 19`.execute(database().kysely);
      const last = await list(id);
      expect([last.status, last.headers['ratelimit-policy']]).toEqual([
        200,
        '"session-accounts";q=20;w=1800',
      ]);
      harness.service.sandbox.control.requests.clear();
      const rejected = await list(id);
      expect(codeOf(rejected)).toEqual([429, 'rate_limited']);
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(1_000);
      expect(harness.service.sandbox.control.requests.list()).toEqual([]);
    });
  });

  test('can be chosen for 30 minutes, and without a challenge for 10', async () => {
    const minutesLeft = async (id: string): Promise<number> => {
      const expiresAt = Date.parse((await harness.status(id, { headers: {} })).body.expires_at);
      return Math.round((expiresAt - Date.now()) / 60_000);
    };
    const { id } = await consent();
    expect(await minutesLeft(id)).toBe(30);
    const started = await harness.begin({ challenge: undefined, redirect_url: `${page}/connected` });
    await harness.browser.consent(started, `${page}/`);
    const look = { token: harness.asWidget.token, headers: { origin: page } };
    const path = `${connectors}/oauth/sessions/${started.session_id}`;
    const { body } = await harness.service.ask('GET', path, look);
    expect(Math.round((Date.parse(body.expires_at) - Date.now()) / 60_000)).toBe(10);
  });

  describe('with a refresh token that can be used once', () => {
    test('leave the refreshed grant for the connector', async () => {
      gong().set({ accessTokenLifetimeSeconds: 0 });
      const { id, secretId } = await consent();
      gong().set({ accessTokenLifetimeSeconds: 3600 });
      expect((await list(id)).status).toBe(200);
      expect((await harness.create(secretId)).status).toBe(201);
      expect(refreshes()).toBe(1);
    });

    test('refresh it once, even if several requests need it at the same time', async () => {
      gong().set({ accessTokenLifetimeSeconds: 0 });
      const { id, secretId } = await consent();
      gong().set({ accessTokenLifetimeSeconds: 3600 });
      const [created, ...listed] = await Promise.all([
        harness.create(secretId),
        list(id),
        list(id),
        list(id),
      ]);
      expect(created.status).toBe(201);
      // The connector may have been created first.
      expect(listed.every(({ status }) => status === 200 || status === 422)).toBe(true);
      expect(refreshes()).toBe(1);
    });

    test('keep it after the vendor failed', async () => {
      gong().set({ accessTokenLifetimeSeconds: 0 });
      const { id, secretId } = await consent();
      gong().set({ accessTokenLifetimeSeconds: 3600 });
      const fault = { vendor: 'gong', path: '/v2/*', status: 429, retryAfter: 900 } as const;
      harness.service.sandbox.control.faults.add(fault);
      expect((await list(id)).body.code).toBe('vendor_rate_limited');
      harness.service.sandbox.control.faults.clear();
      expect((await list(id)).status).toBe(200);
      expect((await harness.create(secretId)).status).toBe(201);
      expect(refreshes()).toBe(1);
    });
  });

  test('are unknown to a vendor that no longer accepts the grant', async () => {
    const { id } = await consent();
    harness.service.sandbox.control.vendor('gong').act('revoke-consent', {});
    expect(codeOf(await list(id))).toEqual([424, 'reauthentication_required']);
  });

  test('are not for a page to choose if its token fixes them', async () => {
    const { service, token } = harness;
    const replication_defaults = { gong: { workspace_ids: ['8374019265527013'] } };
    const fixed = await service.customerToken(token, {
      customer_name: 'acme',
      allowed_origin: page,
      replication_defaults,
    });
    const path = '/api/v1/integrations/definitions/sources';
    const { body: list } = await service.ask('GET', path, { ...harness.asWidget, token: fixed });
    const gong = list.definitions.find(({ name }: { name: string }) => name === 'Gong');
    const detail = await service.ask('GET', `${path}/${gong.sourceDefinitionId}`, {
      ...harness.asWidget,
      token: fixed,
    });
    expect([gong, detail.body]).toMatchObject([{ accounts_setting: null }, { accounts_setting: null }]);
    expect(detail.body.auth_methods).toContainEqual(
      expect.objectContaining({ type: 'oauth', lists_accounts: false }),
    );
  });

  describe('of a connector', () => {
    const createdFrom = async (): Promise<string> => {
      const { secretId } = await consent();
      return (await harness.create(secretId)).body.id;
    };
    const listOf = (id: string, asking: RequestOptions = harness.asWidget): Promise<TestResponse> =>
      harness.service.ask('GET', `${connectors}/${id}/accounts`, asking);

    test('are listed and changed later', async () => {
      const id = await createdFrom();
      const { body } = await listOf(id);
      expect(body.selected).toBeNull();
      const replication_config = { workspace_ids: [body.accounts.at(-1).id] };
      const asking = { ...harness.asWidget, body: { replication_config } };
      const changed = await harness.service.ask('PATCH', `${connectors}/${id}`, asking);
      expect(changed.body.replication_config).toEqual(replication_config);
      expect((await listOf(id)).body.selected).toEqual(replication_config.workspace_ids);
    });

    test('need the right to change settings', async () => {
      const id = await createdFrom();
      const token = await harness.service.customerToken(harness.token, {
        customer_name: 'acme',
        allowed_origin: page,
        allowed_management: ['create', 'reconnect', 'rename', 'delete'],
      });
      expect(codeOf(await listOf(id, { ...harness.asWidget, token }))).toEqual([
        403,
        'management_not_allowed',
      ]);
    });

    test('are not shown to another customer or another organization', async () => {
      const id = await createdFrom();
      const { service, token } = harness;
      const foreign = await service.tokenOf(await service.addApplication('other', ['Other']));
      const beta = await service.customerToken(token, { customer_name: 'beta', allowed_origin: page });
      expect(codeOf(await listOf(id, { ...harness.asWidget, token: beta }))).toEqual([
        404,
        'connector_not_found',
      ]);
      expect(codeOf(await listOf(id, { token: foreign }))).toEqual([404, 'connector_not_found']);
    });

    test('are an empty list if the source has none, and the vendor is not called', async () => {
      const { service, token } = harness;
      const body = {
        customer_name: 'acme',
        connector_type: 'granola',
        name: 'Notes',
        credentials: { api_key: 'grn_sandbox_demo' },
      };
      const created = await service.ask('POST', connectors, { token, body });
      service.sandbox.control.requests.clear();
      const response = await listOf(created.body.id, { token });
      expect([response.status, response.body]).toEqual([
        200,
        { accounts: [], is_complete: true, selected: null, daily_requests_per_account: null },
      ]);
      expect(service.sandbox.control.requests.list()).toEqual([]);
    });
  });
});
