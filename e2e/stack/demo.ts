/** Extends Playwright's `test` with a running demo: the real command with its own database. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { runProgram } from './processes.ts';

export interface Demo {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly serviceUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** For the few journeys of `pnpm test`, optimizing the WebAssembly of PGlite would take longer than it saves. */
const flags = process.env['TEST_FULL'] === undefined ? ['--liftoff-only'] : [];

export interface DemoOptions {
  /** Whether the first customer's sources are connected, as for people who try the demo. */
  isSeeded: boolean;
}

export const test = base.extend<object, { demo: Demo } & DemoOptions>({
  isSeeded: [false, { option: true, scope: 'worker' }],
  demo: [
    async ({ isSeeded }, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'connector-auth-e2e-'));
      const command = runProgram([...flags, 'scripts/run.mjs', 'demo'], {
        DATA_DIR: dataDir,
        SEED: isSeeded ? 'on' : 'off',
      });
      try {
        const [, url = ''] = await command.waitForOutput(/ready \([\d.]+ s\): +(\S+)/);
        await use({ url, ...(await describeStack(url)), ...clientOf(dataDir) });
      } finally {
        await command.stop();
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

/** Reads the URLs of the sandbox and the service from the demo's API. */
async function describeStack(url: string): Promise<{ sandboxUrl: string; serviceUrl: string }> {
  const session = await fetch(`${url}/api/session`);
  const { sandboxUrl } = (await session.json()) as { sandboxUrl: string };
  const token = await fetch(`${url}/connector-auth/widget-token`, {
    method: 'POST',
    headers: { origin: url, cookie: session.headers.getSetCookie()[0]?.split(';')[0] ?? '' },
  });
  const { service_url } = (await token.json()) as { service_url: string };
  return { sandboxUrl, serviceUrl: service_url };
}

function clientOf(dataDir: string): { clientId: string; clientSecret: string } {
  return {
    clientId: 'fieldbook-demo',
    clientSecret: readFileSync(join(dataDir, 'demo-client-secret'), 'utf8'),
  };
}
