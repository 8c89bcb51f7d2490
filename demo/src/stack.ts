/** Starts everything the demo needs: the sandbox and the service as child processes, then the demo app. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Client } from '@connector-auth/api/client';
import type { ModelSettings } from './chat/language-model.ts';
import { PortInUseError, startProcess } from './child-process.ts';
import { freePort } from './free-port.ts';
import { seed } from './seed.ts';
import { startDemo } from './server.ts';
import { sendEventsTo } from './webhook.ts';

export interface StackOptions {
  /** The folder for the service's database and keys. */
  readonly dataDir: string;
  /** Preferred ports, which are used if they are free. 0 selects any free port. */
  readonly ports: { readonly demo: number; readonly service: number; readonly sandbox: number };
  /** Turns off the vendors' rate limits, for benchmarks. */
  readonly unlimited?: boolean;
  /** Connects sources for the first customer, so that the page shows data at once. */
  readonly seed?: boolean;
  /** The language model that answers in the chat. */
  readonly model?: ModelSettings | null;
  /** Receives notices, such as a port that is in use. */
  readonly log: (line: string) => void;
  /** Called once if a child process exits unexpectedly. */
  readonly onUnexpectedExit: (message: string) => void;
  /** Aborts the start and stops the processes already started. */
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

/** The maximum number of times to choose ports if other processes keep taking the chosen ones. */
const maxAttempts = 5;
/** The time at which the sandbox's data ends by default. */
const sandboxNow = '2026-11-20T12:00:00Z';

/** The sandbox's documented OAuth apps. Their secrets are public and protect nothing. */
const sandboxOAuthApps = {
  OAUTH_GONG_CLIENT_ID: 'gong_sandbox_client',
  OAUTH_GONG_CLIENT_SECRET: 'gong_sandbox_client_secret',
  OAUTH_TIKTOK_MARKETING_CLIENT_ID: '7100000000000000001',
  OAUTH_TIKTOK_MARKETING_CLIENT_SECRET: 'tiktok-sandbox-secret-4f0c2b',
  OAUTH_GOOGLE_ADS_CLIENT_ID: '407408718192-sandbox.apps.googleusercontent.com',
  OAUTH_GOOGLE_ADS_CLIENT_SECRET: 'GOCSPX-sandbox-secret-7d1c',
  OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN: 'sandboxDeveloperToken0',
};

interface ServicesOptions {
  /** Free ports. */
  readonly ports: { readonly service: number; readonly sandbox: number };
  /** The service's organization, and the client id of its application. */
  readonly organization: string;
  readonly clientId: string;
  /** The folder for the service's database and keys. */
  readonly dataDir: string;
  /** The file with the application's secret, which stays the same after a restart. */
  readonly secretPath: string;
  /** Further environment variables. */
  readonly sandbox?: Readonly<Record<string, string>>;
  readonly service?: Readonly<Record<string, string>>;
  /** Called once if a process exits unexpectedly. */
  readonly onUnexpectedExit: (message: string) => void;
}

export type Services = ReturnType<typeof startServices>;

/** Starts the sandbox and a service that uses it, as child processes. `close` stops both, also before they are ready. */
export function startServices(options: ServicesOptions) {
  const { ports, organization, clientId, dataDir, secretPath, onUnexpectedExit } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const clientSecret = readOrCreateSecret(secretPath);
  const sandboxUrl = `http://127.0.0.1:${ports.sandbox}`;
  const sandbox = startProcess(
    'sandbox',
    { PORT: String(ports.sandbox), ...options.sandbox },
    onUnexpectedExit,
  );
  const service = startProcess(
    'service',
    {
      PORT: String(ports.service),
      // No proxy has to notice that it stops.
      DRAIN_SECONDS: '0',
      DATA_DIR: dataDir,
      SANDBOX_URL: sandboxUrl,
      ...sandboxOAuthApps,
      BOOTSTRAP_ORGANIZATION: organization,
      BOOTSTRAP_CLIENT_ID: clientId,
      BOOTSTRAP_CLIENT_SECRET: clientSecret,
      ...options.service,
    },
    onUnexpectedExit,
  );
  const ready = Promise.all([sandbox.ready, service.ready]);
  // It is not awaited if they are closed before they are ready.
  ready.catch(() => {});
  return {
    sandboxUrl,
    serviceUrl: `http://127.0.0.1:${ports.service}`,
    clientId,
    clientSecret,
    ready,
    close: async () => {
      await service.close();
      await sandbox.close();
    },
  };
}

