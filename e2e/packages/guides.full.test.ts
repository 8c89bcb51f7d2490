/**
 * Runs the commands of the operating guides with the packed packages, a PostgreSQL server and Caddy. What cannot be run here is
 * marked in the guide as "Not run by the tests". What differs here from a guide, such as ports, is replaced in its commands.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createClient, type Client } from '@connector-auth/api/client';
import { chromium, expect as expectPage } from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { chromiumLaunchOptions } from '../../scripts/chromium.ts';
import { packPackages } from '../../scripts/pack.ts';
import { freePort, startPostgres, type PostgresServer } from '../../service/test/postgres.ts';
import { root, runProgram, type RunningProgram } from '../stack/processes.ts';
import { openShell, readGuide, type Block, type GuideShell, type Replacements } from './guide.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const folder = mkdtempSync(join(tmpdir(), 'connector-auth-guides-'));
const installed = join(folder, 'connector-auth');
const rootCertificate = join(folder, 'caddy/pki/authorities/local/root.crt');
const registryCertificates = process.env['NODE_EXTRA_CA_CERTS'] ?? '';
const application = {
  BOOTSTRAP_ORGANIZATION: 'Acme',
  BOOTSTRAP_CLIENT_ID: 'acme',
  BOOTSTRAP_CLIENT_SECRET: 'a-long-secret-for-the-tests-of-guides',
};
let server: PostgresServer;
let sandbox: RunningProgram;
let sandboxUrl = '';
let ports: { readonly https: number; readonly services: readonly number[] };
/** The guide and line of each block that a shell has run. */
const ran = new Set<string>();
const afterwards: (() => Promise<unknown>)[] = [];

