/** Runs `deploy/compose.yaml` with podman-compose, as its comments say. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Agent, request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { root } from '../../scripts/steps.ts';
import { makeCertificate } from './certificate.ts';
import { connectSource, searchNotes } from './connect-source.ts';
import { ensureServiceImage, images, logsOf, makeStandIns, podman, removeFiles, run } from './containers.ts';
import { makeFolder } from './engines.ts';
import { freePort } from './postgres.ts';
import { until } from './until.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 1_800_000 });

const vendor = 'public-api.granola.ai';
const afterwards: (() => unknown)[] = [];
let folder: string;

beforeAll(async () => {
  await ensureServiceImage();
  await makeStandIns();
});
beforeEach(async () => {
  const made = await makeFolder();
  afterwards.push(made.remove);
  ({ folder } = made);
  for (const name of ['compose.yaml', 'Caddyfile'])
    copyFileSync(join(root, 'deploy', name), join(folder, name));
});
afterEach(async () => {
  for (const step of afterwards.splice(0).toReversed()) await step();
});
afterAll(removeFiles);

/** Returns a function that runs podman-compose, and removes everything afterwards. */
function compose(files: readonly string[], env: Readonly<Record<string, string>>) {
  // In the name of the containers.
  const project = `connector-auth-test-${process.pid}`;
  const call = (...args: readonly string[]): Promise<string> =>
    run('podman-compose', ['--project-name', project, ...files.flatMap(file => ['--file', file]), ...args], {
      cwd: folder,
      env: { SERVICE_IMAGE: images.service, ...env },
    });
  afterwards.push(() => call('down', '--volumes'));
  return { call, containerOf: (service: string) => `${project}_${service}_1` };
}

/** The real vendor cannot be reached: the sandbox has its name in the network of the containers, with a certificate. */
function writeVendor(): string {
  makeCertificate(vendor, { certificate: join(folder, 'vendor.crt'), key: join(folder, 'vendor.key') });
  writeFileSync(
    join(folder, 'vendor.Caddyfile'),
    `${vendor} {\n\ttls /vendor.crt /vendor.key\n\trewrite * /${vendor}{uri}\n\treverse_proxy simulator:8788\n}\n`,
  );
  const certificate = './vendor.crt:/vendor.crt:ro';
  const trust = { environment: { NODE_EXTRA_CA_CERTS: '/vendor.crt' }, volumes: [certificate] };
  const services = {
    'service-1': trust,
    'service-2': trust,
    simulator: {
      image: images.service,
      entrypoint: ['node', '/app/sandbox/dist/main.js'],
      environment: { HOST: '0.0.0.0', PORT: '8788' },
    },
    // Containers find each other by the names of services.
    [vendor]: {
      image: images.caddy,
      volumes: [certificate, './vendor.key:/vendor.key:ro', './vendor.Caddyfile:/etc/caddy/Caddyfile:ro'],
    },
  };
  writeFileSync(join(folder, 'vendor.yaml'), JSON.stringify({ services }));
  return 'vendor.yaml';
}

test('from nothing to a connected source behind TLS, and through the restart of each process', async () => {
  const init = ['init', '--host', 'localhost', '--file', '/files/.env'];
  await podman('run', '--rm', '--user=0', '--volume', `${folder}:/files`, images.service, ...init);
  const { ADMIN_TOKEN = '' } = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
  const port = await freePort();
  const { call, containerOf } = compose(['compose.yaml', writeVendor()], {
    POSTGRES_IMAGE: images.postgres,
    CADDY_IMAGE: images.caddy,
    HTTP_PORT: String(await freePort()),
    HTTPS_PORT: String(port),
  });
  await call('up', '--detach');

  const url = `https://localhost:${port}`;
  const authority = join(folder, 'authority.crt');
  // Without a public host name, Caddy is its own authority.
  await until(() =>
    podman('cp', `${containerOf('caddy')}:/data/caddy/pki/authorities/local/root.crt`, authority),
  );
  const agent = new Agent({ connect: { ca: readFileSync(authority, 'utf8') } });
  afterwards.push(() => agent.close());
  const statusOf = async (path: string): Promise<number> =>
    (await request(url + path, { dispatcher: agent })).statusCode;
  const untilReady = () => until(async () => expect(await statusOf('/readyz')).toBe(200));
  // The first start applies all migrations.
  await vi.waitFor(untilReady, { timeout: 300_000 });

  const { client, connector } = await connectSource(url, ADMIN_TOKEN, {
    environment: { NODE_EXTRA_CA_CERTS: authority },
    dispatcher: agent,
  });

  // Caddy notices within DRAIN_SECONDS that a process stops, so no request fails.
  for (const service of ['service-1', 'service-2']) {
    const stopped = new AbortController();
    const stopping = call('stop', '--timeout', '45', service).finally(() => stopped.abort());
    while (!stopped.signal.aborted) {
      expect(await statusOf('/api/v1/integrations/definitions/sources')).toBe(401);
    }
    await stopping;
    expect(await logsOf(containerOf(service))).toContain('"is_database_closed":true');
    await call('start', service);
    await until(() => podman('healthcheck', 'run', containerOf(service)));
    await untilReady();
  }
  await client.execute(connector, searchNotes);
});