/** Starts the stack; resolves when all parts are ready. If a part fails, stops the others and rejects. */
export async function startStack(options: StackOptions): Promise<Stack> {
  let { ports } = options;
  for (let attempt = 1; ; attempt++) {
    // Another attempt prefers the ports of the one before, so that each notice is logged once.
    ports = {
      sandbox: await choosePort('sandbox', ports.sandbox, options.log),
      service: await choosePort('service', ports.service, options.log),
      demo: await choosePort('demo', ports.demo, options.log),
    };
    try {
      return await startOnPorts(ports, options);
    } catch (error) {
      if (!(error instanceof PortInUseError) || attempt === maxAttempts) throw error;
    }
  }
}

async function startOnPorts(ports: StackOptions['ports'], options: StackOptions): Promise<Stack> {
  options.signal?.throwIfAborted();
  // People expect data of today. Tests need the same data every day.
  const dataNow = options.seed ? new Date() : new Date(sandboxNow);
  const services = startServices({
    ports,
    organization: 'Fieldbook',
    clientId: 'fieldbook-demo',
    dataDir: options.dataDir,
    secretPath: join(options.dataDir, 'demo-client-secret'),
    sandbox: { DATA_NOW: dataNow.toISOString(), VENDORS: 'sources/github/test/sandbox-vendor.ts' },
    service: {
      // A source that is not built in.
      KINDS: './sources/github/src/index.ts',
      VENDOR_RATE_LIMITS: options.unlimited ? 'off' : 'on',
    },
    onUnexpectedExit: options.onUnexpectedExit,
  });
  const { sandboxUrl, serviceUrl, clientId, clientSecret } = services;
  const application = { baseUrl: serviceUrl, clientId, clientSecret };
  const eventsUrl = `http://localhost:${ports.demo}/connector-auth/events`;
  const webhookSecret = services.ready.then(() =>
    sendEventsTo(application, eventsUrl, join(options.dataDir, 'demo-webhook-secret')),
  );
  // If it fails, so does the start of the demo, which waits for it.
  webhookSecret.catch(() => {});
  const starting = startDemo({
    serviceUrl,
    clientId,
    clientSecret,
    sandboxUrl,
    port: ports.demo,
    webhookSecret,
    model: options.model ?? null,
    now: () => dataNow,
  });
  const close = async () => {
    await (await starting.catch(() => null))?.close();
    await services.close();
  };
  try {
    const [demo] = await Promise.race([
      Promise.all([starting, services.ready]),
      rejectOnAbort(options.signal),
    ]);
    const client = createClient(application);
    await introduceFieldbook(client, demo.url);
    if (options.seed) await seed(client, sandboxUrl);
    return { url: demo.url, serviceUrl, sandboxUrl, clientId, clientSecret, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sets the name and the logo that users see on the service's pages, where the server helper is, and lets agents sign in. */
async function introduceFieldbook({ organization }: Client, demoUrl: string): Promise<void> {
  const logo = await readFile(new URL('logo.png', import.meta.url), 'base64');
  await organization.update({
    name: 'Fieldbook',
    brand_color: '#1a6650',
    connect_helper_url: `${demoUrl}/connector-auth`,
    agent_sign_in: true,
  });
  await organization.setLogo({ image: logo });
}

/** Rejects when the signal aborts; never settles otherwise. */
function rejectOnAbort(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    // The callers do not pass an abort reason, so the reason is an Error.
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Returns the preferred port if it is free, and another one otherwise, which it logs. */
export async function choosePort(name: string, preferred: number, log: StackOptions['log']): Promise<number> {
  const port = await freePort(preferred);
  if (preferred !== 0 && port !== preferred)
    log(`Port ${preferred} is in use. The ${name} uses port ${port} instead.`);
  return port;
}

/** Reads the application's secret; creates it on the first start. */
function readOrCreateSecret(path: string): string {
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(path, 'utf8');
}
