import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { onEachEngine } from '../../test/engines.ts';
import { startTestService, type TestService } from '../../test/test-service.ts';
import { until } from '../../test/until.ts';
import { Secret } from '../crypto/secret.ts';
import { revokeCustomerTokens } from '../customers/revoke-tokens.ts';
import { createLog } from '../log/log.ts';
import { openNotifications } from '../notifications/notifications.ts';
import { deleteSecrets, findApplication } from '../repositories/applications.ts';
import { Revocations } from '../revocations/revocations.ts';
import {
  createApplication,
  disableApplication,
  rotateSecret,
  type ApplicationsContext,
} from './applications.ts';

onEachEngine('applications', (database, engine) => {
  let service: TestService;
  /** Changes applications as another process would, so that the service learns of it by notification. */
  let context: ApplicationsContext;
  const lines: string[] = [];
  let clientId: string;
  let id: string;
  let first: Secret;

  beforeAll(async () => {
    service = await startTestService(database());
    const log = createLog({ destination: { write: line => void lines.push(line) } });
    const revocations = await Revocations.open(database(), openNotifications(database(), null, log), log);
    context = { revocations, log };
  });
  afterAll(async () => {
    await context.revocations.close();
    await service.close();
  });
  beforeEach(async () => {
    clientId = `client-${crypto.randomUUID()}`;
    const organizations = [clientId];
    const created = await createApplication(context, { clientId, organizations, redirectUrls: [] });
    ({ id, clientSecret: first } = created);
    // Lets the rate limit of the token endpoint refill.
    service.advance(60_000);
  });

  const tokenOf = async (secret: Secret): Promise<{ status: number; token: string }> => {
    const body = { client_id: clientId, client_secret: secret.reveal() };
    const response = await service.ask('POST', '/api/v1/account/applications/token', { body });
    return { status: response.status, token: String(response.body.access_token) };
  };
  const statusOf = async (token: string): Promise<number> =>
    (await service.ask('GET', '/api/v1/integrations/connectors', { token })).status;
  const untilRejected = (token: string) => until(async () => expect(await statusOf(token)).toBe(401));

  test('creates an application with a generated secret, and stores only its hash', async () => {
    expect((await tokenOf(first)).status).toBe(200);
    const stored = await database().kysely.selectFrom('application_secrets').selectAll().execute();
    const hashes = stored.filter(row => row.application_id === id).map(({ hash }) => hash);
    expect(hashes).toEqual([expect.stringMatching(/^sha256\$[\w-]{43}$/)]);
    expect(JSON.stringify(stored) + lines.join('')).not.toContain(first.reveal());
  });

  test('accepts the previous secret and its tokens during the grace period after a rotation', async () => {
    const { token } = await tokenOf(first);
    const second = await rotateSecret(context, id, { graceSeconds: 3600 });
    expect([(await tokenOf(first)).status, (await tokenOf(second)).status]).toEqual([200, 200]);
    expect(await statusOf(token)).toBe(200);
    // At most two secrets are live.
    const third = await rotateSecret(context, id, { graceSeconds: 3600 });
    const statuses = await Promise.all([first, second, third].map(tokenOf));
    expect(statuses.map(({ status }) => status)).toEqual([401, 200, 200]);
    await database()
      .kysely.updateTable('application_secrets')
      .set({ expires_at: new Date(0) })
      .where('application_id', '=', id)
      .where('expires_at', 'is not', null)
      .execute();
    expect([(await tokenOf(second)).status, (await tokenOf(third)).status]).toEqual([401, 200]);
  });

  test('rejects the previous secret and its tokens at once after a rotation without a grace period', async () => {
    const { token } = await tokenOf(first);
    const scoped = await service.customerToken(token, { customer_name: 'acme' });
    const second = await rotateSecret(context, id, { graceSeconds: 0 });
    expect((await tokenOf(first)).status).toBe(401);
    const renewed = await tokenOf(second);
    expect(await statusOf(renewed.token)).toBe(200);
    await untilRejected(token);
    await untilRejected(scoped);
    expect(await statusOf(renewed.token)).toBe(200);
  });

  // PGlite runs one transaction at a time.
  if (engine === 'postgres') {
    test('revokes a token that an application requested while a rotation was in progress', async () => {
      const token = await context.revocations.run(async (transaction, revoke) => {
        await deleteSecrets(transaction, id);
        await revoke({ applicationId: id });
        // The transaction has not ended, so this request still finds the secret.
        return (await tokenOf(first)).token;
      });
      expect((await tokenOf(first)).status).toBe(401);
      await untilRejected(token);
    });
  }

  test('rejects an application and its tokens after it was disabled', async () => {
    const { token } = await tokenOf(first);
    await disableApplication(context, id);
    expect((await tokenOf(first)).status).toBe(401);
    await untilRejected(token);
    const event = lines.find(line => line.includes('"disabled"') && line.includes(clientId)) ?? '{}';
    expect(JSON.parse(event)).toMatchObject({
      event: 'application_changed',
      by: 'operator',
      application_id: id,
      changes: ['disabled'],
    });
  });

  test('stores when a secret was last used', async () => {
    const read = async () => (await findApplication(database().kysely, { id }))?.secrets[0]?.lastUsedAt;
    expect(await read()).toBeNull();
    await tokenOf(first);
    expect(await read()).toBeInstanceOf(Date);
  });

  test('accepts an application’s tokens after the tokens of one of its customers were revoked', async () => {
    const { token } = await tokenOf(first);
    const [acme, beta] = [
      await service.customerToken(token, { customer_name: 'acme' }),
      await service.customerToken(token, { customer_name: 'beta' }),
    ];
    const organizationId = (await findApplication(database().kysely, { id }))?.organizationIds[0] ?? '';
    await revokeCustomerTokens(context.revocations, organizationId, 'acme');
    await untilRejected(acme);
    expect(await statusOf(beta)).toBe(200);
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(await service.customerToken(token, { customer_name: 'acme' }))).toBe(200);
    await expect(revokeCustomerTokens(context.revocations, organizationId, 'gone')).rejects.toMatchObject({
      code: 'customer_not_found',
    });
  });

  test('rejects changes to an application that the BOOTSTRAP_ variables own', async () => {
    const clientSecret = new Secret('of the environment');
    await service.bootstrap({ clientId: 'owned', clientSecret, organizations: ['Own'], redirectUrls: [] });
    const owned = (await findApplication(database().kysely, { clientId: 'owned' }))?.id ?? '';
    await expect(rotateSecret(context, owned, { graceSeconds: 0 })).rejects.toThrow('BOOTSTRAP_');
    await expect(disableApplication(context, owned)).rejects.toThrow('BOOTSTRAP_');
    await expect(disableApplication(context, crypto.randomUUID())).rejects.toThrow('No application');
  });
});
