/**
 * Shows every state of the widget with a theme to choose. `pnpm gallery` serves the page that the documentation has at
 * `/docs/appearance`, at the port in `PORT` if it is set. `pnpm gallery shots` writes screenshots of
 * all states to `.cache/gallery`, in both themes, at phone and desktop width; `pnpm gallery shots ar` writes
 * them in Arabic.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { createServer, type ViteDevServer } from 'vite';
import { chromiumLaunchOptions } from './chromium.ts';
import { root } from './steps.ts';

const [task, lang = 'en'] = process.argv.slice(2);
const server = await createServer({
  configFile: join(root, 'vite.config.ts'),
  mode: 'widget',
  root: join(root, 'widget/gallery'),
  cacheDir: join(root, '.cache/gallery-vite'),
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  server: {
    host: '127.0.0.1',
    ...(process.env['PORT'] ? { port: Number(process.env['PORT']) } : {}),
    hmr: task !== 'shots',
  },
  logLevel: 'warn',
});
await server.listen();
if (task === 'shots') {
  await takeShots(server);
  await server.close();
} else {
  console.log(`Every state of the widget: ${addressOf(server)}`);
}

async function takeShots(server: ViteDevServer): Promise<void> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  for (const theme of ['light', 'dark']) {
    for (const [device, width] of [
      ['phone', 375],
      ['desktop', 1280],
    ] as const) {
      const folder = join(root, '.cache/gallery', lang, `${theme}-${device}`);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      const count = await takeShotsAt(browser, {
        folder,
        width,
        url: `${addressOf(server)}?bare&width=100%&theme=${theme}&lang=${lang}`,
      });
      console.log(`${count} screenshots in ${folder}`);
    }
  }
  await browser.close();
}

/** Writes one file per state and returns the number of files. */
async function takeShotsAt(
  browser: Browser,
  { folder, width, url }: { folder: string; width: number; url: string },
): Promise<number> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  });
  await page.goto(url);
  await page.locator('html[data-ready]').waitFor();
  const sections = await page.locator('section[data-scene]').all();
  for (const [index, section] of sections.entries()) {
    const name = (await section.getAttribute('data-scene')) ?? '';
    const file = `${String(index + 1).padStart(2, '0')} ${name.replace(/[^\w, ]/g, '')}.png`;
    await section.screenshot({ path: join(folder, file) });
  }
  await page.close();
  return sections.length;
}

function addressOf(server: ViteDevServer): string {
  return server.resolvedUrls?.local[0] ?? '';
}
