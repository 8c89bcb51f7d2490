import { expect, test } from '../stack/host-fixture.ts';
import { runProgram } from '../stack/processes.ts';

test('the script-tag file works in a plain page of another origin under a strict policy', async ({
  page,
  demo,
}) => {
  const integrator = runProgram([
    'e2e/stack/plain-page-server.ts',
    demo.serviceUrl,
    demo.clientId,
    demo.clientSecret,
  ]);
  try {
    const [, url = ''] = await integrator.waitForOutput(/plain page at (\S+)/);
    const problems: string[] = [];
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('pageerror', error => problems.push(error.message));
    const requested = new Set<string>();
    page.on('request', request => requested.add(new URL(request.url()).origin));

    await page.goto(url);
    await page.getByRole('button', { name: /^Granola/ }).click();
    await page.getByLabel('API key', { exact: true }).fill('grn_sandbox_demo');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page.getByRole('heading', { name: /is connected$/ })).toBeVisible();

    // The browser asks for an icon of the page by itself; the page has none.
    expect(problems.filter(text => !text.includes('favicon'))).toEqual([]);
    // Page, token backend, service: nothing else was asked for anything.
    expect(requested.size).toBe(3);
    expect(requested).toContain(new URL(demo.serviceUrl).origin);
  } finally {
    await integrator.stop();
  }
});