/** Opens a shell in which the service is installed, as after the first guide. */
function open(place: string, database: PostgresServer, environment: Replacements = {}): GuideShell {
  const { host } = new URL(database.url);
  const [first = 0, second = 0] = ports.services;
  const shell = openShell(
    place,
    {
      PATH: [join(installed, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']].join(':'),
      SANDBOX_URL: sandboxUrl,
      SERVICE_ADDRESSES: `127.0.0.1:${first} 127.0.0.1:${second}`,
      XDG_DATA_HOME: folder,
      CURL_CA_BUNDLE: rootCertificate,
      NODE_EXTRA_CA_CERTS: rootCertificate,
      ...environment,
    },
    {
      // The registry has other certificates than Caddy.
      'npm install ': `NODE_EXTRA_CA_CERTS='${registryCertificates}' npm install `,
      'connect.example.com': `localhost:${ports.https}`,
      '--database-host localhost': `--database-host ${host}`,
      'db.internal': host,
      'sudo -u postgres psql': `psql ${database.url}/postgres`,
      '8787': String(first),
      '8788': String(second),
      '/var/lib/connector-auth': join(folder, 'data'),
      '/backup': join(folder, 'backup'),
      '/restore-test': join(folder, 'restore-test'),
      '<key>': 'grn_sandbox_demo',
      // A shell without a terminal cannot answer.
      'admin disableOrganization': 'admin disableOrganization --yes',
      'admin disableConnector': 'admin disableConnector --yes',
      'admin deleteOrganization': 'admin deleteOrganization --yes',
      'admin declareIncident': 'admin declareIncident --yes',
      'admin undoIncident': 'admin undoIncident --yes',
    },
  );
  afterwards.push(() => shell.close());
  return shell;
}

/** Runs the commands of a guide, or of one of its sections. */
async function follow(
  shell: GuideShell,
  guide: string,
  section: string | null = null,
  replacements: Replacements = {},
): Promise<string> {
  const blocks = readGuide(guide).filter(
    block => block.isRun && (section === null || block.section === section),
  );
  expect(blocks.length, `${guide} has commands in ${section}`).toBeGreaterThan(0);
  let printed = '';
  for (const block of blocks) printed += await runBlock(shell, block, replacements);
  return printed;
}

function runBlock(shell: GuideShell, block: Block, replacements?: Replacements): Promise<string> {
  ran.add(`${block.guide}:${block.line}`);
  return shell.run(block, replacements);
}

/** Runs commands that are not in a guide. */
function type(shell: GuideShell, text: string): Promise<string> {
  return shell.run({ guide: 'The test', line: 0, section: '', text, isRun: true });
}

/** Returns the first id in a response of the API. */
function firstId(json: string): string {
  return /"id": ?"([\da-f-]{36})"/.exec(json)?.[1] ?? '';
}

/** Waits until the service in a shell is ready. */
function untilReady(shell: GuideShell): Promise<string> {
  return type(
    shell,
    'curl --silent --fail --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:8787/readyz',
  );
}

function clientOf(credentials: { readonly id: string; readonly secret: string }, baseUrl: string): Client {
  return createClient({ baseUrl, clientId: credentials.id, clientSecret: credentials.secret });
}

const bootstrapped = () =>
  clientOf(
    { id: application.BOOTSTRAP_CLIENT_ID, secret: application.BOOTSTRAP_CLIENT_SECRET },
    `http://127.0.0.1:${ports.services[0]}`,
  );

async function connect(client: Client, customer: string): Promise<string> {
  const { id } = await client.connectors.create({
    customer_name: customer,
    connector_type: 'granola',
    name: 'Notes',
    credentials: { api_key: 'grn_sandbox_demo' },
  });
  return id;
}

/** Ends the shells, and what tests have started for them. */
async function closeAll(): Promise<void> {
  for (const step of afterwards.splice(0).toReversed()) await step();
}

beforeAll(async () => {
  const missing = ['caddy', 'curl', 'jq', 'psql'].filter(program => !existsSync(`/usr/bin/${program}`));
  if (missing.length > 0) throw new Error('Install: apt-get install caddy curl jq postgresql-client');
  for (const name of ['tarballs', 'deploy', 'backup']) mkdirSync(join(folder, name));
  packPackages(['api', 'connectors', 'service'], join(folder, 'tarballs'));
  server = await startPostgres();
  sandbox = runProgram(['sandbox/src/main.ts'], { PORT: '0' });
  [, sandboxUrl = ''] = await sandbox.waitForOutput(/"url":"([^"]+)"/);
  ports = { https: await freePort(), services: [await freePort(), await freePort()] };
  // Other ports, and no installation of Caddy's root certificate on this machine.
  const options = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${await freePort()}\n}\n`;
  const sample = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8');
  writeFileSync(join(folder, 'deploy/Caddyfile'), options + sample);
  await follow(open(folder, server), 'production.md', '1. Install the service');
  await closeAll();
});
afterAll(async () => {
  await closeAll();
  await sandbox?.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Signs in to the console, makes an organization and an application, and returns the application's variables. */
async function getStarted(adminToken: string): Promise<Record<string, string>> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(`https://localhost:${ports.https}/console`);
    await page.getByLabel('Admin key', { exact: true }).fill(adminToken);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Get started' }).click();
    await page.getByLabel('Name').fill('Acme Analytics');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await expectPage(page.getByRole('heading', { name: 'Step 2 of 3: Application' })).toBeFocused();
    await page.getByLabel('Name').fill('Acme backend');
    await page.getByRole('button', { name: 'Create application' }).click();
    const text = await page.getByRole('region', { name: 'Environment' }).innerText();
    return Object.fromEntries([...text.matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]));
  } finally {
    await browser.close();
  }
}

/** Sends 20 requests a second until it is stopped. Returns the function that stops, with the status or error of each. */
function askRepeatedly(url: string, headers: Record<string, string>): () => Promise<readonly unknown[]> {
  const outcomes: Promise<unknown>[] = [];
  const ask = async (): Promise<unknown> => {
    try {
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      return error;
    }
  };
  const timer = setInterval(() => outcomes.push(ask()), 50);
  return () => {
    clearInterval(timer);
    return Promise.all(outcomes);
  };
}

