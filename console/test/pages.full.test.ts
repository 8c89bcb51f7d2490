import axe from 'axe-core';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useConsole } from './harness.ts';
import { pagesToShow } from './pages-to-show.ts';

const harness = useConsole();

/** The views in which each page is checked. */
const views = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const;

test.each(pagesToShow.map(page => [page.name, page] as const))(
  'has no axe violations and fits a phone on the page: %s',
  async (_name, { path, prepare, ...options }) => {
    const page = await harness.open(path, options);
    await prepare?.(page);
    await expect.poll(() => page.locator('.skeletons').count()).toBe(0);
    await page.evaluate(axe.source);
    for (const { width, colorScheme } of views) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      expect(await violationsOf(page), `${width} px, ${colorScheme}`).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  },
);

test('finds a violation where there is one', async () => {
  const page = await harness.open('/keys');
  await page.evaluate(axe.source);
  await page.evaluate(() => document.querySelector('h1')?.append(document.createElement('button')));
  expect(await violationsOf(page)).toEqual([expect.stringContaining('button-name')]);
});

/** Returns one line per violation. */
function violationsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${JSON.stringify(target)}: ${failureSummary}`),
    );
  });
}
