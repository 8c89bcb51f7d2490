/**
 * Serves the console with a fake API: `pnpm console`. `pnpm console shots` writes screenshots of all pages to
 * `.cache/console-shots`, in both themes, at phone and desktop width; `pnpm console shots keys` only of the pages
 * whose name contains “keys”.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { createServer } from 'vite';
import { pagesToShow } from '../console/fixture/pages-to-show.ts';
import { startConsole, type RunningConsole } from '../console/test/start-console.ts';
import { chromiumLaunchOptions } from './chromium.ts';
import ensureConsole from './ensure-console.ts';
import { root } from './steps.ts';

const [task, only = ''] = process.argv.slice(2);
if (task === 'shots') await takeAllShots();
else await serve();

async function serve(): Promise<void> {
  const server = await createServer({
    configFile: join(root, 'vite.config.ts'),
    mode: 'console',
    resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
    server: { host: '127.0.0.1' },
    logLevel: 'warn',
  });
  await server.listen();
  console.log(`The console with a fake API: ${server.resolvedUrls?.local[0] ?? ''}`);
}

async function takeAllShots(): Promise<void> {
  await ensureConsole();
  const running = await startConsole();
  const browser = await chromium.launch(chromiumLaunchOptions());
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [390, 1280]) {
      const folder = join(root, '.cache/console-shots', `${theme}-${width}`);
      if (only === '') rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await takeShots(browser, running, { folder, theme, width });
      console.log(`Screenshots in ${folder}`);
    }
  }
  await browser.close();
  await running.close();
}

async function takeShots(
  browser: Browser,
  running: RunningConsole,
  options: { readonly folder: string; readonly theme: 'light' | 'dark'; readonly width: number },
): Promise<void> {
  for (const [index, { name, path, set, prepare }] of pagesToShow.entries()) {
    if (!name.includes(only)) continue;
    running.reset();
    const { api, data, operation } = running;
    set?.(api, data, operation);
    const page = await browser.newPage({
      viewport: { width: options.width, height: 900 },
      colorScheme: options.theme,
      reducedMotion: 'reduce',
    });
    await page.goto(`${running.url}/console${typeof path === 'string' ? path : path(data, operation)}`);
    await page.locator('h1').first().waitFor();
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    const file = `${String(index + 1).padStart(2, '0')} ${name}.png`;
    await page.screenshot({ path: join(options.folder, file), fullPage: true });
    await page.close();
  }
}
