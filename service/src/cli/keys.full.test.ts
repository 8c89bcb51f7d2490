import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, createCustomerClient, type Client } from '@connector-auth/api/client';
import { describe, expect, test, vi } from 'vitest';
import { clientOf, credentials, stop, useServices } from '../../test/command-harness.ts';
import { runCommand } from '../../test/command-process.ts';
import { engines, makeDatabase, makeEmptyDatabase, makeFolder } from '../../test/engines.ts';
import { goodKey } from '../../test/example-requests.ts';
import { environmentOf, type ServiceProcess } from '../../test/service-process.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { generatedAt, parseKeyRing } from '../platform/crypto/key-ring.ts';
import { runCommandLine } from './run.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 });

const { afterwards, start } = useServices();

async function connect(client: Client): Promise<string> {
  const { id } = await client.connectors.create({
    customer_name: 'acme',
    connector_type: 'granola',
    name: 'Notes',
    credentials: { api_key: goodKey },
  });
  return id;
}

const listNotes = { entity: 'notes', action: 'list', params: { page_size: 1 } };
const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;

describe('keys generate', () => {
  const generate = async (...options: string[]) => {
    const terminal = testTerminal();
    const code = await runCommandLine(['keys', 'generate', ...options], {
      environment: {},
      terminal,
      kinds: [],
    });
    return { code, out: terminal.printed(), err: terminal.noted() };
  };

  test('prints a new entry for the variables, with the date in its id', async () => {
    const { code, out, err } = await generate();
    expect(code).toBe(0);
    const keys = parseKeyRing(out);
    if ('error' in keys) throw new Error(keys.error);
    expect(generatedAt(keys[0])).toBeGreaterThan(Date.now() - 2 * 86_400_000);
    expect(err).toContain('shown only now');
    expect((await generate()).out).not.toBe(out);
  });

  test('uses the id that is given, and rejects one that is not valid', async () => {
    expect((await generate('--id', 'k2')).out).toMatch(/^k2:/);
    const { code, err } = await generate('--id', 'a b');
    expect([code, err]).toEqual([2, expect.stringContaining('1 to 32 letters')]);
  });
});

test('"keys status" needs a database, and does not create one', async () => {
  const { folder, remove } = await makeFolder();
  afterwards.push(remove);
  const { code, stderr } = await runCommand(['keys', 'status'], { DATA_DIR: folder });
  expect([code, stderr]).toEqual([1, expect.stringContaining('contains no database')]);
  expect(await readdir(folder)).toEqual([]);
  const { location, remove: drop } = await makeEmptyDatabase('postgres');
  afterwards.push(drop);
  const empty = await runCommand(['keys', 'status'], environmentOf(location));
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('service migrate" first')]);
});

describe.each(engines)('on %s', engine => {
  test('"keys rotate" re-encrypts all values, after which the old key can be removed', async () => {
    const { location, remove } = await makeDatabase(engine);
    afterwards.push(remove);
    const environment = environmentOf(location);
    const first = start(environment);
    const id = await connect(await clientOf(first));
    await stop(first);
    const both = { ...environment, ENCRYPTION_KEYS: `${key('e2', 3)},${environment['ENCRYPTION_KEYS']}` };
    const before = await runCommand(['keys', 'status', '--json'], both);
    const encryption = (json: string) => (JSON.parse(json) as { encryption: unknown }).encryption;
    expect(encryption(before.stdout)).toMatchObject([
      { id: 'e2', state: 'active', values: 0 },
      { id: 'e1', state: 'old', values: 1 },
    ]);
    const rotated = await runCommand(['keys', 'rotate', '--json'], both);
    expect(JSON.parse(rotated.stdout)).toMatchObject({ re_encrypted: 1 });
    expect(encryption(rotated.stdout)).toMatchObject([
      { id: 'e2', values: 1 },
      { id: 'e1', values: 0, advice: 'Remove it once every process has the active key first' },
    ]);
    expect(rotated.stdout + before.stdout).not.toContain(key('e2', 3).slice(3));
    const second = start({ ...environment, ENCRYPTION_KEYS: key('e2', 3) });
    const { result } = await (await clientOf(second)).execute(id, listNotes);
    expect(result).toHaveLength(1);
  });
});

