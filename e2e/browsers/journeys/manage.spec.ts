import { expect, test } from '../stack.ts';
import { pick, seeConnected } from '../widget.ts';

const keyField = '[id="field-credentials.api_key"]';

test('renames and disconnects a source', async ({ tab, host }) => {
  await tab.open(host.addressFor('managed'));
  await pick(tab, 'Granola');
  await tab.fill(keyField, 'grn_sandbox_demo');
  await tab.press('Enter');
  await seeConnected(tab, 'Granola');
  await tab.open(host.addressFor('managed'));
  await tab.click('[part="connector"]', /Granola/);
  await tab.click('[part="rename-button"]');
  await tab.fill('#new-name', 'Our notes');
  await tab.press('Enter');
  await tab.see('h2', /^Our notes$/);
  await tab.click('[part="disconnect-button"]');
  await tab.click('[part="confirm-button"]');
  await tab.click('.confirm .primary');
  await tab.see('[part="source"]');
  expect(await host.connectorsOf('managed')).toEqual([]);
});
