import { expect, test } from '../stack/host-page.ts';
import { runProgram } from '../stack/processes.ts';

test('connects a source in a plain HTML page on another origin under a strict Content-Security-Policy', async ({
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

    // The browser requests a favicon, which this host does not serve.
    expect(problems.filter(text => !text.includes('favicon'))).toEqual([]);
    // The page contacts only its own origin, the token backend and the service.
    expect(requested.size).toBe(3);
    expect(requested).toContain(new URL(demo.serviceUrl).origin);
  } finally {
    await integrator.stop();
  }
});
