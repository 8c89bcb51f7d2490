import { once } from 'node:events';
import { chmod, lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fullTest } from '../../scripts/full-test.ts';
import { enginesInFull, makeDatabase, makeFolder } from '../test/engines.ts';
import {
  application,
  environmentOf,
  startServiceHere,
  startServiceProcess,
  type ServiceProcess,
} from '../test/service-process.ts';
import { until } from '../test/until.ts';
import type { Environment } from './platform/config/environment.ts';

// Most tests start a process.
vi.setConfig({ testTimeout: 120_000 });

const started: ServiceProcess[] = [];
const afterwards: (() => Promise<void>)[] = [];

function start(environment: Environment): ServiceProcess {
  const service = startServiceProcess(environment);
  started.push(service);
  return service;
}

afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  for (const step of afterwards.splice(0)) await step();
});

/** Sends the headers and a part of the body of a token request. */
function beginTokenRequest(url: string): {
  finish(): void;
  response: Promise<IncomingMessage>;
  request: ClientRequest;
} {
  const body = JSON.stringify({
    client_id: application.BOOTSTRAP_CLIENT_ID,
    client_secret: application.BOOTSTRAP_CLIENT_SECRET,
  });
  const begun = request(`${url}/api/v1/account/applications/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
    agent: false,
  });
  begun.write(body.slice(0, 10));
  const response = once(begun, 'response').then(([message]: IncomingMessage[]) => {
    if (message === undefined) throw new Error('No response');
    return message;
  });
  return { finish: () => begun.end(body.slice(10)), response, request: begun };
}

describe('without a valid configuration', () => {
  test('exits with code 1 and one message that reports every configuration error', async () => {
    const service = start({
      PORT: 'http',
      DATABASE_URL: 'postgres://localhost/agent',
      BOOTSTRAP_CLIENT_ID: 'acme',
    });
    expect(await service.ended).toBe(1);
    const message = service.stderr();
    for (const name of [
      'PORT',
      'ENCRYPTION_KEYS',
      'SIGNING_KEYS',
      'BOOTSTRAP_ORGANIZATION',
      'BOOTSTRAP_CLIENT_SECRET',
    ]) {
      expect(message).toContain(`- ${name} `);
    }
    expect(service.stdout()).toBe('');
  });

  test('exits with code 1 when the database cannot be reached, without showing its password', async () => {
    const location = { databaseUrl: 'postgres://me:hush@127.0.0.1:1/agent' };
    const service = start(environmentOf(location));
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toContain('Cannot start the service: Cannot connect to the database');
    expect(service.stderr() + service.stdout()).not.toContain('hush');
  });

  test('does not open the database when its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    afterwards.push(() => new Promise(resolve => other.close(() => resolve())));
    // A server listening on a port has an AddressInfo.
    const { port } = other.address() as AddressInfo;
    // Opening this database would fail with another error.
    const location = { databaseUrl: 'postgres://me@127.0.0.1:1/agent' };
    await expect(startServiceHere({ ...environmentOf(location), PORT: String(port) })).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${port}: the port is in use; choose another with PORT`,
    );
  });
});

// On PGlite, the tests of the data folder start the service.
describe.each(enginesInFull)('on %s', engine => {
  async function startOnFreshDatabase(): Promise<ServiceProcess> {
    const { location, remove } = await makeDatabase(engine);
    afterwards.push(remove);
    return start({ ...environmentOf(location), ...application });
  }

  test('logs service_ready once, serves requests, and after SIGTERM finishes those that are running', async () => {
    const service = await startOnFreshDatabase();
    const url = await service.url;
    // On a busy machine, the embedded database can be slow while it gets its first tables.
    await until(async () => expect(await statusOf(`${url}/readyz`)).toBe(200));
    const running = beginTokenRequest(url);
    await once(running.request, 'socket');
    await arrivedAt(url);
    service.child.kill('SIGTERM');
    await service.logged('service_stopping');
    // A connection that was opened between the signal and the closing of the port is served or reset.
    await until(() =>
      expect(statusOf(`${url}/healthz`)).rejects.toMatchObject({
        code: expect.stringMatching(/^ECONN(?:REFUSED|RESET)$/) as string,
      }),
    );
    running.finish();
    const response = await running.response;
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(await text(response))).toMatchObject({ token_type: 'bearer' });
    expect(await service.ended).toBe(0);
    expect(service.stdout().match(/service_ready/g)).toHaveLength(1);
    expect(service.stderr()).toBe('');
  });

  test('reports after SIGTERM that it is not ready, and serves requests for DRAIN_SECONDS', async () => {
    const { location, remove } = await makeDatabase(engine);
    afterwards.push(remove);
    const service = start({ ...environmentOf(location), ...application, DRAIN_SECONDS: '300' });
    const url = await service.url;
    service.child.kill('SIGTERM');
    await service.logged('service_stopping');
    await until(async () => expect(await statusOf(`${url}/readyz`)).toBe(503));
    const running = beginTokenRequest(url);
    running.finish();
    const response = await running.response;
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    // A second signal ends the process immediately.
    service.child.kill('SIGINT');
    expect(await service.ended).toBe(130);
  });

  fullTest('exits immediately on a second signal', async () => {
    const service = await startOnFreshDatabase();
    const url = await service.url;
    const running = beginTokenRequest(url);
    running.response.catch(() => {});
    await arrivedAt(url);
    service.child.kill('SIGINT');
    await service.logged('service_stopping');
    service.child.kill('SIGINT');
    expect(await service.ended).toBe(130);
  });
});

