/** Tests the examples that need no build, and the code in the root README. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createClient, type Client } from '@connector-auth/api/client';
import { connectorAuth } from '@connector-auth/server-helper';
import type { Page } from '@playwright/test';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { firstCustomer } from '../../demo/src/customers.ts';
import { freePort } from '../../demo/src/free-port.ts';
import { seedService } from '../../demo/src/seed.ts';
import { copyExample, installPacked, packageJsonOf, runScript, startServer } from '../../scripts/examples.ts';
import { startPostgres, type PostgresServer } from '../../service/test/postgres.ts';
import { runCommand, type RunningProgram } from '../stack/processes.ts';
import { findTopCampaigns, topCampaigns } from './campaign-question.ts';
import { connectOnPage, onServer, startExampleStack, tryExample, type ExampleStack } from './examples.ts';
import { root, run } from './packed-widget.ts';
import { startScriptedModel } from './scripted-model.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const names = ['express-html', 'open-source-mode', 'curl', 'ai-sdk', 'openai-agents', 'postgres'] as const;
let stack: ExampleStack;
const folderOf = (name: string) => join(stack.folder, 'project', name);

beforeAll(async () => {
  stack = await startExampleStack(async (folder, packed) => {
    // One installation for all of them takes less time.
    const dependencies = names.flatMap(name => {
      const { dependencies = {}, devDependencies = {} } = packageJsonOf(name);
      return Object.entries({ ...dependencies, ...devDependencies });
    });
    const project = { private: true, type: 'module', dependencies: Object.fromEntries(dependencies) };
    for (const name of names) copyExample(name, join(folder, 'project', name));
    await installPacked(join(folder, 'project'), project, packed);
  });
});
afterAll(() => stack?.close());

it('the example express-html connects Granola, and lists and searches the customer’s notes', async () => {
  await onServer(stack, folderOf('express-html'), 'start', tryExample);
});

it.each(['express-html', 'open-source-mode', 'ai-sdk', 'openai-agents', 'postgres'])(
  'the example %s compiles',
  async name => {
    const tsc = join(root, 'node_modules/.bin/tsc');
    expect(await run(tsc, ['-p', '.'], folderOf(name))).toBe('');
  },
);

it('the example open-source-mode lists notes without the service', async () => {
  const env = { SANDBOX_URL: stack.sandboxUrl };
  const { exitCode, output } = await runScript(folderOf('open-source-mode'), 'start', { env }).ended;
  expect(output).toMatch(
    /^(?:20\S+ .+\n){3}There are more\.\n“.+” has \d+ transcript entries\.\n\d+ notes since/m,
  );
  expect(exitCode).toBe(0);
});

it('the code in the root README compiles, connects Granola, and lists and searches notes', async () => {
  const folder = folderOf('readme');
  saveReadmeFiles(folder);
  const tsc = join(root, 'node_modules/.bin/tsc');
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  expect(await run(tsc, [...strict, '--skipLibCheck', 'server.ts', 'read-notes.ts'], folder)).toBe('');

  await onServer(stack, folder, 'start', connectOnPage);
  const { exitCode, output } = await runScript(folder, 'read', { env: stack.environment }).ended;
  expect(output).toMatch(/^(?:20\S+ .+\n){3}(?:Found: .*review.*\n)+$/i);
  expect(exitCode).toBe(0);
});

it('the example curl goes from a token to a consent with HTTP requests only', async () => {
  const { environment: env } = stack;
  const { exitCode, output } = await runScript(folderOf('curl'), 'start', { env }).ended;
  expect(output).toContain('TikTok Marketing');
  expect(output).toMatch(/^4\. .+\n(?:.+\n){3}5\. .+\n(?:.*review.*\n){1,3}6\. /im);
  expect(output).toContain(`${env.SERVICE_URL}/oauth/`);
  expect(exitCode).toBe(0);
});

describe('asked which campaigns spent most last week', () => {
  let expected: string;
  beforeAll(async () => {
    await seedService(stack.environment, stack.sandboxUrl);
    expected = await topCampaigns(stack.environment, firstCustomer.id);
  });

  it.each(['ai-sdk', 'openai-agents'])(
    'the example %s shows its tool calls, and answers from live data',
    async name => {
      const model = await startScriptedModel(findTopCampaigns);
      const env = {
        ...stack.environment,
        CUSTOMER: firstCustomer.id,
        MODEL_URL: model.url,
        MODEL_KEY: 'none',
      };
      const { exitCode, output } = await runScript(folderOf(name), 'start', { env }).ended;
      await model.close();
      expect(output).toMatch(
        /^→ list_sources .*\n→ describe .*google-ads.*\n→ read .*LAST_WEEK_MON_SUN.*\n/m,
      );
      expect(expected).toMatch(/^(?:.+ \(\d+\): [1-9]\d+ micros\n?){3}$/);
      expect(output).toContain(expected);
      expect(exitCode).toBe(0);
    },
  );

  describe('signed in by a person', () => {
    let page: Page;
    let close: () => Promise<unknown>;
    beforeAll(async () => {
      const { SERVICE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = stack.environment;
      // The product, whose only person is signed in.
      const product = express().use(
        '/connector-auth',
        connectorAuth({
          baseUrl,
          clientId,
          clientSecret,
          allowedOrigins: ['http://localhost'],
          resolveCustomer: () => firstCustomer.id,
          resolveUser: () => ({ id: firstCustomer.personId, name: firstCustomer.person }),
        }),
      );
      const server = product.listen(0, '127.0.0.1');
      await once(server, 'listening');
      // The server listens on a port.
      const { port } = server.address() as AddressInfo;
      const client = createClient({ baseUrl, clientId, clientSecret });
      const helper = `http://127.0.0.1:${port}/connector-auth`;
      await client.organization.update({ connect_helper_url: helper, agent_sign_in: true });
      page = await stack.browser.newPage();
      close = () => Promise.all([page.close(), new Promise(resolve => server.close(resolve))]);
    });
    afterAll(() => close?.());

    const allow = async (program: RunningProgram) => {
      const [, url = ''] = await program.waitForOutput(/sign in: (http\S+)/);
      await page.goto(url);
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.getByText('You can close this page.').waitFor();
    };

    it.each(['ai-sdk', 'openai-agents'])('the example %s asks its question', async name => {
      const model = await startScriptedModel(findTopCampaigns);
      const program = runCommand(process.execPath, ['agent.ts'], {
        cwd: folderOf(name),
        env: { SERVICE_URL: stack.environment.SERVICE_URL, MODEL_URL: model.url, MODEL_KEY: 'none' },
      });
      await allow(program);
      await program.waitForOutput(/(?:.+ \(\d+\): [1-9]\d+ micros\n?){3}/);
      await model.close();
    });

    it('the example python lists what is connected', async () => {
      const program = runCommand('python3', [join(root, 'examples/python/agent.py')], {
        env: { SERVICE_URL: stack.environment.SERVICE_URL },
      });
      await allow(program);
      await program.waitForOutput(/\(google-ads\): \d+ records, last synced 20/);
    });
  });
});

describe('the example postgres', () => {
  const key = 'grn_sandbox_second';
  let server: PostgresServer;
  let db: Queryable;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres();
    // The example has installed it, and does not say its types here.
    const { Pool } = createRequire(join(stack.folder, 'project/package.json'))('pg') as {
      readonly Pool: new (options: { readonly connectionString: string }) => Queryable;
    };
    db = new Pool({ connectionString: `${server.url}/postgres` });
    const { SERVICE_URL, CLIENT_ID, CLIENT_SECRET } = stack.environment;
    client = createClient({ baseUrl: SERVICE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
  });
  afterAll(async () => {
    await db?.end();
    await server?.stop();
  });

  const environment = () => ({ ...stack.environment, DATABASE_URL: `${server.url}/postgres` });
  const connect = (customer_name: string) =>
    client.connectors.create({
      customer_name,
      connector_type: 'granola',
      name: 'Notes',
      credentials: { api_key: key },
    });
  const act = async (action: string, body: object): Promise<{ readonly id: string }> => {
    const response = await fetch(`${stack.sandboxUrl}/_sandbox/vendors/granola/actions/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { readonly result: { readonly id: string } }).result;
  };
  /** Returns what search finds, as `customer id title`. */
  const found = async () => {
    const lines: string[] = [];
    for await (const { id, customer_name } of client.connectors.all({ connector_type: 'granola' })) {
      const { result } = await client.execute(id, {
        entity: 'notes',
        action: 'search',
        params: { query: {}, limit: 1000 },
      });
      const { data } = result as {
        readonly data: readonly { readonly id: string; readonly title: string | null }[];
      };
      lines.push(...data.map(note => `${customer_name} ${note.id} ${note.title}`));
    }
    return lines.toSorted();
  };
  const mirrored = async () => {
    const { rows } = await db.query(
      `select concat_ws(' ', customer_name, id, coalesce(note->>'title', 'null')) as line from notes`,
    );
    return rows.map(({ line }) => String(line)).toSorted();
  };
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 100_000, interval: 200 });
  /** Resolves when the table has exactly what search finds, which has the notes of these customers. */
  const untilMirrored = (counts: Readonly<Record<string, number>>) =>
    until(async () => {
      const lines = await mirrored();
      for (const [customer, count] of Object.entries(counts)) {
        expect(lines.filter(line => line.startsWith(`${customer} `))).toHaveLength(count);
      }
      expect(lines).toEqual(await found());
    });

  it('mirrors notes, and misses nothing that happened while it was stopped', async () => {
    const [globex, umbrella] = [await connect('globex'), await connect('umbrella')];
    const first = runScript(folderOf('postgres'), 'mirror', { env: environment() });
    await untilMirrored({ globex: 37, umbrella: 37 });
    await first.stop();

    const edited = (await found()).find(line => line.startsWith('globex '))?.split(' ')[1] ?? '';
    await act('add-note', { account: 'northquay', title: 'Added meanwhile' });
    await act('edit-note', { account: 'northquay', id: edited, title: 'Edited meanwhile' });
    await client.connectors.delete(umbrella.id);
    await client.connectors.sync(globex.id);
    await until(async () => {
      expect(await found()).toContain(`globex ${edited} Edited meanwhile`);
    });
    expect(await mirrored()).not.toContain(`globex ${edited} Edited meanwhile`);

    const second = runScript(folderOf('postgres'), 'mirror', { env: environment() });
    await untilMirrored({ globex: 38, umbrella: 0 });
    await second.stop();
  });

  it('writes one mail when a connection breaks, however often the event arrives', async () => {
    const { id } = await connect('broken-customer');
    const port = await freePort(0);
    const url = `http://localhost:${port}/connector-auth/events`;
    const { id: webhookId, secret } = await client.webhooks.create({ url });
    const receiver = await startServer(folderOf('postgres'), 'start', port, {
      env: { ...environment(), WEBHOOK_SECRET: secret },
    });
    try {
      await receiver.url;
      await act('revoke-key', { key });
      await client.connectors.check(id);
      const mails = async () => (await db.query('select * from mails')).rows;
      await until(async () =>
        expect(await mails()).toEqual([
          expect.objectContaining({
            customer_name: 'broken-customer',
            body: expect.stringMatching(/^Notes needs a new sign-in: http/),
          }),
        ]),
      );
      const eventId = String((await mails())[0]?.['event_id']);
      const delivery = async () => {
        const { data } = await client.webhooks.deliveries(webhookId);
        return data.find(({ event_id, state }) => event_id === eventId && state === 'delivered');
      };
      await until(async () => expect(await delivery()).toBeDefined());
      const before = await delivery();
      await client.webhooks.resend(webhookId, eventId);
      await until(async () => {
        const after = await delivery();
        expect(after).toBeDefined();
        expect(after?.last_attempt_at).not.toBe(before?.last_attempt_at);
      });
      expect(await mails()).toHaveLength(1);
    } finally {
      await receiver.stop();
      await act('restore-key', { key });
    }
  });
});

/** The part of a pool of `pg` that these tests use. */
interface Queryable {
  query(text: string): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  end(): Promise<void>;
}

/** Saves the files of the root README, whose first line names them, and scripts for the commands in it. */
function saveReadmeFiles(folder: string): void {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const scripts = { start: 'node server.ts', read: 'node read-notes.ts' };
  mkdirSync(join(folder, 'public'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  for (const [, name = '', code = ''] of readme.matchAll(
    /^```(?:ts|html)\n(?:\/\/|<!--) ([\w./-]+)(?: -->)?\n([^]*?)^```$/gm,
  )) {
    writeFileSync(join(folder, name), code);
  }
}
