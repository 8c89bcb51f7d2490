import { chromium } from 'playwright';
import { readFileSync } from 'node:fs';
import { createClient } from '@connector-auth/api/client';
const out = '/tmp/q_demo/pics/'; 
const demo = process.env.DEMO ?? 'http://localhost:5173';
const service = process.env.SERVICE ?? 'http://127.0.0.1:8787';
const client = createClient({ baseUrl: service, clientId: 'fieldbook-demo', clientSecret: readFileSync('/tmp/q_demo/data/demo-client-secret', 'utf8') });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const only = process.argv[2];
async function shot(name: string, opts: { width?: number; dark?: boolean; locale?: string; customer?: string }, run: (page: import('playwright').Page, url: string) => Promise<void>, link: object = {}) {
  if (only && !new RegExp(only).test(name)) return;
  const context = await browser.newContext({ viewport: { width: opts.width ?? 1280, height: 860 }, colorScheme: opts.dark ? 'dark' : 'light', locale: opts.locale ?? 'en-US', reducedMotion: 'reduce', timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  await page.request.put(`${demo}/api/session`, { data: { customer: opts.customer ?? 'okafor-dental' } });
  const { url, id } = await client.connectLinks.create({ customer_name: opts.customer ?? 'okafor-dental', connector_type: 'granola', ...link } as never);
  try { await run(page, url); } catch (e) { console.log(name, String(e).slice(0, 300)); }
  await page.waitForTimeout(300);
  await page.screenshot({ timeout: 8000, path: out + name + '.png' });
  await client.connectLinks.revoke?.(id as never).catch(() => {});
  await context.close();
}
const opened = async (page: import('playwright').Page, url: string) => { await page.goto(url); await page.locator('form button').waitFor({ timeout: 10000 }); };
const confirmed = async (page: import('playwright').Page, url: string) => { await opened(page, url); await page.locator('form button').click(); await page.locator('connector-auth').waitFor({ timeout: 15000 }); await page.waitForTimeout(1500); };
await shot('asking-dark', { dark: true }, opened);
await shot('asking-light', {}, opened);
await shot('asking-ar-390', { width: 390, locale: 'ar' }, opened);
await shot('connecting-dark', { dark: true }, confirmed);
await shot('connecting-light', {}, confirmed);
await shot('connecting-390', { width: 390 }, confirmed);
await shot('connecting-any', {}, confirmed, { connector_type: undefined });
await shot('connecting-ar', { locale: 'ar' }, confirmed);
await shot('busy-dark', { dark: true }, async (page, url) => { await page.route('**/open', r => r.fulfill({ status: 429, contentType: 'application/problem+json', body: '{"code":"rate_limited"}' })); await page.goto(url); await page.getByRole('heading', { name: /Too many/ }).waitFor(); });
await shot('leaving-dark', { dark: true }, async (page, url) => { await opened(page, url); await page.route('**/confirm', async r => { const res = await r.fetch(); await r.fulfill({ response: res, body: (await res.text()).replace(/<meta http-equiv=.refresh.[^>]*>/, '') }); }); await page.locator('form button').click(); await page.waitForTimeout(4500); });
await shot('leaving-light-390', { width: 390 }, async (page, url) => { await opened(page, url); await page.route('**/confirm', async r => { const res = await r.fetch(); await r.fulfill({ response: res, body: (await res.text()).replace(/<meta http-equiv=.refresh.[^>]*>/, '') }); }); await page.locator('form button').click(); await page.waitForTimeout(4500); });
await shot('opening-dark', { dark: true }, async (page, url) => { await page.route('**/open', () => {}); await page.goto(url); await page.waitForTimeout(800); });
await shot('unavailable-dark', { dark: true }, async (page, url) => { await opened(page, url); await client.organization.update({ connect_helper_url: null }); await page.reload(); await page.getByRole('heading').first().waitFor(); await client.organization.update({ connect_helper_url: `${demo}/connector-auth` }); });
await shot('done-any', {}, async (page, url) => { await confirmed(page, url); await page.getByText('Granola').first().click(); await page.waitForTimeout(800); for (const b of ['Continue']) await page.getByRole('button', { name: b }).click({ timeout: 1500 }).catch(() => {}); await page.getByLabel('API key', { exact: true }).fill('grn_sandbox_okafor_dental'); await page.getByRole('button', { name: 'Connect', exact: true }).click(); await page.getByRole('heading', { name: /connected/ }).waitFor({ timeout: 15000 }); await page.waitForTimeout(1000); }, { connector_type: undefined });
await browser.close();
