/**
 * Serves the console with a fake API: `pnpm console`. `pnpm console shots` writes screenshots of all pages to
 * `.cache/console-shots`, in both themes, at phone and desktop width.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { createServer } from 'vite';
import { pagesToShow } from '../console/fixture/pages-to-show.ts';
import { chromiumLaunchOptions } from './chromium.ts';
import { root } from './steps.ts';

const [task, only = ''] = process.argv.slice(3);
const server = await createServer({
  configFile: join(root, 'console/vite.config.ts'),
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  server: { host: '127.0.0.1', hmr: task !== 'shots' },
  logLevel: 'warn',
});
await server.listen();
const url = server.resolvedUrls?.local[0] ?? '';
if (task === 'shots') {
  const browser = await chromium.launch(chromiumLaunchOptions());
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [390, 1280]) {
      const folder = join(root, '.cache/console-shots', `${theme}-${width}`);
      if (only === '') rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await takeShots(browser, { folder, theme, width });
    }
  }
  await browser.close();
  await server.close();
} else {
  console.log(`The console with a fake API: ${url}`);
}

async function takeShots(
  browser: Browser,
  options: { readonly folder: string; readonly theme: 'light' | 'dark'; readonly width: number },
): Promise<void> {
  for (const [index, { name, path, prepare }] of pagesToShow.entries()) {
    if (!name.includes(only)) continue;
    const page = await browser.newPage({
      viewport: { width: options.width, height: 900 },
      colorScheme: options.theme,
      reducedMotion: 'reduce',
    });
    await page.request.post(new URL('/fake-api/reset', url).href);
    await page.goto(new URL(`/console${path}`, url).href);
    await page.locator('h1').first().waitFor();
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    const file = `${String(index + 1).padStart(2, '0')} ${name}.png`;
    await page.screenshot({ path: join(options.folder, file), fullPage: true });
    await page.close();
  }
  console.log(`Screenshots in ${options.folder}`);
}
