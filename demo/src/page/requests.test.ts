import { expect, test } from 'vitest';
import { codeOf, RequestLog, steps, withoutSecrets } from './requests.ts';

const context = { serviceUrl: 'http://127.0.0.1:8787', customer: 'juniper-bakery' };
const id = '6b5d854f-e241-477d-b5f9-437a24e5cd68';
const connectors = 'http://127.0.0.1:8787/api/v1/integrations/connectors';
const page = 'http://localhost:5173';

/** Adds requests that succeed; returns the steps that the log contains. */
function keysAfter(...requests: readonly (readonly [string, string])[]) {
  const log = new RequestLog();
  for (const [method, url] of requests) log.add(method, new URL(url), { entity: 'calls' })?.(200);
  return [...log.sent].map(([key, { path, status }]) => [key, path, status]);
}

test('contains the requests that matter, by the paths of the service', () => {
  expect(
    keysAfter(
      ['GET', `${page}/api/session`],
      ['POST', `${page}/connector-auth/widget-token`],
      ['GET', connectors],
      ['POST', `${page}/connector-auth/connectors/${id}/execute`],
      ['POST', `${connectors}/oauth/initiate`],
      ['POST', connectors],
      ['POST', `${page}/connector-auth/connectors/${id}/execute`],
      ['POST', `${page}/api/chat`],
    ),
  ).toEqual([
    ['mint', '/api/v1/account/applications/widget-token', 200],
    ['consent', '/api/v1/integrations/connectors/oauth/initiate', 200],
    ['create', '/api/v1/integrations/connectors', 200],
    ['execute', `/api/v1/integrations/connectors/${id}/execute`, 200],
  ]);
});

test('waits for data of the next connection', () => {
  const create = ['POST', connectors] as const;
  const execute = ['POST', `${page}/connector-auth/connectors/${id}/execute`] as const;
  expect(keysAfter(create, execute, create).map(([key]) => key)).toEqual(['create']);
});

test('shows placeholders instead of secrets', () => {
  expect(
    withoutSecrets({
      name: 'Gong',
      credentials: { access_key: 'secret' },
      server_side_oauth_secret_id: 'secret',
    }),
  ).toEqual({
    name: 'Gong',
    credentials: { access_key: 'YOUR_ACCESS_KEY' },
    server_side_oauth_secret_id: 'YOUR_SERVER_SIDE_OAUTH_SECRET_ID',
  });
});

test.each(steps)('writes “$title” as code, before and after it was sent', step => {
  globalThis.location ??= { origin: page } as Location;
  expect(codeOf(step, undefined, context).curl).toContain('curl http://127.0.0.1:8787/api/v1/');
  const sent = { path: step.path.replace('{id}', id), body: { name: "It's" }, status: 200, ms: 1 };
  const { curl, typescript } = codeOf(step, sent, context);
  expect(curl).toContain(String.raw`"name": "It'\''s"`);
  expect(typescript).toContain(`name: "It's"`);
});
