import type { Agent } from '@connector-auth/api';
import { expect, test, vi } from 'vitest';
import { json, problem, sources, type Handler } from '../gallery/fake-service.ts';
import { expectText } from '../test/actions.ts';
import { focused, mountWidget } from '../test/harness.ts';
import { until } from '../test/until.ts';

const url = 'https://connect.acme.example/mcp';
const agent = (id: string, host: string | null): Agent => ({
  id,
  client: { id: `client-${id}`, name: 'Claude', host },
  customer_name: 'acme',
  user: { id: 'user-1', name: 'Ana Silva' },
  scopes: ['read', 'write'],
  allowed_sources: ['gong'],
  authorized_at: '2026-11-20T09:30:00.000Z',
  last_used_at: new Date().toISOString(),
  expires_at: '2100-01-01T00:00:00.000Z',
});
const row = '[part="agents-button"]';
const revoke = '[part="revoke-button"]';
const confirm = '[part="confirm-button"]';

function mountAgents(agents: readonly Agent[], more: Readonly<Record<string, Handler>> = {}) {
  return mountWidget({
    'GET /integrations/definitions/sources': () => json({ definitions: sources, mcp_url: url }),
    'GET /agents': () => json({ data: agents, meta: { cursor: null, has_more: false } }),
    ...more,
  });
}

test('names an app by its host, and what it says about itself only as a claim', async () => {
  // Another person of the same name, who has just allowed it for 30 days.
  const days30 = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const other = { ...agent('2', null), user: { id: 'user-2', name: 'Ana Silva' }, expires_at: days30 };
  const harness = mountAgents([agent('1', 'chat.example'), other]);
  (await harness.find(row)).click();
  const list = await harness.find('[part="agents"]');
  const words = list.textContent.replaceAll(/\s+/g, ' ');
  expect(words).toContain('chat.example Calls itself “\u2068Claude\u2069” Allowed by Ana Silva (user-1)');
  expect(words).toContain('Reads · Creates and changes Only Gong Used just now');
  expect(words).toContain('App on a device');
  expect(words).toMatch(/Allowed by Ana Silva \(user-2\).* Ends in 30 days/);
});

test('ends an app after a confirmation, says so, and continues with the others', async () => {
  const harness = mountAgents([agent('1', 'chat.example'), agent('2', 'other.example')], {
    'DELETE /agents/*': () => new Response(null, { status: 204 }),
  });
  (await harness.find(row)).click();
  const button = await harness.find(revoke);
  expect(button.getAttribute('aria-label')).toBe('Revoke: chat.example (\u2068Ana Silva\u2069)');
  // The widget never takes focus from the page.
  button.focus();
  button.click();
  await expectText(harness, '[part="title"]', 'Revoke access of chat.example (\u2068Ana Silva\u2069)?');
  expect(harness.service.requestsTo('DELETE /agents/*')).toEqual([]);
  // Cancelling returns to the button.
  (await harness.find('.cancel')).click();
  await until(async () => expect(focused()).toBe(await harness.find(revoke)));
  (await harness.find(revoke)).click();
  (await harness.find(confirm)).click();
  await until(async () =>
    expect((await harness.find('[part="agents"]')).textContent).not.toContain('chat.example'),
  );
  await expectText(harness, '[part="status"]', 'chat.example (\u2068Ana Silva\u2069) no longer has access');
  await until(async () => expect(focused()).toBe(await harness.find('[part="status"]')));
  expect(harness.service.requestsTo('DELETE /agents/*').map(({ url }) => url)).toEqual([
    expect.stringMatching(/\/agents\/1$/),
  ]);
  (await harness.find('.back')).click();
  await until(async () => expect(focused()).toBe(await harness.find(row)));
});

test('an app that has ended already counts as ended, and other errors keep the confirmation', async () => {
  let response = () => problem(500, 'internal_error');
  const harness = mountAgents([agent('1', 'chat.example')], { 'DELETE /agents/*': () => response() });
  (await harness.find(row)).click();
  (await harness.find(revoke)).click();
  (await harness.find(confirm)).click();
  await expectText(harness, '.notice strong', 'Couldn’t revoke access');
  response = () => problem(404, 'agent_not_found');
  (await harness.find(confirm)).click();
  await expectText(harness, '[part="title"]', 'No apps or agents');
});

test('copies the address that people add to their apps', async () => {
  const written: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(text => {
    written.push(text);
    return Promise.resolve();
  });
  const harness = mountAgents([]);
  (await harness.find(row)).click();
  (await harness.find('[part="copy-button"]')).click();
  await expectText(harness, '[part="copy-button"]', 'Link copied');
  expect(written).toEqual([url]);
});

test('is not offered unless people can sign in', async () => {
  const harness = mountWidget();
  await harness.find('[part="source"]');
  expect(harness.widget.shadowRoot?.querySelector(row)).toBeNull();
});
