/**
 * Measures the widget's speed and memory use in a real browser. The floor is the minimum that Lit needs to
 * render the same catalog, and the window is the minimum for a list that can be searched and of which only the visible
 * rows are rendered. Runs of the widget and of a baseline are interleaved, so that noise affects both equally. Results
 * are medians.
 *
 * Usage: npx -y pnpm@12 bench widget [--quick]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type CDPSession, type Page } from 'playwright';
import { build } from 'vite';
import { chromiumLaunchOptions } from '../../scripts/chromium.ts';
import ensureBuilt from '../../scripts/ensure-built.ts';
import { root } from '../../scripts/steps.ts';
import { addSamples, atEnd, inTurns, median, options, reportGoal, run } from '../../service/bench/harness.ts';
import { startSite } from './widget-site.ts';

const rounds = options.quick ? 1 : 7;

await ensureBuilt();
const site = await startSite({
  widget: readFileSync(join(root, 'widget/dist/connector-auth.js'), 'utf8'),
  floor: await buildBaseline('floor'),
  window: await buildBaseline('window'),
});
atEnd(site.close);
const browser = await chromium.launch(chromiumLaunchOptions());
atEnd(() => browser.close());
await run(async () => {
  await measurePaint(20, 1, 1.2);
  await measurePaint(20, 4, 1.2);
  await measurePaint(600, 4, 1);
  await measureRequests(20, 4);
  await measureRequests(600, 50);
  await measureHeap(20, 2);
  await measureHeap(600, 3);
  await measureKeystroke(600, 4, { maxMs: 50 });
  await measureKeystroke(10_000, 1, { maxRatio: 2.5 });
  await measurePaintOfMany(10_000, 2);
  await measureScrolling();
  await measureMounts();
});

/** Measures the time from navigation to the painted list, for the widget and the floor. */
async function measurePaint(sources: number, slowdown: number, max: number): Promise<void> {
  const times = await inTurns(
    ['floor', 'widget'] as const,
    rounds,
    async name => (await open(name, sources, { slowdown })).paintedAt,
  );
  addSamples(`painted, ${sources} sources, CPU ${slowdown}×, in ms`, Object.fromEntries(times));
  const [floor = NaN, widget = NaN] = [...times.values()].map(median);
  reportGoal(
    `painted, ${sources} sources, CPU ${slowdown}×`,
    `≤ ${max} × floor`,
    `${(widget / floor).toFixed(2)} × (${widget.toFixed(0)} / ${floor.toFixed(0)} ms)`,
    widget <= max * floor,
  );
}

async function measureRequests(sources: number, max: number): Promise<void> {
  site.requestedPaths.length = 0;
  const { page, close } = await open('widget', sources, { keep: true });
  await page.waitForLoadState('networkidle');
  const icons = site.requestedPaths.filter(path => path.startsWith('/icons/')).length;
  const others = site.requestedPaths.length - icons;
  await close();
  const counted = sources > 100 ? others + icons : others;
  reportGoal(
    `requests, ${sources} sources${sources > 100 ? '' : ', without icons'}`,
    `≤ ${max}`,
    `${counted} (${icons} icons)`,
    counted <= max,
  );
}

async function measureHeap(sources: number, megabytes: number): Promise<void> {
  const { devtools, close } = await open('widget', sources, { keep: true });
  const used = await heap(devtools);
  await close();
  reportGoal(`heap, ${sources} sources`, `≤ ${megabytes} MB`, `${used.toFixed(2)} MB`, used <= megabytes);
}

/**
 * Measures the main-thread time from a keystroke to the painted, filtered list, that of the window, and that of a text
 * field without a list. Omits icons, because the browser takes a millisecond or more to decode an SVG after it paints the
 * list.
 */
