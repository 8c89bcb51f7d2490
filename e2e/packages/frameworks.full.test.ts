/** The widget as it is published, in projects that are built with other frameworks. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { prepareSamples, root, run, type Samples } from './packed-widget.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

let samples: Samples;

beforeAll(async () => {
  samples = await prepareSamples(['react', 'vue']);
});
afterAll(() => samples.close());

describe('in a React project', () => {
  it('compiles, and what would be a mistake does not', async () => {
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], samples.folderOf('react'));
  });

  it('works when it is built, with events, properties and a user interface of its own', async () => {
    await run('npm', ['run', '--silent', 'build'], samples.folderOf('react'));
    const page = await samples.open([join(samples.folderOf('react'), 'dist')]);
    await page.getByText('1 ready').waitFor();
    await page.getByText('Said by React').waitFor();
    await page.getByRole('button', { name: 'Own Granola' }).click();
    await page.getByRole('heading', { name: 'A form for Granola' }).waitFor();
    await openForm(page);
  });

  it('does nothing on a server but to be there', async () => {
    const printed: unknown = JSON.parse(
      await run(process.execPath, ['server.js'], samples.folderOf('react')),
    );
    expect(printed).toMatchObject({
      html: '<connector-auth id="sources"></connector-auth>',
      globals: [],
      names: [
        ['ConnectorAuthElement'],
        ['ConnectorAuthElement'],
        expect.arrayContaining(['createConnectorFlow']),
      ],
    });
  });
});

it('in a Vue project it works when it is built, with a language of its own file', async () => {
  await run('npm', ['run', '--silent', 'build'], samples.folderOf('vue'));
  const page = await samples.open([join(samples.folderOf('vue'), 'dist')]);
  await page.getByText('1 ready').waitFor();
  await page.getByText('Dit par Vue').waitFor();
  await page.getByRole('heading', { name: 'Connecter une source' }).waitFor();
  await page.getByRole('button', { name: 'Granola' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor();
});

async function openForm(page: Page): Promise<void> {
  await page.locator('connector-auth').getByRole('button', { name: 'Granola' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor();
}
