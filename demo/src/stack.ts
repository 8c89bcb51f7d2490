/** Everything the demo needs, on this machine: sandbox and service as processes of their own, then the demo app. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { startDemo } from './server.ts';

export interface StackOptions {
  /** Where the service keeps its database and keys. */
  readonly dataDir: string;
  /** Ports to use if they are free; 0 for any. */
  readonly ports: { readonly demo: number; readonly service: number; readonly sandbox: number };
  /** Lifts the vendors' rate limits: for measurements. */
  readonly unlimited?: boolean;
  /** Told what is noteworthy, e.g. a port that was in use. */
  readonly say: (line: string) => void;
  /** Called once when a process ends that nobody asked to end. */
  readonly onLost: (message: string) => void;
  /** Gives the start up: what has started is ended. */
  readonly signal?: AbortSignal;
}

export interface Stack {
  readonly url: string;
  readonly serviceUrl: string;
  readonly sandboxUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  close(): Promise<void>;
}

const longestStartMs = 60_000;
const clientId = 'fieldbook-demo';

/** The OAuth apps that are registered in the sandbox: secrets of nothing. */
const sandboxOAuthApps = {
  OAUTH_GONG_CLIENT_ID: 'gong_sandbox_client',
  OAUTH_GONG_CLIENT_SECRET: 'gong_sandbox_client_secret',
  OAUTH_TIKTOK_MARKETING_CLIENT_ID: '7100000000000000001',
  OAUTH_TIKTOK_MARKETING_CLIENT_SECRET: 'tiktok-sandbox-secret-4f0c2b',
  OAUTH_GOOGLE_ADS_CLIENT_ID: '407408718192-sandbox.apps.googleusercontent.com',
  OAUTH_GOOGLE_ADS_CLIENT_SECRET: 'GOCSPX-sandbox-secret-7d1c',
  OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN: 'sandboxDeveloperToken0',
};

/** Starts everything; resolves when all of it answers. What did start is ended when something does not. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const started: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const part of started.splice(0).toReversed()) await part.close();
  };
  try {
    mkdirSync(options.dataDir, { recursive: true });
    const clientSecret = ownClientSecret(options.dataDir);
    const ports = {
      sandbox: await choosePort('sandbox', options.ports.sandbox, options.say),
      service: await choosePort('service', options.ports.service, options.say),
      demo: await choosePort('demo', options.ports.demo, options.say),
    };
    options.signal?.throwIfAborted();
    const sandboxUrl = `http://127.0.0.1:${ports.sandbox}`;
    const serviceUrl = `http://127.0.0.1:${ports.service}`;

    const sandbox = startProcess(
      'sandbox',
      'sandbox/src/main.ts',
      { PORT: String(ports.sandbox) },
      options.onLost,
    );
    started.push(sandbox);
    const service = startProcess(
      'service',
      'service/src/main.ts',
      {
        PORT: String(ports.service),
        DATA_DIR: options.dataDir,
        SANDBOX_URL: sandboxUrl,
        ...sandboxOAuthApps,
        VENDOR_RATE_LIMITS: options.unlimited ? 'off' : 'on',
        BOOTSTRAP_ORGANIZATION: 'Fieldbook',
        BOOTSTRAP_CLIENT_ID: clientId,
        BOOTSTRAP_CLIENT_SECRET: clientSecret,
      },
      options.onLost,
    );
    started.push(service);
    const [demo] = await Promise.race([
      Promise.all([
        startDemo({ serviceUrl, clientId, clientSecret, sandboxUrl, port: ports.demo }),
        sandbox.answers(sandboxUrl),
        service.answers(`${serviceUrl}/readyz`),
      ]),
      givenUp(options.signal),
    ]);
    started.push(demo);
    return { url: demo.url, serviceUrl, sandboxUrl, clientId, clientSecret, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Rejects when the signal aborts, and never ends without one. */
function givenUp(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    // What a signal is aborted with is an error unless somebody says otherwise, and nobody here does.
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

async function choosePort(name: string, preferred: number, say: StackOptions['say']): Promise<number> {
  const port = await freePort(preferred);
  if (preferred !== 0 && port !== preferred) say(`Port ${preferred} is in use; the ${name} takes ${port}.`);
  return port;
}

/** The demo application's secret, made once for this data folder. */
function ownClientSecret(dataDir: string): string {
  const path = join(dataDir, 'demo-client-secret');
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(path, 'utf8');
}

interface RunningProcess {
  /** Resolves when a GET of the URL succeeds; rejects when the process ends first. */
  answers(url: string): Promise<void>;
  close(): Promise<void>;
}

function startProcess(
  name: string,
  entry: string,
  env: Readonly<Record<string, string>>,
  onLost: (message: string) => void,
): RunningProcess {
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', entry],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const output = lastOutput(child);
  const ended = new Promise<void>(resolve => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let isClosing = false;
  let isReady = false;
  const lost = () => new Error(`The ${name} ended unexpectedly. Its last words:\n${output()}`);
  child.once('exit', () => {
    if (isReady && !isClosing) onLost(lost().message);
  });
  return {
    answers: async url => {
      const failed = ended.then(() => Promise.reject(lost()));
      await Promise.race([failed, untilAnswers(name, url)]);
      isReady = true;
    },
    close: async () => {
      isClosing = true;
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** What a process needs of ours; settings of the service that happen to be set must not leak into the demo. */
function inheritedEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SYSTEMROOT', 'LANG', 'TZ'];
  return Object.fromEntries(
    names.flatMap(name => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function lastOutput(child: ChildProcess): () => string {
  let text = '';
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => text.trim();
}

async function untilAnswers(name: string, url: string): Promise<void> {
  const deadline = Date.now() + longestStartMs;
  while (Date.now() < deadline) {
    const isUp = await fetch(url).then(
      response => response.ok,
      () => false,
    );
    if (isUp) return;
    await delay(50);
  }
  throw new Error(`The ${name} did not answer at ${url} within ${longestStartMs / 1000} s`);
}