async function measureKeystroke(
  sources: number,
  slowdown: number,
  max: { readonly maxMs: number } | { readonly maxRatio: number },
): Promise<void> {
  const widget = await open('widget', sources, { keep: true, icons: 'off' });
  const windowed = await open('window', sources, { keep: true, icons: 'off' });
  const bare = await open('widget', 20, { keep: true, icons: 'off' });
  await bare.page.evaluate(() => {
    document.body.replaceChildren(document.createElement('input'));
  });
  const pages = [widget, windowed, bare];
  for (const { page, devtools } of pages) {
    await page.locator('input').focus();
    await page.keyboard.type('source');
    await settled(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  }
  const times: number[][] = [[], [], []];
  const idleTimes: number[][] = [[], [], []];
  for (const key of ['Space', '1', '2', 'Backspace', 'a', 'Backspace', 'Backspace', 'Backspace', 'e']) {
    for (const [index, { page, devtools }] of pages.entries()) {
      idleTimes[index]?.push(await pressTime(page, devtools, 'Shift'));
      times[index]?.push(await pressTime(page, devtools, key));
    }
  }
  for (const { close } of pages) await close();
  addSamples(`keystroke, ${sources} sources, CPU ${slowdown}×, in ms of the main thread`, {
    widget: times[0] ?? [],
    'widget, a key that changes nothing': idleTimes[0] ?? [],
    'bare text field': times[1] ?? [],
    'bare text field, a key that changes nothing': idleTimes[1] ?? [],
  });
  // Subtracts the cost of a keystroke that changes nothing. It is a median, because the rows that the previous
  // keystroke did not render at once may be rendered during one of them.
  const [time = NaN, windowTime = NaN, bareTime = NaN] = pages.map(
    (_, index) => median(times[index] ?? []) - median(idleTimes[index] ?? []),
  );
  reportGoal(
    `keystroke, ${sources} sources, CPU ${slowdown}×, without icons`,
    'maxMs' in max ? `≤ ${max.maxMs} ms` : `≤ ${max.maxRatio} × window`,
    `${(time / windowTime).toFixed(2)} × (${time.toFixed(1)} / ${windowTime.toFixed(1)} ms), ${(time / bareTime).toFixed(1)} × a bare text field`,
    'maxMs' in max ? time <= max.maxMs : time <= max.maxRatio * windowTime,
  );
}

/** Returns the main-thread time from a keystroke until the page is painted, in milliseconds. */
async function pressTime(page: Page, devtools: CDPSession, key: string): Promise<number> {
  await settled(page);
  const before = await taskSeconds(devtools);
  await page.keyboard.press(key);
  await settled(page);
  return ((await taskSeconds(devtools)) - before) * 1000;
}

/** Measures the time from the end of the response to the painted list, for the widget and a windowed list. */
async function measurePaintOfMany(sources: number, max: number): Promise<void> {
  const times = await inTurns(['window', 'widget'] as const, rounds, async name => {
    const { page, paintedAt, close } = await open(name, sources, { keep: true });
    const dataAt = await page.evaluate(
      () =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.includes('/definitions/sources'))
          .map(entry => (entry as PerformanceResourceTiming).responseEnd)[0] ?? 0,
    );
    await close();
    return paintedAt - dataAt;
  });
  addSamples(`painted after the data, ${sources} sources, in ms`, Object.fromEntries(times));
  const [windowed = NaN, widget = NaN] = [...times.values()].map(median);
  reportGoal(
    `painted after the data, ${sources} sources`,
    `≤ ${max} × window`,
    `${(widget / windowed).toFixed(2)} × (${widget.toFixed(0)} / ${windowed.toFixed(0)} ms)`,
    widget <= max * windowed,
  );
}

/** Measures the memory growth while scrolling through 10,000 sources. */
async function measureScrolling(): Promise<void> {
  const { page, devtools, close } = await open('widget', 10_000, { keep: true });
  await scrollTo(page, 0.02);
  const before = { heap: await heap(devtools), nodes: await nodeCount(page) };
  for (let step = 1; step <= 50; step++) await scrollTo(page, step / 50);
  const after = { heap: await heap(devtools), nodes: await nodeCount(page) };
  await close();
  const growth = after.heap - before.heap;
  reportGoal(
    'heap growth, 10000 sources scrolled through',
    '≤ 0.5 MB',
    `${growth.toFixed(2)} MB (${before.nodes} → ${after.nodes} elements)`,
    growth <= 0.5,
  );
}

