/**
 * Runs the sandbox, the service and the demo app locally, prints one URL when they are ready, and stops them
 * on Ctrl-C. `PORT` selects the port of that URL. With `SEED=off`, the first customer has no sources yet. With
 * `SERVICE_URL`, `CLIENT_ID` and `CLIENT_SECRET`, runs only the demo app, with that service.
 */
import { join } from 'node:path';
import { readModelSettings, type ModelSettings } from '../demo/src/chat/language-model.ts';
import { freePort } from '../demo/src/free-port.ts';
import { startDemo, type RunningDemo } from '../demo/src/server.ts';
import { startStack } from '../demo/src/stack.ts';
import ensureServed from './ensure-served.ts';
import { root } from './steps.ts';
import { untilStopped } from './until-stopped.ts';

const ports = { demo: Number(process.env['PORT'] || 5173), service: 8787, sandbox: 8788 };
let starting: Promise<RunningDemo> | null = null;
const ending = new AbortController();
const end = untilStopped(async () => {
  ending.abort();
  // When its signal aborts, `startStack` stops the processes that it has already started.
  const stack = await starting?.catch(() => null);
  await stack?.close();
});

const startedAt = performance.now();
try {
  const existing = readExistingService();
  const model = readModelSettings(process.env);
  starting =
    existing === null
      ? startEverything(model)
      : startDemo({ ...existing, port: await freePort(ports.demo), model });
  const stack = await starting;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`\n  The demo is ready (${seconds} s):  ${stack.url}\n\n  Ctrl-C ends it.`);
  console.log(
    model === null
      ? '  Its chat gives scripted answers. For a language model, start it with MODEL_URL and MODEL_NAME: see demo/README.md.\n'
      : '',
  );
} catch (error) {
  if (!ending.signal.aborted) console.error(error instanceof Error ? error.message : error);
  await end(1);
}

async function startEverything(model: ModelSettings | null): Promise<RunningDemo> {
  // The demo works without these files; `/console` then says what to do.
  await ensureServed().catch((error: unknown) => console.error(error));
  console.log('Starting simulated vendors, the service and the demo product…');
  return startStack({
    signal: ending.signal,
    dataDir: process.env['DATA_DIR'] ?? join(root, '.data'),
    ports,
    seed: process.env['SEED'] !== 'off',
    model,
    log: line => console.log(line),
    onUnexpectedExit: message => {
      console.error(message);
      void end(1);
    },
  });
}

/** Returns how to use the service that the environment names, or null if it names none. */
function readExistingService() {
  const names = ['SERVICE_URL', 'CLIENT_ID', 'CLIENT_SECRET'] as const;
  const [serviceUrl, clientId, clientSecret] = names.map(name => process.env[name] ?? '');
  if (!serviceUrl && !clientId && !clientSecret) return null;
  if (!serviceUrl || !clientId || !clientSecret) throw new Error(`Set all of ${names.join(', ')}, or none`);
  return { serviceUrl, clientId, clientSecret, sandboxUrl: process.env['SANDBOX_URL'] ?? null };
}
