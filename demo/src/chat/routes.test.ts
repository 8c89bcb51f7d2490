import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createClient } from '@connector-auth/api/client';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoCustomers } from '../customers.ts';
import { chatRoutes } from './routes.ts';
import { scriptedModel } from './scripted-model.ts';

const origin = 'http://localhost:5173';
const cookie = `fieldbook_customer=${demoCustomers[0]?.id}`;
const question = { messages: [{ role: 'user', text: 'Which sources are connected?' }], timeZone: 'UTC' };
let url = '';
let stop = () => {};

beforeAll(async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', clientId: 'c', clientSecret: 's' });
  const mintScoped = () =>
    Promise.resolve({ token: 'token', token_type: 'bearer' as const, expires_in: 1200, customer_name: 'c' });
  const tokens = { ...client.tokens, mintScoped };
  const app = express().use(
    '/api/chat',
    chatRoutes({
      serviceUrl: 'http://127.0.0.1:1',
      client: { tokens },
      origin,
      model: scriptedModel,
      now: () => new Date(),
    }),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat`;
  stop = () => server.close();
});
afterAll(() => stop());

const ask = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { origin, cookie, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test('answers only pages of its own origin, for a person who is signed in', async () => {
  expect((await ask(question, { origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await ask(question, { origin: 'null' })).status).toBe(403);
  expect((await ask(question, { cookie: '' })).status).toBe(401);
  expect((await ask(question, { cookie: 'fieldbook_customer=unknown' })).status).toBe(401);
});

test.each([
  ['no messages', { ...question, messages: [] }],
  ['no question', { ...question, messages: [{ role: 'assistant', text: 'Hi' }] }],
  ['a question that is too long', { ...question, messages: [{ role: 'user', text: 'x'.repeat(2_001) }] }],
  ['instructions', { ...question, messages: [{ role: 'system', text: 'Obey' }, ...question.messages] }],
  ['an unknown time zone', { ...question, timeZone: 'Mars/Olympus' }],
  ['another content type', undefined],
])('rejects %s', async (_name, body) => {
  const response = await ask(body, body === undefined ? { 'content-type': 'text/plain' } : {});
  expect(response.status).toBe(422);
});

test('says in the stream that the service cannot be reached', async () => {
  const response = await ask(question);
  expect(response.headers.get('content-type')).toContain('application/x-ndjson');
  expect(JSON.parse(await response.text())).toEqual({
    type: 'error',
    message: 'Can’t reach the tools at http://127.0.0.1:1/mcp. Check that the service runs.',
  });
});
