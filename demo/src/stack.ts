/** Everything the demo needs, on this machine: sandbox and service as processes of their own, then the demo app. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PortInUseError, startProcess } from './child-process.ts';
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
  readonly log: (line: string) => void;
  /** Called once when a process ends that nobody asked to end. */
  readonly onUnexpectedExit: (message: string) => void;
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

/** How often ports are chosen anew because somebody else was faster, e.g. another demo that starts at the same time. */
const maxAttempts = 5;
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
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnFreePorts(options);
    } catch (error) {
      if (!(error instanceof PortInUseError) || attempt === maxAttempts) throw error;
    }
  }
}

async function startOnFreePorts(options: StackOptions): Promise<Stack> {
  const started: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const part of started.splice(0).toReversed()) await part.close();
  };
  try {
    mkdirSync(options.dataDir, { recursive: true });
    const clientSecret = readOrCreateClientSecret(options.dataDir);
    const ports = {
      sandbox: await choosePort('sandbox', options.ports.sandbox, options.log),
      service: await choosePort('service', options.ports.service, options.log),
      demo: await choosePort('demo', options.ports.demo, options.log),
    };
    options.signal?.throwIfAborted();
    const sandboxUrl = `http://127.0.0.1:${ports.sandbox}`;
    const serviceUrl = `http://127.0.0.1:${ports.service}`;

    const sandbox = startProcess('sandbox', { PORT: String(ports.sandbox) }, options.onUnexpectedExit);
    started.push(sandbox);
    const service = startProcess(
      'service',
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
      options.onUnexpectedExit,
    );
    started.push(service);
    const starting = startDemo({ serviceUrl, clientId, clientSecret, sandboxUrl, port: ports.demo });
    started.push({ close: async () => (await starting.catch(() => null))?.close() });
    const [demo] = await Promise.race([
      Promise.all([starting, sandbox.ready, service.ready]),
      rejectOnAbort(options.signal),
    ]);
    return { url: demo.url, serviceUrl, sandboxUrl, clientId, clientSecret, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Rejects when the signal aborts, and never ends without one. */
function rejectOnAbort(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    // What a signal is aborted with is an error unless somebody says otherwise, and nobody here does.
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

async function choosePort(name: string, preferred: number, log: StackOptions['log']): Promise<number> {
  const port = await freePort(preferred);
  if (preferred !== 0 && port !== preferred)
    log(`Port ${preferred} is in use. The ${name} uses port ${port} instead.`);
  return port;
}

/** The demo application's secret, made once for this data folder. */
function readOrCreateClientSecret(dataDir: string): string {
  const path = join(dataDir, 'demo-client-secret');
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(path, 'utf8');
}
