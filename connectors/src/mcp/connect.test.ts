import { expect, test } from 'vitest';
import { connect } from './connect.ts';
import { declaresUrls } from './elicitation.ts';
import type { ConnectLinks, SourceGateway } from './source-gateway.ts';
import type { ToolCall } from './tool.ts';

test('a client declares that it opens URLs apart from forms', () => {
  expect(declaresUrls({ elicitation: { url: {}, form: {} } })).toBe(true);
  for (const capabilities of [undefined, null, {}, { elicitation: {} }, { elicitation: { form: {} } }]) {
    expect(declaresUrls(capabilities)).toBe(false);
  }
});

test.each([
  ['open', 'waiting', 'list_sources'],
  ['confirmed', 'waiting', 'list_sources'],
  ['expired', 'expired', 'only if the user asks'],
] as const)('a link that is %s after the wait is reported as %s', async (status, reported, next) => {
  const links = { waitFor: () => Promise.resolve({ status, connector_id: null }) };
  const call = {
    sources: { links: links as unknown as ConnectLinks } as SourceGateway,
    urls: { opens: 'then_reports', decision: { id: 'a', isAccepted: true } },
  } as ToolCall;
  expect(await connect.run({} as never, call)).toMatchObject({
    status: reported,
    url: null,
    next: expect.stringContaining(next),
  });
});