async function measureMounts(): Promise<void> {
  const { page, devtools, close } = await open('widget', 20, { keep: true });
  const mount = async (times: number, instances: number) => {
    for (let time = 0; time < times; time++) {
      await page.evaluate(async count => {
        document.body.replaceChildren();
        const widgets = Array.from({ length: count }, () => document.createElement('connector-auth'));
        const ready = widgets.map(
          widget =>
            new Promise(resolve => {
              widget.addEventListener('connector-auth-ready', resolve, { once: true });
            }),
        );
        for (const widget of widgets) {
          widget.setAttribute('token-url', '/token');
          document.body.append(widget);
        }
        await Promise.all(ready);
      }, instances);
    }
    await page.evaluate(() => {
      document.body.replaceChildren();
    });
    await settled(page);
  };
  await mount(5, 3);
  const before = { heap: await heap(devtools), listeners: await listenerCount(devtools) };
  await mount(50, 3);
  const after = { heap: await heap(devtools), listeners: await listenerCount(devtools) };
  await close();
  const growth = after.heap - before.heap;
  reportGoal(
    'heap growth, 50 mounts of 3 widgets',
    '≤ 0.5 MB',
    `${growth.toFixed(2)} MB (${before.listeners} → ${after.listeners} listeners)`,
    growth <= 0.5 && after.listeners <= before.listeners,
  );
}

interface Opened {
  readonly page: Page;
  readonly devtools: CDPSession;
  readonly paintedAt: number;
  readonly close: () => Promise<void>;
}

/** Opens a page in a new context and waits until the list is painted. */
async function open(
  name: 'widget' | 'floor' | 'window',
  sources: number,
  {
    slowdown = 1,
    keep = false,
    icons = 'on',
  }: { slowdown?: number; keep?: boolean; icons?: 'on' | 'off' } = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  // Measures the main thread's CPU time, so that other load on the machine does not count.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript(() => {
    const look = () => {
      const shadow = document.querySelector('connector-auth, floor-list, window-list')?.shadowRoot;
      if (!shadow?.querySelector('[part~="source"]')) requestAnimationFrame(look);
      // The callback of the next frame runs after this one is painted.
      else requestAnimationFrame(() => performance.mark('painted'));
    };
    requestAnimationFrame(look);
  });
  await page.goto(`${site.url}/${name}?sources=${sources}&icons=${icons}`);
  const paintedAt = await page
    .waitForFunction(() => performance.getEntriesByName('painted')[0]?.startTime)
    .then(async handle => (await handle.jsonValue()) ?? Number.NaN);
  const close = () => context.close();
  if (!keep) await close();
  return { page, devtools, paintedAt, close };
}

async function scrollTo(page: Page, share: number): Promise<void> {
  await page.evaluate(share => {
    const scroller = document.querySelector('connector-auth')?.shadowRoot?.querySelector('.scroller');
    scroller?.scrollTo(0, scroller.scrollHeight * share);
  }, share);
  await settled(page);
}

/** Waits for two frames, so that pending changes are painted. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

async function heap(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

async function metric(devtools: CDPSession, name: string): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(entry => entry.name === name)?.value ?? Number.NaN;
}

function taskSeconds(devtools: CDPSession): Promise<number> {
  return metric(devtools, 'TaskDuration');
}

function listenerCount(devtools: CDPSession): Promise<number> {
  return metric(devtools, 'JSEventListeners');
}

function nodeCount(page: Page): Promise<number> {
  return page.evaluate(
    () => document.querySelector('connector-auth')?.shadowRoot?.querySelectorAll('*').length ?? 0,
  );
}

/** Builds a baseline as one script. */
async function buildBaseline(name: 'floor' | 'window'): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: join(root, 'widget'),
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: `bench/${name}.ts`, formats: ['iife'], name: 'Baseline' },
    },
  });
  const output = [result].flat().flatMap(built => ('output' in built ? built.output : []));
  const chunk = output.find(file => file.type === 'chunk');
  if (chunk === undefined) throw new Error(`Failed to build the baseline script, bench/${name}.ts`);
  return chunk.code;
}