// Each of these guides begins where the ones before it have led.
describe('on one machine with PostgreSQL and Caddy', () => {
  afterAll(closeAll);
  let shell: GuideShell;
  let client: Client;
  let ids: Replacements;

  it('production.md leads from an empty folder to a connected source behind TLS', async () => {
    shell = open(installed, server);
    await follow(shell, 'production.md', '2. Configure it');
    await follow(shell, 'production.md', '3. Create the database');
    expect(await follow(shell, 'production.md', '4. Start it')).toMatch(/ok +proxies/);
    const environment = readFileSync(join(installed, '.env'), 'utf8');
    const variables = await getStarted(/^ADMIN_TOKEN=(.+)$/m.exec(environment)?.[1] ?? '');
    const { SERVICE_URL = '', CLIENT_ID: id = '', CLIENT_SECRET: secret = '' } = variables;
    await type(
      shell,
      Object.entries(variables)
        .map(([name, value]) => `export ${name}='${value}'`)
        .join('\n'),
    );
    const connected = await follow(shell, 'production.md', '6. Connect a first source');
    const connector = firstId(connected);
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(rootCertificate, 'utf8')]);
    client = clientOf({ id, secret }, SERVICE_URL);
    const { connector_type } = await client.connectors.get(connector);
    expect(connector_type).toBe('granola');
    ids = { '<connector>': connector };
  });

  it('upgrade.md replaces both processes without a failed request', async () => {
    const [token = ''] = (await type(shell, 'echo "$token"')).trim().split('\n');
    const stop = askRepeatedly(`https://localhost:${ports.https}/api/v1/integrations/connectors`, {
      authorization: `Bearer ${token}`,
    });
    expect(await follow(shell, 'upgrade.md')).toMatch(/ok +proxies/);
    const outcomes = await stop();
    expect(outcomes.filter(outcome => outcome !== 200)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(100);
    expect(readdirSync(join(folder, 'connector-auth-new'))).toContain('service-2.log');
  });

  it('check-a-service.md finds no problem', async () => {
    expect(await follow(shell, 'check-a-service.md')).not.toMatch(/^problem/m);
  });

  it('administer.md runs operations of the API', async () => {
    const [first] = readGuide('administer.md');
    const [variables = ''] = (first?.text ?? '').split('\n');
    await type(shell, variables);
    const firstOf = async (operation: string) => {
      const listed = await type(shell, `connector-auth-service admin ${operation} --json`);
      return firstId(listed);
    };
    ids = {
      ...ids,
      '<organization>': await firstOf('listOrganizations'),
      '<application>': await firstOf('listApplications'),
    };
    await follow(shell, 'administer.md', null, ids);
    const audit = readFileSync(join(folder, 'connector-auth-new/audit.ndjson'), 'utf8');
    expect(audit).toContain('organization.disabled');
  });

  it('stop-a-connector.md disables and enables a connector', async () => {
    expect(await follow(shell, 'stop-a-connector.md', null, ids)).toContain('active');
  });

  it('rotate-a-key.md shows and generates keys, and encrypts all values again', async () => {
    await follow(shell, 'rotate-a-key.md', 'Rotate a key');
    const printed = await follow(shell, 'rotate-a-key.md', 'With `ENCRYPTION_KEYS` and `SIGNING_KEYS`');
    expect(printed).toMatch(/^\d{8}-\w{4}:\S{44}$/m);
  });

  it('incidents.md declares incidents, shows their receipts and undoes one', async () => {
    const incident = {
      '--organization <id>': `--organization ${ids['<organization>']}`,
      '"organization": "<id>", "name": "globex"': `"organization": "${ids['<organization>']}", "name": "acme"`,
      '--application <id>': `--application ${ids['<application>']}`,
    };
    await follow(shell, '../incidents.md', '2. Declare it', incident);
    const listed = await type(shell, 'connector-auth-service admin listIncidents --json');
    const id = { '<id>': firstId(listed) };
    await follow(shell, '../incidents.md', '3. Follow the receipts', id);
    await follow(shell, '../incidents.md', '5. Undo it', id);
  });

  it('delete-an-organization.md shows how far a deletion is', async () => {
    expect(await follow(shell, 'delete-an-organization.md', null, ids)).toContain(ids['<organization>']);
  });
});

