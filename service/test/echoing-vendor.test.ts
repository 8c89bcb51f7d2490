import { createHash, randomBytes } from 'node:crypto';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullTest } from '../../scripts/full-test.ts';
import { allPlatformApps } from './consent.ts';
import { createEchoingVendor, type Echo, type EchoingVendor } from './echoing-vendor.ts';
import { onPostgresOrEachEngineInFull } from './engines.ts';
import { TestBrowser } from './test-browser.ts';
import { startTestService, type TestResponse, type TestService } from './test-service.ts';
import { until } from './until.ts';

const publicUrl = 'http://localhost:4321';
const connectors = '/api/v1/integrations/connectors';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** Each kind with an entity whose list calls the vendor. */
const kinds = [
  ['granola', 'notes'],
  ['gong', 'users'],
  ['google-ads', 'accessible_customers'],
  ['tiktok-marketing', 'campaigns'],
] as const;
const consentKinds = ['gong', 'google-ads', 'tiktok-marketing'] as const;
const failures = [400, 401, 403, 404, 429] as const;

onPostgresOrEachEngineInFull('a vendor that repeats everything it received', database => {
  let sandbox: RunningSandbox;
  let vendor: EchoingVendor;
  let service: TestService;
  let token: string;
  let browser: TestBrowser;
  const texts: string[] = [];

  beforeAll(async () => {
    sandbox = await startSandbox();
    vendor = createEchoingVendor(sandbox.url);
    const { transport } = vendor;
    service = await startTestService(database(), {
      publicUrl,
      oauthApps: allPlatformApps,
      sandbox,
      transport,
      // Retries wait for seconds.
      sleep: () => Promise.resolve(),
    });
    token = await service.tokenOf(await service.addApplication('own', ['Acme']));
    browser = new TestBrowser(service, publicUrl);
  });
  afterAll(async () => {
    await browser.leave();
    await service.close();
    await vendor.close();
    await sandbox.close();
  });

  const ask = async (...[method, path, options]: Parameters<TestService['ask']>): Promise<TestResponse> => {
    const response = await service.ask(method, path, { token, ...options });
    texts.push(response.text, JSON.stringify(response.headers));
    return response;
  };
  /** Returns credentials for each auth method whose credentials can be pasted. */
  const credentialsOf = (kind: string): readonly Readonly<Record<string, string>>[] => {
    const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === kind) ?? {};
    const byFields = new Map(credentials.map(({ values }) => [Object.keys(values).join(), values]));
    return [...byFields.values()];
  };
  const create = (connector_type: string, from: object) =>
    ask('POST', connectors, { body: { customer_name: 'acme', connector_type, name: 'Source', ...from } });
  const begin = async (connector_type: string) => {
    // Lets the rate limit for OAuth flows refill.
    service.advance(3_000);
    const body = {
      customer_name: 'acme',
      connector_type,
      redirect_url: `${publicUrl}/oauth/complete`,
      challenge,
    };
    const response = await ask('POST', `${connectors}/oauth/initiate`, { body });
    expect(response.status, response.text).toBe(200);
    const { consent_url, session_id } = response.body as { consent_url: string; session_id: string };
    const { location } = await browser.visit(consent_url, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    return { vendorUrl: String(location), session_id };
  };
  const sessionNow = async (id: string) =>
    (await ask('GET', `${connectors}/oauth/sessions/${id}`, { headers: { 'x-oauth-verifier': verifier } }))
      .body;
  const visit = async (url: string) => {
    const { text, location, headers } = await browser.visit(url);
    texts.push(text, String(location), JSON.stringify(headers));
  };
  const consent = async (kind: string) => {
    const { vendorUrl, session_id } = await begin(kind);
    await visit(await browser.decide(vendorUrl, 'allow'));
    return (await sessionNow(session_id)) as {
      secret_id: string;
      status: string;
      error: { message: string };
    };
  };
  const connect = async (kind: string): Promise<string> => {
    vendor.echo = 'off';
    const isConsent = consentKinds.some(each => each === kind);
    const from = isConsent
      ? { server_side_oauth_secret_id: (await consent(kind)).secret_id }
      : { credentials: sandbox.control.vendors().find(({ key }) => key === kind)?.credentials[0]?.values };
    const response = await create(kind, from);
    expect(response.status, response.text).toBe(201);
    return String(response.body.id);
  };
  const execute = async (id: string, [kind, entity]: readonly [kind: string, entity: string]) => {
    const [row] = await database()
      .kysely.selectFrom('connectors')
      .select('account')
      .where('id', '=', id)
      .execute();
    const params = kind === 'tiktok-marketing' ? { advertiser_id: row?.account } : {};
    return ask('POST', `${connectors}/${id}/execute`, { body: { entity, action: 'list', params } });
  };

  test.each(kinds)('masks the credentials that %s repeats when it rejects them', async kind => {
    const statuses: Echo[] = [...failures, 500];
    for (const status of statuses) {
      vendor.echo = status;
      for (const credentials of credentialsOf(kind)) {
        const response = await create(kind, { credentials });
        expect(response.status, `${kind} ${status}`).toBeGreaterThanOrEqual(400);
        expect(response.text).toContain('[redacted]');
      }
    }
  });

  test.each(kinds)('masks the credentials that %s repeats in an action or a check', async (...operation) => {
    const [kind] = operation;
    const id = await connect(kind);
    vendor.echo = 'success';
    const listed = await execute(id, operation);
    expect(listed.status, listed.text).toBe(200);
    // The records of this entity contain only ids.
    if (kind !== 'google-ads') expect(listed.text).toContain('[redacted]');
    for (const status of failures) {
      vendor.echo = status;
      const response = await execute(id, operation);
      expect(response.status, `${kind} ${status} ${response.text}`).toBeGreaterThanOrEqual(400);
      expect(response.text).toContain('[redacted]');
      await ask('POST', `${connectors}/${id}/check`);
    }
    vendor.echo = 403;
    const checked = await ask('POST', `${connectors}/${id}/check`);
    expect(checked.text).toContain('[redacted]');
  });

  test.each(['gong', 'google-ads'] as const)('masks the tokens that %s repeats in a refresh', async kind => {
    const operation = kinds.find(([key]) => key === kind) ?? kinds[0];
    for (const status of [400, 401, 403, 429] as const) {
      const id = await connect(kind);
      sandbox.control.vendor(kind).act('expire-access-tokens', {});
      // The vendor rejects the action with 401, and then the refresh with this status.
      vendor.echo = 401;
      vendor.refreshEcho = status;
      const response = await execute(id, operation);
      vendor.refreshEcho = null;
      expect(response.status, response.text).toBeGreaterThanOrEqual(400);
      expect(response.text).toContain('[redacted]');
    }
  });

  test.each(consentKinds)('masks the app secret and the code that %s repeats in a consent', async kind => {
    for (const status of failures) {
      vendor.echo = status;
      const session = await consent(kind);
      expect(session.status).toBe('failed');
      expect(session.error.message).toContain('[redacted]');
    }
    vendor.echo = 'off';
    const { vendorUrl, session_id } = await begin(kind);
    const app = [...allPlatformApps].find(
      ([prefix]) => prefix === `OAUTH_${kind.toUpperCase().replace('-', '_')}`,
    );
    const secret = app?.[1].clientSecret.reveal() ?? '';
    const state = new URL(vendorUrl).searchParams.get('state') ?? '';
    const query = new URLSearchParams({
      state,
      ...(kind === 'google-ads' && { iss: 'https://accounts.google.com' }),
      error: 'server_error',
      error_description: `The client secret is ${secret}, the state is ${state}`,
    });
    await visit(`${publicUrl}/oauth/callback?${query.toString()}`);
    const session = await sessionNow(session_id);
    expect(session.error.message).toMatch(/The client secret is \[redacted\], the state is \[redacted\]$/);
    expectHidden([secret, state], texts.slice(-3).join('\n'));
  });

  test.each(consentKinds)('masks the tokens that %s repeats when they are revoked', async kind => {
    const id = await connect(kind);
    vendor.echo = 400;
    expect((await ask('DELETE', `${connectors}/${id}`)).status).toBe(204);
  });

  fullTest(
    'a sync run stores no secret, whether the vendor repeats it in an error or in records',
    async () => {
      vendor.echo = 'off';
      const ids: string[] = [];
      for (const [kind] of kinds) ids.push(await connect(kind));
      vendor.echo = 400;
      const failing = await service.startSync();
      for (const id of ids) {
        await until(async () => {
          const { body } = await ask('GET', `${connectors}/${id}`);
          expect(JSON.stringify(body.sync)).toContain('[redacted]');
        });
      }
      await failing.close();
      vendor.echo = 'success';
      await sql`update synced_entities set due_at = now(), resume_at = null`.execute(database().kysely);
      const syncing = await service.startSync();
      await until(async () => {
        const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from synced_entities where records > 0`.execute(database().kysely);
        expect(rows[0]?.count).toBeGreaterThan(4);
      });
      await syncing.close();
    },
  );

  fullTest('no secret is in any response, log line, metric or column of a table', async () => {
    const metrics = await ask('GET', '/metrics');
    const secrets = [...vendor.repeated];
    expect(secrets.length).toBeGreaterThan(20);
    expectHidden(secrets, texts.join('\n'));
    expectHidden(secrets, service.logged());
    expectHidden(secrets, metrics.text);
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(database().kysely);
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select row_to_json(${sql.table(name)})::text as row from ${sql.table(name)}`.execute(
        database().kysely,
      );
      expectHidden(secrets, rows.map(({ row }) => row).join('\n'));
    }
  });
});

/** Expects that a text contains no secret, neither plain nor encoded. */
function expectHidden(secrets: readonly string[], text: string): void {
  const lower = text.toLowerCase();
  for (const secret of secrets) {
    const bytes = Buffer.from(secret);
    for (const form of [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      bytes.toString('hex'),
      ...[0, 1, 2].map(offset => {
        const shifted = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
        return shifted.slice(4, -4);
      }),
    ]) {
      const at = lower.indexOf(form.toLowerCase());
      expect(at === -1 ? '' : text.slice(Math.max(0, at - 200), at + 200)).toBe('');
    }
  }
}
