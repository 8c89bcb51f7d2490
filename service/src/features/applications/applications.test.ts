import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { adminToken, startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import { silentLog } from '../../platform/log/log.ts';
import { openNotifications } from '../../platform/notifications/notifications.ts';
import { deleteSecrets, findApplication } from '../../shared/repositories/applications.ts';
import { Revocations } from '../../shared/revocations/revocations.ts';
import { revokeCustomerTokens } from '../customers/revoke-tokens.ts';

const path = '/api/v1/admin/applications';
const unknownId = crypto.randomUUID();

onPostgresOrEachEngineInFull('applications', (database, engine) => {
  let service: TestService;
  /** Revokes tokens as another process would, so that the service learns of it by notification. */
  let elsewhere: Revocations;
  let organizations: { id: string; name: string }[];
  let id: string;
  let name: string;
  let clientId: string;
  let first: { id: string; secret: string };

  const ask = (method: string, rest: string, body?: unknown) =>
    service.ask(method, `${path}${rest}`, { token: adminToken, body });
  const nameOf = (prefix: string) => `${prefix} ${crypto.randomUUID()}`;
  const create = (more: object = {}) =>
    ask('POST', '', { name: nameOf('Acme'), organization_ids: organizations.map(each => each.id), ...more });

  beforeAll(async () => {
    service = await startTestService(database());
    elsewhere = await Revocations.open(database(), openNotifications(database(), null, silentLog), silentLog);
    organizations = [];
    for (const name of ['Own', 'Other']) {
      const response = await service.ask('POST', '/api/v1/admin/organizations', {
        token: adminToken,
        body: { name },
      });
      organizations.push({ id: response.body.id, name });
    }
  });
  afterAll(async () => {
    await elsewhere.close();
    await service.close();
  });
  beforeEach(async () => {
    const { status, body, text } = await create();
    expect(status, text).toBe(201);
    ({ id, name, client_id: clientId } = body);
    first = { id: body.secrets[0].id, secret: body.client_secret };
    // Lets the rate limit of the token endpoint refill.
    service.advance(60_000);
  });

  const requestToken = (secret: string, organizationId?: string) =>
    service.ask('POST', '/api/v1/account/applications/token', {
      body: { client_id: clientId, client_secret: secret },
      headers: organizationId === undefined ? {} : { 'x-organization-id': organizationId },
    });
  const tokenOf = async (secret: string): Promise<string> => {
    const { status, body, text } = await requestToken(secret);
    expect(status, text).toBe(200);
    return String(body.access_token);
  };
  const statusOf = async (token: string, organizationId = organizations[0]?.id ?? '') =>
    (
      await service.ask('GET', '/api/v1/integrations/connectors', {
        token,
        headers: { 'x-organization-id': organizationId },
      })
    ).status;
  const untilRejected = (token: string) => until(async () => expect(await statusOf(token)).toBe(401));
  const addSecret = async (body: object = {}): Promise<{ id: string; secret: string }> => {
    const response = await ask('POST', `/${id}/secrets`, body);
    expect(response.status, response.text).toBe(201);
    expect(response.body.client_id).toBe(clientId);
    return { id: response.body.id, secret: response.body.client_secret };
  };
  const deleteSecret = (secret: { id: string }, query = '') =>
    ask('DELETE', `/${id}/secrets/${secret.id}${query}`);

  test('creates an application with generated credentials, and stores only a hash of the secret', async () => {
    const { body } = await ask('GET', `/${id}`);
    expect(body).toEqual({
      id,
      version: 1,
      name,
      client_id: expect.stringMatching(/^ca_app_[\w-]{16}$/),
      status: 'active',
      managed_by: 'operator',
      organizations,
      redirect_urls: [],
      secrets: [{ id: first.id, created_at: expect.any(String), expires_at: null, last_used_at: null }],
      created_at: expect.any(String),
    });
    expect(first.secret).toMatch(/^ca_secret_/);
    expect((await requestToken(first.secret)).body.organization_id).toBe(organizations[0]?.id);
    const stored = await database().kysely.selectFrom('application_secrets').selectAll().execute();
    const hashes = stored.filter(row => row.application_id === id).map(({ hash }) => hash);
    expect(hashes).toEqual([expect.stringMatching(/^sha256\$[\w-]{43}$/)]);
    expect(JSON.stringify(stored) + service.logged()).not.toContain(first.secret);
  });

  test('rotates a secret without a rejected request', async () => {
    let current = first.secret;
    const rotated = new AbortController();
    const statuses: number[] = [];
    let token = await tokenOf(current);
    const traffic = (async () => {
      while (!rotated.signal.aborted || statuses.length < 20) {
        // Lets the rate limit of the token endpoint refill.
        service.advance(2_000);
        const response = await requestToken(current);
        token = String(response.body.access_token);
        statuses.push(response.status, await statusOf(token));
      }
    })();
    const second = await addSecret();
    current = second.secret;
    await until(async () => {
      const { body } = await ask('GET', `/${id}`);
      expect(body.secrets.find((each: { id: string }) => each.id === second.id).last_used_at).not.toBeNull();
    });
    expect((await deleteSecret(first)).status).toBe(204);
    rotated.abort();
    await traffic;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await requestToken(first.secret)).status).toBe(401);
  });

  test('rejects a third secret, and names the one that was not used for the longest time', async () => {
    await tokenOf(first.secret);
    const second = await addSecret();
    const response = await ask('POST', `/${id}/secrets`, {});
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      code: 'too_many_secrets',
      detail: expect.stringContaining(`${second.id} was never used`),
    });
  });

  test('creates one of two secrets that two operators request at once', async () => {
    const responses = await Promise.all([1, 2].map(() => ask('POST', `/${id}/secrets`, {})));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });

  test('deletes the last secret that works only with force', async () => {
    const refused = await deleteSecret(first);
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe('last_client_secret');
    expect((await requestToken(first.secret)).status).toBe(200);
    expect((await deleteSecret(first, '?force=true')).status).toBe(204);
    expect((await requestToken(first.secret)).status).toBe(401);
  });

  test('deletes a secret in use only with force until the other one was used', async () => {
    await tokenOf(first.secret);
    const second = await addSecret();
    const refused = await deleteSecret(first);
    expect(refused.body).toMatchObject({
      code: 'last_client_secret',
      detail: expect.stringContaining('never used'),
    });
    expect((await deleteSecret(second)).status).toBe(204);
    const third = await addSecret();
    await tokenOf(third.secret);
    expect((await deleteSecret(first)).status).toBe(204);
  });

  test('does not count an expired secret', async () => {
    const { body } = await ask('POST', `/${id}/secrets`, {
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect((await requestToken(body.client_secret)).status).toBe(200);
    await database()
      .kysely.updateTable('application_secrets')
      .set({ expires_at: new Date(0) })
      .where('id', '=', body.id)
      .execute();
    expect((await requestToken(body.client_secret)).status).toBe(401);
    expect((await deleteSecret(first)).body.code).toBe('last_client_secret');
    expect((await deleteSecret(body)).status).toBe(404);
    await addSecret();
  });

  test.each(['2020-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'])(
    'rejects a secret that expires in the past: %s',
    async expires_at => {
      const response = await ask('POST', `/${id}/secrets`, { expires_at });
      expect(response.status).toBe(422);
      expect(response.body.errors).toEqual([{ path: 'expires_at', message: 'Must be in the future' }]);
    },
  );

  test('ends the tokens of the application when a leaked secret is deleted with revoke_tokens', async () => {
    const leaked = await tokenOf(first.secret);
    const scoped = await service.customerToken(
      leaked,
      { customer_name: 'acme' },
      {
        'x-organization-id': organizations[0]?.id ?? '',
      },
    );
    const second = await addSecret();
    await tokenOf(second.secret);
    expect((await deleteSecret(first, '?revoke_tokens=true')).status).toBe(204);
    expect([await statusOf(leaked), await statusOf(scoped)]).toEqual([401, 401]);
    expect(await statusOf(await tokenOf(second.secret))).toBe(200);
  });

  // PGlite runs one transaction at a time.
  if (engine === 'postgres') {
    test('ends a token that was requested while its secret was being deleted', async () => {
      const token = await elsewhere.run(async (transaction, revoke) => {
        await deleteSecrets(transaction, id);
        await revoke({ applicationId: id });
        // The transaction has not ended, so this request still finds the secret.
        return tokenOf(first.secret);
      });
      expect((await requestToken(first.secret)).status).toBe(401);
      await untilRejected(token);
    });
  }

  test('rejects an application and its tokens while it is disabled', async () => {
    const token = await tokenOf(first.secret);
    const disabled = await ask('POST', `/${id}/disable`);
    expect(disabled.body.status).toBe('disabled');
    expect(await statusOf(token)).toBe(401);
    expect((await requestToken(first.secret)).body.code).toBe('client_credentials_invalid');
    const event = service
      .logged()
      .split('\n')
      .find(line => line.includes('"disabled"') && line.includes(id));
    expect(JSON.parse(event ?? '{}')).toMatchObject({
      event: 'application_changed',
      by: 'operator',
      admin_key_id: null,
      application_id: id,
      client_id: clientId,
      changes: ['disabled'],
    });
    expect((await ask('POST', `/${id}/enable`)).body.status).toBe('active');
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(await tokenOf(first.secret))).toBe(200);
  });

  test('ends the tokens of an application for an organization that it loses', async () => {
    const token = await tokenOf(first.secret);
    const [own, other] = organizations.map(organization => organization.id);
    const edited = await ask('PATCH', `/${id}`, { version: 1, organization_ids: [other] });
    expect(edited.body).toMatchObject({ version: 2, organizations: [{ id: other }] });
    expect([await statusOf(token, own), await statusOf(token, other)]).toEqual([401, 200]);
    const renewed = await requestToken(first.secret);
    expect(renewed.body.organization_id).toBe(other);
    expect((await requestToken(first.secret, own)).body.code).toBe('organization_not_allowed');
  });

  test('reports to the second of two operators what the first one changed', async () => {
    const renamed = nameOf('Renamed');
    const edit = { version: 1, name: renamed, redirect_urls: ['https://acme.example/back'] };
    expect((await ask('PATCH', `/${id}`, edit)).status).toBe(200);
    const [own] = organizations;
    const late = await ask('PATCH', `/${id}`, {
      version: 1,
      name: 'Also renamed',
      redirect_urls: [],
      organization_ids: [own?.id],
    });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      code: 'edit_conflict',
      errors: [
        { path: 'name', message: `Is now “${renamed}”` },
        { path: 'organization_ids', message: 'Is now “Own”, “Other”' },
        { path: 'redirect_urls', message: 'Is now “https://acme.example/back”' },
        { path: 'version', message: 'Is now 2' },
      ],
    });
    // A retry of the first edit changes nothing, so it conflicts with nothing.
    expect((await ask('PATCH', `/${id}`, edit)).body).toMatchObject({ version: 2, name: renamed });
  });

  test('rejects the name of another active application, and says what to change', async () => {
    const { body: other } = await create();
    const taken = {
      status: 409,
      code: 'already_exists',
      errors: [
        {
          path: 'name',
          message: `Another active application has the name “${name}”. Choose another name`,
        },
      ],
    };
    expect((await create({ name })).body).toMatchObject(taken);
    expect((await ask('PATCH', `/${other.id}`, { version: 1, name })).body).toMatchObject(taken);
    // Its own name is not taken.
    expect((await ask('PATCH', `/${id}`, { version: 1, name, redirect_urls: [] })).status).toBe(200);
  });

  test('creates one of two applications with the same name that are created at once', async () => {
    const body = { name: nameOf('Twin') };
    const responses = await Promise.all([create(body), create(body)]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });

  test('allows the name of a disabled application, which cannot be enabled until one is renamed', async () => {
    await ask('POST', `/${id}/disable`);
    const { body: successor } = await create({ name });
    const refused = await ask('POST', `/${id}/enable`);
    expect(refused.body).toMatchObject({
      code: 'already_exists',
      detail: expect.stringContaining('Rename one of them first'),
    });
    await ask('PATCH', `/${successor.id}`, { version: 1, name: nameOf('Successor') });
    expect((await ask('POST', `/${id}/enable`)).body.status).toBe('active');
  });

  test('keeps applications that share a name, and changes everything else about them', async () => {
    const { body: other } = await create();
    // As earlier versions stored them.
    await database()
      .kysely.updateTable('applications')
      .set({ name })
      .where('id', '=', String(other.id))
      .execute();
    const edited = await ask('PATCH', `/${other.id}`, {
      version: 1,
      name,
      redirect_urls: ['https://a.example/'],
    });
    expect(edited.body).toMatchObject({ name, version: 2, redirect_urls: ['https://a.example/'] });
    const { body } = await ask('GET', `?search=${encodeURIComponent(name)}`);
    expect(body.data).toHaveLength(2);
  });

  test('starts with BOOTSTRAP_ variables, and adopts their application, despite an equal name', async () => {
    const clientId = nameOf('client').replace(' ', '-');
    await create({ name: clientId });
    const clientSecret = new Secret('of the environment');
    await service.bootstrap({ clientId, clientSecret, organizations: ['Own'], redirectUrls: [] });
    const owned = await findApplication(database().kysely, { clientId });
    expect((await ask('POST', `/${owned?.id}/adopt`)).body).toMatchObject({
      name: clientId,
      managed_by: 'operator',
    });
    expect((await create({ name: clientId })).body.code).toBe('already_exists');
  });

  test.each([
    'http://acme.example/back',
    'https://user@acme.example/',
    'https://acme.example/#fragment',
    'https://acme.example/#',
    'javascript:alert(1)',
    '/back',
    '<b>https://acme.example</b>',
  ])('rejects the redirect URL %s', async url => {
    const response = await create({ redirect_urls: ['http://localhost:3000/back', url] });
    expect(response.status).toBe(422);
    expect(response.body.errors).toEqual([
      { path: 'redirect_urls.1', message: expect.stringContaining('https') },
    ]);
    const edited = await ask('PATCH', `/${id}`, { version: 1, redirect_urls: [url] });
    expect(edited.status).toBe(422);
  });

  test('starts consents only with the redirect URLs of the application', async () => {
    const token = await tokenOf(first.secret);
    const start = async (redirect_url: string) => {
      const response = await service.ask('POST', '/api/v1/integrations/connectors/oauth/initiate', {
        token,
        headers: { 'x-organization-id': organizations[0]?.id ?? '' },
        body: { customer_name: 'acme', connector_type: 'gong', redirect_url },
      });
      return response.body.code;
    };
    expect(await start('https://acme.example/back')).toBe('redirect_url_not_allowed');
    await ask('PATCH', `/${id}`, { version: 1, redirect_urls: ['https://acme.example/back'] });
    // The redirect URL is allowed. The test service has no OAuth app.
    expect(await start('https://acme.example/back')).toBe('oauth_not_offered');
  });

  test('rejects organizations that do not exist, and names which', async () => {
    const response = await create({ organization_ids: [organizations[0]?.id, unknownId] });
    expect(response.status).toBe(422);
    expect(response.body.errors).toEqual([
      { path: 'organization_ids.1', message: 'No organization has this id' },
    ]);
  });

  test('stores markup in a name as text, and rejects a name of 300 characters', async () => {
    const markup = '<img src=x onerror=alert(1)> & "Acme"';
    expect((await create({ name: markup })).body.name).toBe(markup);
    expect((await create({ name: 'n'.repeat(300) })).status).toBe(400);
    expect((await create({ name: ' ' })).status).toBe(400);
  });

  test('finds applications by a part of their name or client id, in any case', async () => {
    const odd = `50%_${crypto.randomUUID()}`;
    const { body: application } = await create({ name: odd });
    const found = async (search: string) => {
      const { body } = await ask('GET', `?search=${encodeURIComponent(search)}`);
      return body.data.map((each: { id: string }) => each.id);
    };
    expect(await found(odd.slice(1).toUpperCase())).toEqual([application.id]);
    expect(await found(application.client_id)).toEqual([application.id]);
    expect(await found(`50x_${odd.slice(4)}`)).toEqual([]);
  });

  test.each(['name', '-name', 'created_at', '-created_at'])(
    'lists the applications of an organization page by page, sorted by %s',
    async sort => {
      const { body: organization } = await service.ask('POST', '/api/v1/admin/organizations', {
        token: adminToken,
        body: { name: `Listed ${crypto.randomUUID()}` },
      });
      const names = ['b', 'A', 'a', 'C', 'B'].map(letter => `${letter}${sort}`);
      for (const name of names) await create({ name, organization_ids: [organization.id] });
      const seen: string[] = [];
      let cursor = '';
      do {
        const { body } = await ask(
          'GET',
          `?organization_id=${organization.id}&limit=2&sort=${sort}${cursor}`,
        );
        seen.push(...body.data.map((each: { name: string }) => each.name));
        cursor = body.meta.has_more ? `&cursor=${body.meta.cursor}` : '';
      } while (cursor !== '');
      const ascending = sort.startsWith('-') ? seen.toReversed() : seen;
      if (sort.endsWith('created_at')) expect(ascending).toEqual(names);
      else
        expect(ascending.map(name => name.toLowerCase())).toEqual(
          ['a', 'a', 'b', 'b', 'c'].map(letter => `${letter}${sort}`),
        );
      expect(seen.toSorted()).toEqual(names.toSorted());
    },
  );

  test.each(['["a\\u0000b", "7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11"]', '["a", "b"]', '{}'])(
    'rejects a forged cursor: %s',
    async position => {
      const cursor = Buffer.from(position).toString('base64url');
      expect((await ask('GET', `?cursor=${cursor}`)).status).toBe(400);
    },
  );

  test('rejects changes to an application that does not exist', async () => {
    const responses = await Promise.all([
      ask('GET', `/${unknownId}`),
      ask('PATCH', `/${unknownId}`, { version: 1, name: 'Gone' }),
      ask('POST', `/${unknownId}/disable`),
      ask('POST', `/${unknownId}/adopt`),
      ask('POST', `/${unknownId}/secrets`, {}),
    ]);
    expect(responses.map(({ body }) => body.code)).toEqual(responses.map(() => 'application_not_found'));
    expect((await deleteSecret({ id: unknownId })).body.code).toBe('client_secret_not_found');
  });

  test('rejects changes to an application that the BOOTSTRAP_ variables own, until it is adopted', async () => {
    const clientSecret = new Secret('of the environment');
    await service.bootstrap({ clientId: 'owned', clientSecret, organizations: ['Own'], redirectUrls: [] });
    const owned = await findApplication(database().kysely, { clientId: 'owned' });
    const change = () =>
      Promise.all([
        ask('PATCH', `/${owned?.id}`, { version: 1, name: nameOf('Renamed') }),
        ask('POST', `/${owned?.id}/secrets`, {}),
        ask('POST', `/${owned?.id}/disable`),
      ]);
    const refused = await change();
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'managed_by_environment'));
    expect((await ask('GET', `/${owned?.id}`)).body).toMatchObject({
      name: 'owned',
      managed_by: 'environment',
    });
    expect((await ask('POST', `/${owned?.id}/adopt`)).body.managed_by).toBe('operator');
    expect((await change()).map(({ status }) => status)).toEqual([200, 201, 200]);
  });

  test('accepts an application’s tokens after the tokens of one of its customers were revoked', async () => {
    const organizationId = organizations[0]?.id ?? '';
    const headers = { 'x-organization-id': organizationId };
    const token = await tokenOf(first.secret);
    const mint = (customer_name: string) => service.customerToken(token, { customer_name }, headers);
    const [acme, beta] = [await mint('acme'), await mint('beta')];
    await revokeCustomerTokens(elsewhere, organizationId, 'acme');
    await untilRejected(acme);
    expect(await statusOf(beta)).toBe(200);
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(await mint('acme'))).toBe(200);
    await expect(revokeCustomerTokens(elsewhere, organizationId, 'gone')).rejects.toMatchObject({
      code: 'customer_not_found',
    });
  });
});
