/** Tests the published widget in a plain HTML page. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { prepareSamples, type Samples } from './packed-widget.ts';
import { policy, serve } from './widget-host.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const widgetIn = (folder: string) => join(folder, 'node_modules/@connector-auth/widget');
let samples: Samples;

beforeAll(async () => {
  samples = await prepareSamples(['plain']);
});
afterAll(() => samples.close());

describe('in a plain page', () => {
  it('loads as a single script with an integrity hash from another origin, and loads languages from the same folder', async () => {
    const cdn = await serve([join(widgetIn(samples.folderOf('plain')), 'dist')]);
    onTestFinished(() => {
      cdn.close();
    });
    const page = await samples.open([samples.folderOf('plain')], {
      policy: policy.replace("script-src 'self'", `script-src ${cdn.url}`),
      edit: (_path, text) => text.replace('ORIGIN', cdn.url).replace('INTEGRITY', integrity()),
    });
    await page.getByRole('heading', { name: 'Quelle verbinden' }).waitFor();
    await page.getByRole('heading', { name: 'ربط مصدر بيانات' }).waitFor();
    await page.getByRole('button', { name: 'Granola' }).first().click();
    await page.getByLabel('API key', { exact: true }).waitFor();
  });

  it('does not run if the file does not match its integrity hash', async () => {
    const page = await samples.browser.newPage();
    const host = await serve([samples.folderOf('plain'), join(widgetIn(samples.folderOf('plain')), 'dist')], {
      edit: (path, text) =>
        path.endsWith('.js') ? `${text};` : text.replace('ORIGIN', '').replace('INTEGRITY', integrity()),
    });
    onTestFinished(async () => {
      host.close();
      await page.close();
    });
    await page.goto(host.url);
    expect(await page.evaluate(() => customElements.get('connector-auth') === undefined)).toBe(true);
  });

  it('falls back to English if the language file is missing', async () => {
    const page = await samples.browser.newPage();
    const host = await serve([samples.folderOf('plain'), join(widgetIn(samples.folderOf('plain')), 'dist')], {
      edit: (path, text) =>
        path.includes('/languages/')
          ? 'not a language'
          : text.replace('ORIGIN', '').replace('INTEGRITY', integrity()),
    });
    onTestFinished(async () => {
      host.close();
      await page.close();
    });
    await page.goto(host.url);
    await page.getByRole('button', { name: 'Granola' }).first().waitFor();
    expect(await page.getByRole('heading', { name: 'Connect a source' }).count()).toBe(2);
  });

  it('works as unbundled modules from a static file server', async () => {
    const page = await samples.open([samples.folderOf('plain')], {}, '/module.html');
    await page.getByRole('heading', { name: 'データソースを接続' }).waitFor();
    await page.getByRole('button', { name: 'Granola' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
  });

  it.each([
    ['without a list of policies', policy],
    ["with 'allow-duplicates'", `${policy}; trusted-types lit-html 'allow-duplicates'`],
  ])('coexists with another version of the widget under Trusted Types %s', async (_name, policy) => {
    const newer = join(samples.folderOf('plain'), 'newer');
    cpSync(join(widgetIn(samples.folderOf('plain')), 'dist'), newer, { recursive: true });
    const script = readFileSync(join(newer, 'connector-auth.js'), 'utf8');
    // The two scripts differ only in their version.
    expect(script.split('0.1.0')).toHaveLength(2);
    writeFileSync(join(newer, 'connector-auth.js'), script.replace('0.1.0', '0.2.0'));
    const page = await samples.open([samples.folderOf('plain')], { policy }, '/two-versions.html');
    await page.getByRole('heading', { name: 'Connect a source' }).waitFor();
    await page.getByRole('heading', { name: 'Quelle verbinden' }).waitFor();
    for (const tag of ['connector-auth', 'newer-connector-auth']) {
      const widget = page.locator(tag);
      await widget.getByRole('button', { name: 'Granola' }).click();
      await widget.getByLabel('API key', { exact: true }).waitFor();
    }
    const isShared = await page.evaluate(
      () => customElements.get('connector-auth') === customElements.get('newer-connector-auth'),
    );
    expect(isShared).toBe(false);
    // The widget uses no custom elements that the other version could have defined differently.
    const inner = await page.evaluate(() =>
      ['connector-auth', 'newer-connector-auth'].flatMap(tag =>
        [...(document.querySelector(tag)?.shadowRoot?.querySelectorAll('*') ?? [])]
          .map(({ localName }) => localName)
          .filter(name => name.includes('-')),
      ),
    );
    expect(inner).toEqual([]);
  });
});

it('publishes the metadata that editors read, and every file that it references', () => {
  const folder = widgetIn(samples.folderOf('plain'));
  const packageJson = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>;
    customElements: string;
    'web-types': string;
  };
  const named = Object.values(packageJson.exports)
    .flatMap(entry =>
      typeof entry === 'string'
        ? [entry]
        : Object.entries(entry).map(([key, path]) => (key === 'source' ? '' : path)),
    )
    .filter(path => path !== '');
  for (const path of [...named, packageJson.customElements, packageJson['web-types']]) {
    expect(readFileSync(join(folder, path), 'utf8')).not.toBe('');
  }
  const manifest = readFileSync(join(folder, packageJson.customElements), 'utf8');
  expect(manifest).toContain('"tagName": "connector-auth"');
});

/** Returns the integrity hash that the build generated for the script-tag file. */
function integrity(): string {
  const text = readFileSync(join(widgetIn(samples.folderOf('plain')), 'dist/integrity.json'), 'utf8');
  return (JSON.parse(text) as Record<string, string>)['connector-auth.js'] ?? '';
}
