/**
 * Serves the console with a service on an embedded database that contains sample data: `pnpm console`. PORT selects
 * another port than 5173. `pnpm console shots` writes screenshots of all pages to `.cache/console-shots`, in both themes,
 * at phone and desktop width; `pnpm console shots keys` only of the pages whose name contains “keys”.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { createServer } from 'vite';
import { closePage, openPage } from '../console/test/open-page.ts';
import { pagesToShow, type PageToShow } from '../console/test/pages-to-show.ts';
import { startSeededService, type SeededService } from '../console/test/seeded-service.ts';
import { chromiumLaunchOptions } from './chromium.ts';
import ensureConsole from './ensure-console.ts';
import { root } from './steps.ts';
import { untilStopped } from './until-stopped.ts';

const folder = join(root, '.cache/console-shots');
const views = (['light', 'dark'] as const).flatMap(theme =>
  [390, 1280].map(width => ({ theme, width, folder: join(folder, `${theme}-${width}`) })),
);

const [task, only = ''] = process.argv.slice(2);
if (task === 'shots') await takeAllShots();
else await serve();

async function serve(): Promise<void> {
  const seeded = await startSeededService();
  const server = await createServer({
    configFile: join(root, 'vite.config.ts'),
    mode: 'console',
    resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
    server: {
      host: '127.0.0.1',
      ...(process.env['PORT'] ? { port: Number(process.env['PORT']), strictPort: true } : {}),
      // The service accepts changes from its own pages only.
      proxy: { '/api/v1/admin': { target: seeded.url, headers: { origin: seeded.url } } },
    },
    logLevel: 'warn',
  });
  await server.listen();
  untilStopped(async () => {
    await server.close();
    await seeded.close();
  });
  console.log(`The console with sample data: ${server.resolvedUrls?.local[0] ?? ''}`);
  for (const [name, key] of Object.entries(seeded.keys)) console.log(`Admin key “${name}”: ${key}`);
}

async function takeAllShots(): Promise<void> {
  await ensureConsole();
  for (const view of views) {
    if (only === '') rmSync(view.folder, { recursive: true, force: true });
    mkdirSync(view.folder, { recursive: true });
  }
  const [seeded, browser] = await Promise.all([
    startSeededService(),
    chromium.launch(chromiumLaunchOptions()),
  ]);
  for (const [index, page] of pagesToShow.entries()) {
    if (page.name.includes(only)) await takeShots(browser, seeded, index, page);
  }
  await browser.close();
  await seeded.close();
  console.log(`Screenshots in ${folder}`);
}

async function takeShots(
  browser: Browser,
  seeded: SeededService,
  index: number,
  { name, path, prepare, ...options }: PageToShow,
): Promise<void> {
  const page = await openPage(browser, seeded, path, options);
  await prepare?.(page);
  await page.locator('.skeletons').first().waitFor({ state: 'detached' });
  for (const { theme, width, folder } of views) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    const file = `${String(index + 1).padStart(2, '0')} ${name}.png`;
    await page.screenshot({ path: join(folder, file), fullPage: true });
  }
  await closePage(page);
}