describe('with the embedded database, and roles', () => {
  afterEach(closeAll);

  it('back-up-and-restore.md restores the embedded database and lists what it lacks; then its keys are rotated', async () => {
    await type(
      open(installed, server, { NODE_EXTRA_CA_CERTS: registryCertificates }),
      'npm install @electric-sql/pglite@0.5',
    );
    const place = mkdtempSync(join(folder, 'embedded-'));
    const dataDir = join(folder, 'data');
    const shell = open(place, server, { ...application, PORT: String(ports.services[0]) });
    const start = `DATA_DIR=${dataDir} connector-auth-service serve >> service.log 2>&1 & echo $! > service.pid`;
    const stop = 'kill "$(cat service.pid)"; tail --pid="$(cat service.pid)" --follow /dev/null';
    await type(shell, start);
    await untilReady(shell);
    const client = bootstrapped();
    const kept = await connect(client, 'acme');
    await connect(client, 'leaving');
    await follow(shell, 'back-up-and-restore.md', 'Back up the embedded database');
    await client.customers.delete('leaving');
    const tested = await follow(shell, 'back-up-and-restore.md', 'Test a backup');
    expect(tested).toMatch(/ok +keys/);
    await type(shell, stop);
    await follow(shell, 'back-up-and-restore.md', 'Restore the embedded database');
    const [ofStep2, ofStep4] = readGuide('back-up-and-restore.md').filter(
      ({ section }) => section === 'After a restore',
    );
    expect(await runBlock(shell, ofStep2!)).toMatch(
      /customer\.deleted.*→ connector-auth-service admin deleteCustomer/s,
    );
    await type(shell, start);
    await untilReady(shell);
    await runBlock(shell, ofStep4!);
    const { id } = await bootstrapped().connectors.get(kept);
    expect(id).toBe(kept);
    await type(shell, stop);
    const rotated = await follow(shell, 'rotate-a-key.md', 'With the key files in `DATA_DIR`');
    expect(rotated).toContain('encryption');
  });

  it('move-to-postgresql.md moves what the embedded database has', async () => {
    const target = await startPostgres();
    afterwards.push(() => target.stop());
    const place = mkdtempSync(join(folder, 'moved-'));
    const shell = open(place, target, { ...application, PORT: String(ports.services[0]) });
    const before = readdirSync(join(folder, 'data'));
    expect(before).toContain('pglite');
    expect(await follow(shell, 'move-to-postgresql.md')).toMatch(/Moved \d+ rows.*ok +keys/s);
    const found = [];
    for await (const { name } of bootstrapped().connectors.all()) found.push(name);
    expect(found.length).toBeGreaterThan(0);
  });

  it('database-roles.md gives the running service a role that cannot change the schema', async () => {
    const target = await startPostgres();
    afterwards.push(() => target.stop());
    const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
    const shell = open(mkdtempSync(join(folder, 'roles-')), target, {
      ...application,
      PORT: String(ports.services[0]),
      ENCRYPTION_KEYS: `e1:${key(1)}`,
      SIGNING_KEYS: `s1:${key(2)}`,
    });
    expect(await follow(shell, 'database-roles.md')).toMatch(/ok +rights/);
    await expect(
      type(shell, 'psql "$DATABASE_URL" --command="create table forbidden (id int)"'),
    ).rejects.toThrow('permission denied');
  });
});

it('each command of the guides is run, or is marked and says why not', () => {
  // The commands for containers and for systemd are run by service/test/{compose,image,systemd}.full.test.ts.
  const guides = readdirSync(join(root, 'docs/operating')).filter(
    name => !['compose.md', 'image.md', 'systemd.md'].includes(name),
  );
  const marked = guides.flatMap(readGuide).filter(({ isRun }) => !isRun);
  expect(marked.map(({ guide, section }) => `${guide}: ${section}`)).toEqual([
    'docs/operating/back-up-and-restore.md: Back up a PostgreSQL server',
    'docs/operating/back-up-and-restore.md: Back up a PostgreSQL server',
    'docs/operating/production.md: From nothing to production in 15 minutes',
  ]);
  const missed = guides
    .flatMap(readGuide)
    .filter(({ isRun, guide, line }) => isRun && !ran.has(`${guide}:${line}`));
  expect(missed).toEqual([]);
});
