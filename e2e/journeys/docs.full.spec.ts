import type { Page } from '@playwright/test';
import { expect, test } from '../stack/console.ts';
import { violationsOf } from '../stack/violations.ts';

/** A page of each type. */
const paths = [
  '',
  '/tokens',
  '/errors',
  '/errors/rate_limited',
  '/appearance',
  '/http',
  '/http/customers',
  '/kinds/granola',
  '/kinds/granola/notes',
];

/** Collects what the page reports: errors, and violations of its Content-Security-Policy. */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', message => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return problems;
}

test('each type of page is accessible in both themes, fits a phone, and obeys its policy', async ({
  page,
  installation,
}) => {
  const problems = watch(page);
  for (const path of paths) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${installation.url}/docs${path}`);
    expect(await violationsOf(page), path).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOf(page, 'color-contrast'), `${path}, dark`).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
  }
  expect(problems).toEqual([]);
});

test('shows a chosen theme on the live widget, and writes it as CSS', async ({ page, installation }) => {
  const problems = watch(page);
  await page.goto(`${installation.url}/docs/appearance`);
  await page.getByRole('radio', { name: '#0f766e' }).check({ force: true });
  await page.getByRole('combobox', { name: 'State' }).selectOption('manage, importing');
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByText('--connector-auth-accent: #0f766e;').first()).toBeVisible();
  await expect(page).toHaveURL(/accent=%230f766e&scene=manage%2C\+importing$/);
  await page.reload();
  await expect(page.getByRole('progressbar')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('finds a field by keyboard, and opens it', async ({ page, installation }) => {
  const problems = watch(page);
  await page.goto(`${installation.url}/docs`);
  await page.keyboard.press('/');
  const box = page.getByRole('combobox', { name: 'Search the documentation' });
  await expect(box).toBeFocused();
  await page.keyboard.type('notes page_size');
  const option = page.getByRole('option', { name: 'page_size param Granola › notes' });
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await expect(box).toHaveAttribute('aria-activedescendant', 'result-0');
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText(/^\d+ results?$/);
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/kinds\/granola\/notes#list\.page_size$/);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('no such thing');
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('No results');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(problems).toEqual([]);
});

test('keeps the chosen language and theme on the next page', async ({ page, installation }) => {
  await page.goto(`${installation.url}/docs/kinds/granola/notes`);
  await page.getByRole('tab', { name: 'curl' }).first().focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Use the dark theme' }).click();
  await page.goto(`${installation.url}/docs/kinds/gong/users`);
  await expect(page.getByText("import { Gong } from '@connector-auth/connectors';").first()).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('opens the navigation of a phone without scripts, and shows all samples', async ({
  browser,
  installation,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await page.goto(`${installation.url}/docs/kinds/granola/notes`);
  await expect(page.locator('[data-language="sh"]').first()).toBeVisible();
  await expect(page.locator('[data-language="ts"]').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Search' })).toBeHidden();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Limits' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Limits' })).toBeVisible();
  await context.close();
});
