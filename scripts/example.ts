/**
 * Runs an example against the sandbox: `pnpm example next`. Packs the packages, starts the sandbox and the
 * service, and installs and starts a copy of the example in a temporary folder.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstCustomer } from '../demo/src/customers.ts';
import { seedService } from '../demo/src/seed.ts';
import { sendEventsTo } from '../demo/src/webhook.ts';
import ensureBuilt from './ensure-built.ts';
import { copyExample, examples, installPacked, packageJsonOf, startServer } from './examples.ts';
import { packPackages, publicPackages } from './pack.ts';
import { backendVariables, formatEnvironment, startSandboxService } from './sandbox-service.ts';
import { untilStopped } from './until-stopped.ts';

const agents = ['ai-sdk', 'openai-agents'];
const [name = ''] = process.argv.slice(2);
if (!examples.includes(name)) {
  console.error(`Usage: npx -y pnpm@12 example NAME\nNAME is one of: ${examples.join(', ')}`);
  process.exit(1);
}

const startedAt = performance.now();
const work = mkdtempSync(join(tmpdir(), 'connector-auth-example-'));
const folder = join(work, name);
const closing: (() => Promise<void>)[] = [];
const end = untilStopped(async () => {
  for (const close of closing.toReversed()) await close();
  rmSync(work, { recursive: true, force: true });
});

try {
  console.log('Building and installing the packages…');
  const [environment] = await Promise.all([startBackend(), install()]);
  // A server reads the variables from here, as it does on a developer's machine.
  writeFileSync(join(folder, '.env'), formatEnvironment(environment), { mode: 0o600 });
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}

/** Starts what the example calls; resolves with the variables that it reads. */
async function startBackend(): Promise<Record<string, string>> {
  const services = await startSandboxService(work, message => {
    console.error(message);
    void end(1);
  });
  closing.push(services.close);
  await services.ready;
  const { sandboxUrl } = services;
  if (name === 'open-source-mode') return { SANDBOX_URL: sandboxUrl };
  const environment = backendVariables(services);
  if (name === 'postgres') {
    const { serviceUrl: baseUrl, clientId, clientSecret } = services;
    const eventsUrl = 'http://localhost:3000/connector-auth/events';
    const application = { baseUrl, clientId, clientSecret };
    const webhookSecret = await sendEventsTo(application, eventsUrl, join(work, 'webhook-secret'));
    return { ...environment, WEBHOOK_SECRET: webhookSecret, DATABASE_URL: process.env['DATABASE_URL'] ?? '' };
  }
  if (!agents.includes(name)) return environment;
  // An agent asks about sources that are connected.
  await seedService(environment, sandboxUrl);
  return { ...environment, CUSTOMER: firstCustomer.id };
}

async function install(): Promise<void> {
  await ensureBuilt();
  const tarballs = join(work, 'tarballs');
  mkdirSync(tarballs);
  copyExample(name, folder);
  await installPacked(folder, packageJsonOf(name), packPackages(publicPackages, tarballs));
}

/** Starts the example and shows its URL, or ends with it if it is a script. */
async function run(): Promise<void> {
  const { scripts = {} } = packageJsonOf(name);
  const isServer = !['open-source-mode', 'curl', ...agents].includes(name);
  const onOutput = (text: string) => process.stdout.write(text);
  const example = await startServer(folder, 'dev' in scripts ? 'dev' : 'start', 3000, { onOutput });
  closing.push(() => example.stop());
  void example.ended.then(({ exitCode }) => end(exitCode ?? 1));
  if (!isServer) return;
  const url = await example.url;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`\n  The example is ready (${seconds} s):  ${url}\n\n  Ctrl-C ends it.\n`);
}