test('two processes rotate both keys in the documented steps without a failed request', async () => {
  const { location, remove } = await makeDatabase('postgres');
  afterwards.push(remove);
  const environment = environmentOf(location);
  const [e1, s1] = [environment['ENCRYPTION_KEYS'] ?? '', environment['SIGNING_KEYS'] ?? ''];
  const [e2, s2] = [key('e2', 3), key('s2', 4)];
  const steps = [
    { ENCRYPTION_KEYS: `${e1},${e2}`, SIGNING_KEYS: `${s1},${s2}` },
    { ENCRYPTION_KEYS: `${e2},${e1}`, SIGNING_KEYS: `${s2},${s1}` },
    { ENCRYPTION_KEYS: e2, SIGNING_KEYS: s2 },
  ];
  const processes = [start(environment), start(environment)];
  const client = await clientOf(processes[0] ?? start(environment));
  const id = await connect(client);
  const mintToken = async (baseUrl: string) =>
    (await createClient({ baseUrl, ...credentials }).tokens.mintScoped({ customer_name: 'acme' })).token;

  // The load balancer: sends requests, one after another, to all processes that are not being restarted.
  const live = new Set(await Promise.all(processes.map(({ url }) => url)));
  let token = await mintToken([...live][0] ?? '');
  let served = 0;
  const failures: unknown[] = [];
  const done = new AbortController();
  const traffic = (async () => {
    while (!done.signal.aborted) {
      for (const baseUrl of live) {
        await createCustomerClient({ baseUrl, token })
          .execute(id, listNotes)
          .catch(error => failures.push(error));
        served += 1;
      }
    }
  })();
  const untilServed = async (more: number) => {
    const goal = served + more;
    await vi.waitFor(() => expect(served).toBeGreaterThanOrEqual(goal), { timeout: 30_000, interval: 5 });
  };

  for (const [index, keys] of steps.entries()) {
    // By the last step, the tokens that were signed with the old key have expired.
    if (index === 2) token = await mintToken([...live][0] ?? '');
    for (const [position, process] of processes.entries()) {
      const url = await process.url;
      live.delete(url);
      await untilServed(2);
      await stop(process);
      const next = start({ ...environment, ...keys });
      processes[position] = next;
      live.add(await next.url);
      await untilServed(4);
    }
    if (index === 1) {
      const rotated = await runCommand(['keys', 'rotate', '--json'], { ...environment, ...keys });
      expect(JSON.parse(rotated.stdout)).toMatchObject({
        encryption: [
          { id: 'e2', values: 1 },
          { id: 'e1', values: 0 },
        ],
      });
    }
  }
  done.abort();
  await traffic;
  expect(failures).toEqual([]);
  expect(served).toBeGreaterThan(20);
});

describe('with key files', () => {
  async function makeService(): Promise<{
    dataDir: string;
    token: string;
    id: string;
    service: ServiceProcess;
  }> {
    const { folder: dataDir, remove } = await makeFolder();
    afterwards.push(remove);
    const service = start({ DATA_DIR: dataDir });
    const client = await clientOf(service);
    const id = await connect(client);
    const { token } = await client.tokens.mintScoped({ customer_name: 'acme' });
    return { dataDir, token, id, service };
  }

  const idsIn = async (dataDir: string, name: string): Promise<string[]> => {
    const keys = parseKeyRing(await readFile(join(dataDir, `${name}.keys`), 'utf8'));
    if ('error' in keys) throw new Error(keys.error);
    return keys.map(({ id }) => id);
  };

  test('"keys rotate" replaces both keys of a stopped service, and earlier tokens stay valid', async () => {
    const { dataDir, token, id, service } = await makeService();
    const running = await runCommand(['keys', 'rotate'], { DATA_DIR: dataDir });
    expect([running.code, running.stderr]).toEqual([
      1,
      expect.stringContaining('Another process is using the data folder'),
    ]);
    const [encryption, signing] = [await idsIn(dataDir, 'encryption'), await idsIn(dataDir, 'signing')];
    await stop(service);
    for (const rotation of [1, 2]) {
      const { code, stdout } = await runCommand(['keys', 'rotate'], { DATA_DIR: dataDir });
      expect(code).toBe(0);
      expect(stdout).toContain('Re-encrypted 1 value with');
      expect(await idsIn(dataDir, 'encryption')).toHaveLength(1);
      expect(await idsIn(dataDir, 'encryption')).not.toEqual(encryption);
      // The second rotation comes soon after the first, so all signing keys stay.
      expect(await idsIn(dataDir, 'signing')).toHaveLength(rotation + 1);
      expect(await idsIn(dataDir, 'signing')).toContain(signing[0]);
      expect((await stat(join(dataDir, 'encryption.keys'))).mode & 0o777).toBe(0o600);
    }
    const restarted = start({ DATA_DIR: dataDir });
    const customer = createCustomerClient({ baseUrl: await restarted.url, token });
    expect((await customer.execute(id, listNotes)).result).toHaveLength(1);
  });
});
