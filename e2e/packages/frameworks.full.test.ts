/** Tests the published widget in React and Vue projects. */
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
  it('valid React code compiles, and invalid uses of the widget are type errors', async () => {
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], samples.folderOf('react'));
  });

  it('a React production build supports events, properties and a custom user interface', async () => {
    await run('npm', ['run', '--silent', 'build'], samples.folderOf('react'));
    const page = await samples.open([join(samples.folderOf('react'), 'dist')]);
    await page.getByText('1 ready').waitFor();
    await page.getByText('Said by React').waitFor();
    await page.getByRole('button', { name: 'Own Granola' }).click();
    await page.getByRole('heading', { name: 'A form for Granola' }).waitFor();
    await openForm(page);
  });

  it('every React entry point can be imported and rendered on a server', async () => {
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

it('a Vue production build works, with a language loaded from its own file', async () => {
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
