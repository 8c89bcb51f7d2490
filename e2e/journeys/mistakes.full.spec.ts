import { pageMistakes, patternOf, type Mistake } from '../mistakes/mistakes.ts';
import { expect, test } from '../stack/host-page.ts';
import { runProgram, type RunningProgram } from '../stack/processes.ts';

let server: RunningProgram;
let url: string;

test.beforeAll(async ({ demo }) => {
  server = runProgram(['e2e/stack/mistakes-server.ts', demo.serviceUrl, demo.clientId, demo.clientSecret]);
  [, url = ''] = await server.waitForOutput(/mistakes at (\S+)/);
});
test.afterAll(() => server.stop());

for (const [id, mistake] of Object.entries<Mistake>(pageMistakes)) {
  test(`says what to change: ${mistake.mistake}`, async ({ page, demo }) => {
    const errors: string[] = [];
    page.on('console', message => {
      if (message.type() === 'error') errors.push(message.text());
    });
    const events: { readonly code: string; readonly message: string }[] = [];
    await page.exposeFunction('record', (detail: (typeof events)[number]) => events.push(detail));
    await page.addInitScript(() => {
      addEventListener('connector-auth-error', event => {
        const { record } = window as unknown as { record: (detail: unknown) => void };
        record((event as CustomEvent<unknown>).detail);
      });
    });
    await page.goto(`${url}/${id}`);

    if (mistake.screen !== null) {
      await expect(page.getByRole('heading', { name: mistake.screen })).toBeVisible();
      await expect
        .poll(() => errors.filter(text => text.startsWith('<connector-auth>')))
        .toEqual([expect.stringMatching(patternOf(mistake))]);
    }
    await expect.poll(() => errors.join('\n')).toMatch(patternOf(mistake));
    if (mistake.code !== null) {
      await expect.poll(() => events.map(({ code }) => code)).toEqual([mistake.code]);
      expect(events[0]?.message).toMatch(patternOf(mistake));
    }
    expect(JSON.stringify([errors, events])).not.toContain(demo.clientSecret);
  });
}
