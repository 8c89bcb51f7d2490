import { createHash, randomBytes } from 'node:crypto';
import { kinds } from '@connector-auth/connectors';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { consentKind, platformApps } from '../../test/consent.ts';
import { onEachEngine } from '../../test/engines.ts';
import { Person } from '../../test/person.ts';
import { startService, type Asking, type StartedService } from '../../test/started-service.ts';
import { storedRows } from '../../test/stored-rows.ts';

const publicUrl = 'http://localhost:4321';
const completion = `${publicUrl}/oauth/complete`;
const page = 'http://127.0.0.1:5555';
const back = `${page}/connected?from=settings`;
const connectors = '/api/v1/integrations/connectors';

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

onEachEngine('consent', database => {
  let service: StartedService;
  let token: string;
  let widget: string;
  let person: Person;

  beforeAll(async () => {
    service = await startService(database(), { publicUrl, oauthApps: platformApps });
    token = await service.tokenOf(await service.addApplication('own', ['Acme Analytics']));
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('customers').execute();
    service.sandbox.control.reset();
    widget = await service.customerToken(token, { customer_name: 'acme', allowed_origin: page });
    person = new Person(service, publicUrl);
    return () => person.leave();
  });
  afterAll(() => service.close());

  const asWidget = { headers: { origin: page } };

  const initiate = async (changes: Readonly<Record<string, unknown>> = {}, asking: Asking = {}) => {
    const body = { connector_type: 'gong', redirect_url: completion, challenge, ...changes };
    return service.ask('POST', `${connectors}/oauth/initiate`, {
      token: widget,
      ...asWidget,
      ...asking,
      body,
    });
  };
  const begin = async (changes: Readonly<Record<string, unknown>> = {}) => {
    const told = await initiate(changes);
    expect(told.status, told.text).toBe(200);
    return told.body as { consent_url: string; session_id: string; expires_at: string };
  };
  const status = (id: string, { query = '', headers = {}, ...asking }: Asking & { query?: string } = {}) =>
    service.ask('GET', `${connectors}/oauth/sessions/${id}${query}`, {
      token: widget,
      headers: { origin: page, 'x-oauth-verifier': verifier, ...headers },
      ...asking,
    });
  const create = (secretId: unknown, changes: Readonly<Record<string, unknown>> = {}, asking: Asking = {}) =>
    service.ask('POST', connectors, {
      token: widget,
      ...asWidget,
      ...asking,
      body: { connector_type: 'gong', name: 'Calls', server_side_oauth_secret_id: secretId, ...changes },
    });
  const secretOf = async (changes: Readonly<Record<string, unknown>> = {}, account?: string) => {
    const { consent_url, session_id } = await begin(changes);
    await person.consent(consent_url, `${page}/`, 'allow', account);
    return String((await status(session_id)).body.secret_id);
  };

  describe('from a widget', () => {
    test('goes to the vendor and back, and becomes a connector that works', async () => {
      const { consent_url, session_id, expires_at } = await begin();
      expect(consent_url).toBe(`${publicUrl}/oauth/start/${session_id}`);
      expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(595_000);
      expect((await status(session_id)).body).toEqual({
        session_id,
        connector_type: 'gong',
        status: 'pending',
        expires_at,
        secret_id: null,
        connector_id: null,
        error: null,
      });

      const vendorUrl = new URL(await person.reachVendor(consent_url, `${page}/settings`));
      expect(vendorUrl.href).toContain(`${service.sandbox.url}/app.gong.io/oauth2/authorize?`);
      const asked = Object.fromEntries(vendorUrl.searchParams);
      expect(asked).toMatchObject({
        client_id: 'gong_sandbox_client',
        response_type: 'code',
        redirect_uri: `${publicUrl}/oauth/callback`,
        scope: expect.stringContaining('api:calls:read:basic'),
        state: expect.stringMatching(/^[\w-]{43}$/),
      });
      const landed = await person.visit(await person.decide(vendorUrl.href, 'allow'));
      expect(landed.location).toBe(`${completion}?session_id=${session_id}`);

      const completed = await status(session_id);
      expect(completed.body).toMatchObject({
        status: 'completed',
        secret_id: expect.stringMatching(/^[\w-]{43}$/),
        connector_id: null,
        error: null,
      });
      const { secret_id } = completed.body;
      const made = await create(secret_id);
      expect(made.status, made.text).toBe(201);
      expect(made.body).toMatchObject({ connector_type: 'gong', auth_method: 'oauth', status: 'active' });
      const executed = await service.ask('POST', `${connectors}/${made.body.id}/execute`, {
        token,
        body: { entity: 'users', action: 'list' },
      });
      expect(executed.body.result.length).toBeGreaterThan(10);
      expect((await status(session_id)).body).toMatchObject({ secret_id: null, connector_id: made.body.id });

      for (const secret of [secret_id, asked['state'], verifier])
        expect(service.logged()).not.toContain(secret);
    });

    test('shows on its own page what happened, and tells no address but the page’s', async () => {
      const { consent_url, session_id } = await begin();
      const location = await person.consent(consent_url, `${page}/`);
      const shown = await person.visit(location, { headers: { 'accept-language': 'de-AT,en;q=0.5' } });
      expect(shown.status).toBe(200);
      expect(shown.text).toContain('<html lang="de" dir="ltr">');
      expect(shown.text).toContain('Zugriff erlaubt');
      expect(shown.text).toContain(`data-session="${session_id}"`);
      expect(shown.text).toContain(`data-origin="${page}"`);
      expect(shown.headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'unsafe-none',
      });
      const policy = String(shown.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    });

    test('is denied at the vendor: nothing is stored, and the session says so', async () => {
      const { consent_url, session_id } = await begin();
      const before = await database().kysely.selectFrom('connectors').select('id').execute();
      const location = await person.consent(consent_url, `${page}/`, 'deny');
      expect(location).toBe(`${completion}?session_id=${session_id}`);
      expect((await status(session_id)).body).toMatchObject({
        status: 'denied',
        secret_id: null,
        error: { code: 'access_denied' },
      });
      expect((await person.visit(location)).text).toContain('Not connected');
      expect(await database().kysely.selectFrom('connectors').select('id').execute()).toEqual(before);
    });

    test('is given up: a consent that comes later is worth nothing', async () => {
      const { consent_url, session_id } = await begin();
      const vendorUrl = await person.reachVendor(consent_url, `${page}/`);
      const cancelled = await service.ask('DELETE', `${connectors}/oauth/sessions/${session_id}`, {
        token: widget,
        ...asWidget,
      });
      expect(cancelled.status).toBe(204);
      expect((await status(session_id)).body).toMatchObject({
        status: 'denied',
        error: { code: 'cancelled' },
      });
      const landed = await person.visit(await person.decide(vendorUrl, 'allow'));
      expect(landed.status).toBe(400);
      expect(landed.text).toContain('Already answered');
      expect(service.sandbox.control.requests.count({ operation: 'exchange code' })).toBe(0);
    });

    test('is given up after consent: the secret id is worth nothing', async () => {
      const { consent_url, session_id } = await begin();
      await person.consent(consent_url, `${page}/`);
      const { secret_id } = (await status(session_id)).body;
      await service.ask('DELETE', `${connectors}/oauth/sessions/${session_id}`, {
        token: widget,
        ...asWidget,
      });
      expect((await create(secret_id)).body.code).toBe('secret_id_invalid');
    });
  });

  describe('from a backend', () => {
    const asBackend = () => ({ token, headers: {} });
    const fromBackend = { customer_name: 'acme', redirect_url: back, challenge: undefined };

    test('ends at its own URL with a secret id, or with an error', async () => {
      const told = await initiate(fromBackend, asBackend());
      expect(told.status, told.text).toBe(200);
      const allowed = new URL(await person.consent(told.body.consent_url, `${page}/`));
      expect(allowed.href).toMatch(
        /^http:\/\/127\.0\.0\.1:5555\/connected\?from=settings&secret_id=[\w-]{43}$/,
      );
      const secretId = allowed.searchParams.get('secret_id');
      const made = await create(secretId, { customer_name: 'acme' }, asBackend());
      expect(made.status, made.text).toBe(201);

      const again = await initiate(fromBackend, asBackend());
      const denied = new URL(await person.consent(again.body.consent_url, `${page}/`, 'deny'));
      expect(Object.fromEntries(denied.searchParams)).toEqual({
        from: 'settings',
        error: 'access_denied',
        error_description: expect.any(String),
      });
    });

    test('ends at a URL of its own whose query pretends to know better', async () => {
      const redirect_url = `${page}/connected?secret_id=forged&error=x&error_description=y`;
      const told = await initiate({ ...fromBackend, redirect_url }, asBackend());
      const allowed = new URL(await person.consent(told.body.consent_url, `${page}/`));
      expect([...allowed.searchParams.keys()]).toEqual(['secret_id']);
      expect(allowed.searchParams.get('secret_id')).not.toBe('forged');
    });

    test('creates the customer on first use', async () => {
      await initiate({ ...fromBackend, customer_name: 'brand new' }, asBackend());
      const { body } = await service.ask('GET', '/api/v1/customers', { token });
      expect(body.data.map(({ name }: { name: string }) => name)).toContain('brand new');
    });
  });

  describe('a status request', () => {
    test('is held open, and answered at once when the person has decided', async () => {
      const { consent_url, session_id } = await begin();
      const vendorUrl = await person.reachVendor(consent_url, `${page}/`);
      const held = status(session_id, { query: '?wait=25' }).then(told => ({ told, at: performance.now() }));
      const callback = await person.decide(vendorUrl, 'allow');
      const startedAt = performance.now();
      await person.visit(callback);
      const { told, at } = await held;
      expect(told.body.status).toBe('completed');
      expect(at - startedAt).toBeLessThan(1_000);
    });

    test('is answered at the end of its wait when nothing happened', async () => {
      const { session_id } = await begin();
      const startedAt = performance.now();
      expect((await status(session_id, { query: '?wait=1' })).body.status).toBe('pending');
      expect(performance.now() - startedAt).toBeGreaterThan(900);
    });

    test('tells no secret id without the verifier, and refuses a wrong one', async () => {
      const { consent_url, session_id } = await begin();
      await person.consent(consent_url, `${page}/`);
      const bare = await service.ask('GET', `${connectors}/oauth/sessions/${session_id}`, {
        token: widget,
        ...asWidget,
      });
      expect(bare.body).toMatchObject({ status: 'completed', secret_id: null });
      const wrong = await status(session_id, { headers: { 'x-oauth-verifier': 'w'.repeat(43) } });
      expect(wrong.body.code).toBe('verifier_wrong');
      const malformed = await status(session_id, { headers: { 'x-oauth-verifier': 'short' } });
      expect(malformed.body).toMatchObject({
        code: 'malformed_request',
        errors: [{ path: 'x-oauth-verifier' }],
      });
    });

    test('tells no secret id where there was no challenge', async () => {
      const { consent_url, session_id } = await begin({ redirect_url: back, challenge: undefined });
      await person.consent(consent_url, `${page}/`);
      expect((await status(session_id)).body).toMatchObject({ status: 'completed', secret_id: null });
    });

    test('says expired when the person took too long, and what came of it is refused', async () => {
      const { consent_url, session_id } = await begin();
      const callback = await person.decide(await person.reachVendor(consent_url, `${page}/`), 'allow');
      await database()
        .kysely.updateTable('oauth_sessions')
        .set({ expires_at: new Date(Date.now() - 1000) })
        .execute();
      expect((await status(session_id)).body.status).toBe('expired');
      const late = await person.visit(callback);
      expect(late.status).toBe(400);
      expect(late.text).toContain('This took too long');
      expect((await person.visit(consent_url, { referer: `${page}/` })).status).toBe(410);
      expect(service.sandbox.control.requests.count({ operation: 'exchange code' })).toBe(0);
    });

    test('says failed when the service died in the middle of the exchange', async () => {
      const { session_id } = await begin();
      await database()
        .kysely.updateTable('oauth_sessions')
        .set({ status: 'exchanging', claimed_at: new Date(Date.now() - 61_000) })
        .execute();
      expect((await status(session_id)).body).toMatchObject({
        status: 'failed',
        error: { code: 'interrupted' },
      });
    });
  });

  describe('a secret id', () => {
    test('makes one connector, however often and at once it is sent', async () => {
      const secretId = await secretOf();
      const told = await Promise.all(Array.from({ length: 6 }, () => create(secretId)));
      expect(told.map(({ status }) => status)).toEqual(Array(6).fill(201));
      expect(new Set(told.map(({ body }) => body.id)).size).toBe(1);
      const later = await create(secretId, { name: 'Another name' });
      expect(later.body.id).toBe(told[0]?.body.id);
      expect(await database().kysely.selectFrom('connectors').select('id').execute()).toHaveLength(1);
    });

    test('is answered with the same connector under an idempotency key', async () => {
      const secretId = await secretOf();
      const headers = { origin: page, 'idempotency-key': 'k1' };
      const first = await create(secretId, {}, { headers });
      const second = await create(secretId, {}, { headers });
      const third = await create(secretId, {}, { headers: { origin: page, 'idempotency-key': 'k2' } });
      expect([second.body, third.body]).toEqual([first.body, first.body]);
    });

    test.each([
      ['by another customer', { customer_name: 'beta' }],
      ['by a customer that does not exist', { customer_name: 'nobody' }],
      ['for another kind', { connector_type: 'tiktok-marketing', customer_name: 'acme' }],
      ['that nobody was given', { server_side_oauth_secret_id: 'x'.repeat(43), customer_name: 'acme' }],
    ])('is refused %s, and still works where it belongs', async (_title, changes) => {
      const secretId = await secretOf();
      await service.customerToken(token, { customer_name: 'beta' });
      const before = await storedRows(database());
      const told = await create(secretId, changes, { token, headers: {} });
      expect(told.status).toBe(422);
      expect(told.body).toMatchObject({
        code: 'secret_id_invalid',
        errors: [{ path: 'server_side_oauth_secret_id' }],
      });
      expect(await storedRows(database())).toEqual(before);
      expect((await create(secretId)).status).toBe(201);
    });

    test('is refused in another organization, where the customer has the same name', async () => {
      const secretId = await secretOf();
      const other = await service.tokenOf(await service.addApplication('other', ['Other']));
      await service.customerToken(other, { customer_name: 'acme' });
      const told = await create(secretId, { customer_name: 'acme' }, { token: other, headers: {} });
      expect(told.body.code).toBe('secret_id_invalid');
    });

    test('is refused after ten minutes, its grant forgotten', async () => {
      const secretId = await secretOf();
      await database()
        .kysely.updateTable('oauth_sessions')
        .set({ secret_expires_at: new Date(Date.now() - 1) })
        .execute();
      expect((await create(secretId)).body.code).toBe('secret_id_invalid');
    });

    test('is refused when the connector that was made with it is gone', async () => {
      const secretId = await secretOf();
      const { body: made } = await create(secretId);
      await service.ask('DELETE', `${connectors}/${made.id}`, { token });
      expect((await create(secretId)).body.code).toBe('secret_id_invalid');
    });

    test.each([
      ['together with credentials', { credentials: { access_key: 'a', access_key_secret: 'b' } }],
      ['as a number', { server_side_oauth_secret_id: 7 }],
      ['as an empty text', { server_side_oauth_secret_id: '' }],
    ])('is refused %s', async (_title, changes) => {
      expect((await create('x', changes)).status).toBe(400);
    });

    test('goes with settings that fit the kind only', async () => {
      const told = await create(await secretOf(), { replication_config: { folder: 'x' } });
      expect(told.body).toMatchObject({
        code: 'invalid_credentials',
        errors: [{ path: 'replication_config.folder' }],
      });
    });

    test('stays good when the vendor fails at the check', async () => {
      const secretId = await secretOf();
      service.sandbox.control.faults.add({ vendor: 'gong', path: '/v2/*', status: 429, retryAfter: 900 });
      expect((await create(secretId)).body.code).toBe('vendor_rate_limited');
      service.sandbox.control.faults.clear();
      expect((await create(secretId)).status).toBe(201);
    });

    test('keeps the tokens that were renewed at the check, when what follows fails', async () => {
      service.sandbox.control.vendor('gong').settings.set({ accessTokenLifetimeSeconds: 0 });
      const secretId = await secretOf();
      service.sandbox.control.vendor('gong').settings.set({ accessTokenLifetimeSeconds: 3600 });
      service.sandbox.control.faults.add({ vendor: 'gong', path: '/v2/*', status: 429, retryAfter: 900 });
      expect((await create(secretId)).body.code).toBe('vendor_rate_limited');
      service.sandbox.control.faults.clear();
      // The first refresh token is spent by now.
      expect((await create(secretId)).status).toBe(201);
      expect(service.sandbox.control.requests.count({ operation: 'refresh token' })).toBe(1);
    });
  });

  describe('re-authentication', () => {
    const patch = (id: string, body: unknown) =>
      service.ask('PATCH', `${connectors}/${id}`, { token: widget, ...asWidget, body });

    test('replaces the credentials of the same connector', async () => {
      const { body: made } = await create(await secretOf());
      service.sandbox.control.vendor('gong').act('revoke-consent', {});
      const check = () => service.ask('POST', `${connectors}/${made.id}/check`, { token });
      expect((await check()).body.status).toBe('unhealthy');
      const shown = await service.ask('GET', `${connectors}/${made.id}`, { token });
      expect(shown.body.status).toBe('needs_reauth');

      const secretId = await secretOf({ connector_id: made.id });
      const told = await patch(made.id, { server_side_oauth_secret_id: secretId });
      expect(told.status, told.text).toBe(200);
      expect(told.body).toMatchObject({ id: made.id, status: 'active' });
      expect((await check()).body.status).toBe('healthy');
      expect((await patch(made.id, { server_side_oauth_secret_id: secretId })).status).toBe(200);
      expect(await database().kysely.selectFrom('connectors').select('id').execute()).toHaveLength(1);
    });

    test('notices another vendor account, and changes over only when told to', async () => {
      const { body: made } = await create(await secretOf());
      const secretId = await secretOf({ connector_id: made.id }, 'northquay');
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
      const { body: first } = await create(await secretOf());
      const { body: second } = await create(await secretOf());
      const secretId = await secretOf({ connector_id: first.id });
      expect((await create(secretId)).body.code).toBe('secret_id_invalid');
      expect((await patch(second.id, { server_side_oauth_secret_id: secretId })).body.code).toBe(
        'secret_id_invalid',
      );
      expect((await patch(first.id, { server_side_oauth_secret_id: secretId })).status).toBe(200);
    });

    test('is refused for a connector of another kind, of another customer, of nobody', async () => {
      const { body: made } = await create(await secretOf());
      const beta = await service.customerToken(token, { customer_name: 'beta', allowed_origin: page });
      const elsewhere = await initiate({ connector_id: made.id }, { token: beta, ...asWidget });
      expect(elsewhere.body.code).toBe('connector_not_found');
      const named = await initiate(
        { connector_id: made.id, customer_name: 'beta', redirect_url: back },
        { token, headers: {} },
      );
      expect(named.body.code).toBe('connector_not_found');
      const nobody = await initiate({ connector_id: crypto.randomUUID() });
      expect(nobody.body.code).toBe('connector_not_found');
    });
  });

  test('a kind is offered with consent only where there is an OAuth app', async () => {
    for (const kind of kinds) {
      const { body } = await service.ask(
        'GET',
        `/api/v1/integrations/definitions/sources/${kind.definitionId}`,
        { token },
      );
      const offered = body.auth_methods.filter(({ type }: { type: string }) => type === 'oauth');
      expect(offered).toHaveLength(kind === consentKind ? 1 : 0);
      for (const { schema } of offered) expect(schema.properties).toEqual({});
    }
    const told = await initiate({ connector_type: 'tiktok-marketing' });
    expect(told.body).toMatchObject({
      code: 'oauth_not_offered',
      detail: expect.stringContaining('OAUTH_TIKTOK_MARKETING_CLIENT_ID'),
    });
    expect((await initiate({ connector_type: 'granola' })).body.code).toBe('oauth_not_offered');
  });
});