fullTest(
  'makes an existing data folder private, creates only private files in it, and needs its keys',
  async () => {
    const { location, remove } = await makeDatabase('pglite');
    afterwards.push(remove);
    if (!('dataDir' in location)) throw new Error('PGlite has a folder');
    const { dataDir } = location;
    const { ENCRYPTION_KEYS = '', SIGNING_KEYS = '' } = environmentOf(location);
    const keyFile = join(dataDir, 'encryption.keys');
    await writeFile(keyFile, ENCRYPTION_KEYS);
    await writeFile(join(dataDir, 'signing.keys'), SIGNING_KEYS);
    for (const path of [dataDir, join(dataDir, 'pglite'), keyFile]) await chmod(path, 0o755);
    const first = start({ DATA_DIR: dataDir });
    await first.url;
    expect(first.stdout()).toContain('"event":"data_folder_restricted"');
    expect(await openPathsIn(dataDir)).toEqual([]);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    await rm(keyFile);
    await expect(startServiceHere({ DATA_DIR: dataDir })).rejects.toThrow(
      'encryption.keys is missing. Restore it from a backup.',
    );
  },
);

// Creating the database of PGlite takes as long as ten starts.
fullTest('creates only private files in a new data folder', async () => {
  const { folder, remove } = await makeFolder();
  afterwards.push(remove);
  const service = start({ DATA_DIR: folder });
  await service.url;
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(await openPathsIn(folder)).toEqual([]);
});

fullTest(
  'serves metrics on an address of their own, and warns about a variable that looks like a misspelled setting',
  async () => {
    const { location, remove } = await makeDatabase('postgres');
    afterwards.push(remove);
    const token = 'a-token-for-prometheus-0123456789';
    const service = start({
      ...environmentOf(location),
      METRICS_PORT: '0',
      METRICS_TOKEN: token,
      BOOTSTRAP_ORGANISATION: 'Acme',
    });
    const url = await service.url;
    const [line = ''] = service
      .stdout()
      .split('\n')
      .filter(each => each.includes('metrics_ready'));
    // The service writes JSON lines.
    const { listening } = JSON.parse(line) as { listening: string };
    expect(await statusOf(`${url}/metrics`)).toBe(404);
    expect(await statusOf(`${listening}/metrics`)).toBe(401);
    expect(await statusOf(`${listening}/api/v1/customers`)).toBe(404);
    const response = await fetch(`${listening}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(await response.text()).toContain('process_resident_memory_bytes');
    expect(service.stdout()).toContain('did you mean BOOTSTRAP_ORGANIZATION?');
  },
);

test('prints a set-up code to the terminal only, until there is an admin key', async () => {
  const { location, remove } = await makeDatabase('postgres');
  afterwards.push(remove);
  const first = await startServiceHere(environmentOf(location));
  const [code = ''] = /(?:[0-9A-Z]{4}-){6}[0-9A-Z]{2}/.exec(first.printed()) ?? [];
  expect(first.printed()).toContain(`${first.url}/console\n`);
  const response = await fetch(`${first.url}/api/v1/admin/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name: 'Ada' }),
  });
  expect(response.status).toBe(201);
  expect(response.headers.get('set-cookie')).toMatch(/^connector-auth-admin=/);
  await first.close();
  expect(first.logged()).not.toContain(code);

  const second = await startServiceHere(environmentOf(location));
  afterwards.unshift(() => second.close());
  expect(second.printed()).toBe('');
});

fullTest('serves the console on the private address, and prints its URL', async () => {
  const { location, remove } = await makeDatabase('postgres');
  afterwards.push(remove);
  const service = start({ ...environmentOf(location), CONSOLE: 'private', METRICS_PORT: '0' });
  const url = await service.url;
  const [, privateUrl = ''] = /(http:.*)\/console\n/.exec(service.stderr()) ?? [];
  expect(privateUrl).not.toBe(url);
  expect(await statusOf(`${privateUrl}/api/v1/admin/setup`)).toBe(200);
  expect(await statusOf(`${privateUrl}/metrics`)).toBe(200);
  expect(await statusOf(`${url}/api/v1/admin/setup`)).toBe(404);
});

fullTest(
  'a second process on the same data folder does not start, and the first process keeps running',
  async () => {
    const { location, remove } = await makeDatabase('pglite');
    afterwards.push(remove);
    const first = start({ ...environmentOf(location), ...application });
    const url = await first.url;
    const second = start(environmentOf(location));
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toContain('Another process is using the data folder');
    expect(await statusOf(`${url}/readyz`)).toBe(200);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.stdout().match(/service_ready/g)).toHaveLength(1);
    expect(first.stderr()).toBe('');
  },
);

fullTest('two processes can start at the same time on one PostgreSQL server', async () => {
  const { location, remove } = await makeDatabase('postgres');
  afterwards.push(remove);
  const both = [1, 2].map(() => start({ ...environmentOf(location), ...application }));
  for (const { url } of both) expect(await statusOf(`${await url}/readyz`)).toBe(200);
});

/** Returns the files and folders that users other than the owner can access. */
async function openPathsIn(folder: string): Promise<string[]> {
  const paths = [folder, ...(await readdir(folder, { recursive: true })).map(name => join(folder, name))];
  const modes = await Promise.all(
    paths.map(async path => ({ path, mode: (await lstat(path)).mode & 0o077 })),
  );
  return modes.flatMap(({ path, mode }) => (mode === 0 ? [] : [`${path} ${mode.toString(8)}`]));
}

/** Waits for the response to a new request. By then, the service has received all earlier requests. */
async function arrivedAt(url: string): Promise<void> {
  await statusOf(`${url}/healthz`);
}

/** Sends a GET on a new connection and returns the status. */
async function statusOf(url: string): Promise<number | undefined> {
  // The 'response' event has one argument. If the connection fails, `once` rejects.
  const [message] = (await once(request(url, { agent: false }).end(), 'response')) as [IncomingMessage];
  message.resume();
  return message.statusCode;
}
