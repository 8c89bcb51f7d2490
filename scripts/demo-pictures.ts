/** Takes the README's pictures from the demo with its first data: `pnpm pictures`. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright';
import { startStack } from '../demo/src/stack.ts';
import { chromiumLaunchOptions } from './chromium.ts';
import { root } from './steps.ts';

interface Picture {
  readonly file: string;
  readonly route: string;
  /** Brings the page into the state to show, and waits for it. */
  readonly prepare: (page: Page) => Promise<void>;
}

const pictures: readonly Picture[] = [
  {
    file: 'connections.png',
    route: '#connections/gong',
    prepare: async page => {
      const popup = page.waitForEvent('popup');
      await page.getByRole('button', { name: /^Sign in with/ }).click();
      await (await popup).getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('button', { name: /^Sync / }).click();
      await page
        .getByText(/\d records/)
        .first()
        .waitFor();
    },
  },
  {
    file: 'demo.png',
    route: '#home',
    prepare: async page => {
      await page.getByRole('img', { name: /^Ad spend per day/ }).waitFor();
    },
  },
  {
    file: 'chat.png',
    route: '#home',
    prepare: async page => {
      await page.getByRole('button', { name: 'Ask Fieldbook' }).click();
      await page.getByLabel('Your question').fill('Which campaigns spent most last week?');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.locator('.answer table').waitFor();
    },
  },
  {
    file: 'consent.png',
    route: '#home',
    prepare: async page => {
      await page.goto(await askForAccess());
      await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    },
  },
];

const dataDir = mkdtempSync(join(tmpdir(), 'connector-auth-pictures-'));
const stack = await startStack({
  dataDir,
  ports: { demo: 5173, service: 8787, sandbox: 8788 },
  seed: true,
  log: line => console.log(line),
  onUnexpectedExit: message => console.error(message),
});
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  for (const picture of pictures) await take(browser, picture);
} finally {
  await browser.close();
  await stack.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Registers a chat client that runs on this device, and returns the URL to which it sends the person. */
async function askForAccess(): Promise<string> {
  const redirect_uri = 'http://127.0.0.1:39225/callback';
  const response = await fetch(`${stack.serviceUrl}/agents/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Codex', redirect_uris: [redirect_uri] }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    code_challenge: createHash('sha256').update('verifier').digest('base64url'),
    code_challenge_method: 'S256',
    scope: 'read search write',
    resource: `${stack.serviceUrl}/mcp`,
  });
  return `${stack.serviceUrl}/agents/authorize?${query}`;
}

/** Resolves when the first sync of every connector has ended. */
async function waitForData({ request }: Page): Promise<void> {
  for (;;) {
    const response = await request.get(`${stack.url}/connector-auth/connectors`);
    // The backend forwards the service's list.
    const { data } = (await response.json()) as { data: readonly { sync: { status: string } }[] };
    if (data.every(({ sync }) => sync.status === 'ready')) return;
    await delay(1000);
  }
}

async function take(browser: Browser, { file, route, prepare }: Picture): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  // Signs in.
  await page.request.get(`${stack.url}/api/session`);
  await waitForData(page);
  await page.goto(`${stack.url}/${route}`);
  await prepare(page);
  await page.locator('.skeleton:visible').waitFor({ state: 'detached' });
  const path = join(root, 'docs/images', file);
  await page.screenshot({ path });
  await page.close();
  console.log(path);
}
