import { existsSync } from 'node:fs';
import { applicationTokenLifetimeSeconds } from '@connector-auth/api';
import { createClient } from '@connector-auth/api/client';
import { afterEach, expect, test } from 'vitest';
import { createTokenSigner } from '../src/shared/auth/token-signer.ts';
import { readInstallationId } from '../src/shared/repositories/installation.ts';
import { makeDatabase, openTestDatabase } from './engines.ts';
import { application, environmentOf, startServiceProcess, type ServiceProcess } from './service-process.ts';
import { keyRing } from './test-service.ts';
import { until } from './until.ts';

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const hourMs = 3_600_000;

const afterwards: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of afterwards.splice(0).toReversed()) await stop();
});

async function ask(service: ServiceProcess, path: string, token?: string): Promise<Response> {
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  return await fetch(`${await service.url}${path}`, headers && { headers });
}

const outcomeOf = async (service: ServiceProcess, token: string): Promise<string> => {
  const response = await ask(service, '/api/v1/integrations/connectors', token);
  return response.status === 200 ? 'accepted' : ((await response.json()) as { code: string }).code;
};

test.each([
  ['fast', '+1h', hourMs],
  ['slow', '-1h', -hourMs],
])(
  'a process whose clock is an hour %s accepts and rejects the same tokens as another one',
  { timeout: 600_000 },
  async (_name, faketime, wrongByMs) => {
    if (!existsSync(library))
      throw new Error(`${library} is missing: install it with "apt-get install libfaketime"`);
    const { location, remove } = await makeDatabase('postgres');
    afterwards.push(remove);
    const start = (more: Record<string, string> = {}): ServiceProcess => {
      const started = startServiceProcess({
        ...environmentOf(location),
        ...application,
        BOOTSTRAP_HELPER_URL: 'http://localhost:8080/connector-auth',
        ...more,
      });
      afterwards.push(async () => {
        started.child.kill('SIGTERM');
        await started.ended;
      });
      return started;
    };
    const right = start();
    const wrong = start({ LD_PRELOAD: library, FAKETIME: faketime });
    const both = [right, wrong];
    for (const { url } of both) await url;
    const { time } = JSON.parse(wrong.stdout().split('\n').at(-1) ?? '') as { time: string };
    expect(Math.abs(Date.parse(time) - Date.now() - wrongByMs)).toBeLessThan(hourMs / 2);

    const clients = await Promise.all(
      both.map(async ({ url }) =>
        createClient({
          baseUrl: await url,
          clientId: application.BOOTSTRAP_CLIENT_ID,
          clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
          timeoutMs: 60_000,
        }),
      ),
    );
    const expiries: number[] = [];
    for (const client of clients) {
      const { token } = await client.tokens.mintScoped({ customer_name: 'acme' });
      for (const service of both) expect(await outcomeOf(service, token)).toBe('accepted');
      const [, claims = ''] = token.split('.');
      expiries.push((JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number }).exp * 1000);
      const { id } = await client.connectLinks.create({ customer_name: 'acme', connector_type: 'granola' });
      for (const other of clients) expect((await other.connectLinks.get(id)).status).toBe('open');
    }
    const [first = NaN, second = NaN] = expiries;
    expect(Math.abs(first - second)).toBeLessThan(hourMs / 2);

    const database = await openTestDatabase(location);
    afterwards.push(() => database.close());
    const { id: applicationId } = await database.kysely
      .selectFrom('applications')
      .select('id')
      .executeTakeFirstOrThrow();
    const { id: organizationId } = await database.kysely
      .selectFrom('organizations')
      .select('id')
      .executeTakeFirstOrThrow();
    const installationId = await readInstallationId(database.kysely);
    /** A token of which this much time is left, or that expired this long ago. */
    const tokenWith = async (leftMs: number): Promise<string> => {
      const issuedAt = Date.now() + leftMs - applicationTokenLifetimeSeconds * 1000;
      const signer = createTokenSigner(keyRing('s1', 2), { now: () => issuedAt }, installationId);
      const { token } = await signer.sign({
        kind: 'application',
        applicationId,
        organizationIds: [organizationId],
        issuedAtUs: issuedAt * 1000,
        allowedData: [],
      });
      return token;
    };
    for (const service of both) {
      expect(await outcomeOf(service, await tokenWith(-60_000))).toBe('token_expired');
      expect(await outcomeOf(service, await tokenWith(300_000))).toBe('accepted');
    }

    // Load balancers send requests to the right process only, and operators see why.
    expect((await ask(right, '/readyz')).status).toBe(200);
    const unready = await ask(wrong, '/readyz');
    expect(unready.status).toBe(503);
    expect(await unready.text()).toMatch(
      /the clocks of this machine and of the database differ by 3[56]\d\d s/,
    );
    const offsetOf = async (service: ServiceProcess): Promise<number> => {
      const metrics = await (await ask(service, '/metrics')).text();
      return 1000 * Number(/^connector_auth_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]);
    };
    expect(Math.abs((await offsetOf(wrong)) + wrongByMs)).toBeLessThan(60_000);
    expect(Math.abs(await offsetOf(right))).toBeLessThan(60_000);
    await until(() => expect(wrong.stdout()).toContain('"event":"clock_differs"'));
    expect(right.stdout()).not.toContain('clock_differs');
  },
);
