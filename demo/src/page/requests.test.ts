import { expect, test } from 'vitest';
import { RequestLog, withoutSecrets } from './requests.ts';

const url = new URL('http://127.0.0.1:8787/api/v1/integrations/connectors');

test('lists requests newest first, with their outcome once it is known', () => {
  const log = new RequestLog();
  const end = log.add({ method: 'GET', url, body: null });
  log.add({ method: 'POST', url, body: { name: 'Granola' } });
  end({ status: 200, summary: '2 connectors' });
  expect(log.entries.map(({ method, status, summary }) => ({ method, status, summary }))).toEqual([
    { method: 'POST', status: null, summary: null },
    { method: 'GET', status: 200, summary: '2 connectors' },
  ]);
});

test('lists the same request once if it is sent repeatedly', () => {
  const log = new RequestLog();
  const endFirst = log.add({ method: 'GET', url, body: null });
  const endSecond = log.add({ method: 'GET', url, body: null });
  endSecond({ status: 200, summary: null });
  endFirst({ status: 500, summary: null });
  expect(log.entries).toHaveLength(1);
  expect(log.entries[0]).toMatchObject({ times: 2, status: 200 });
});

test('lists requests once that are repeated in turn, and a request that is repeated much later again', () => {
  const log = new RequestLog();
  const get = (path: string) => log.add({ method: 'GET', url: new URL(path, url), body: null });
  for (const path of ['/a', '/b', '/a', '/b', '/a']) get(path);
  const seen = () => log.entries.map(({ url: { pathname }, times }) => `${pathname} ×${times}`);
  expect(seen()).toEqual(['/a ×3', '/b ×2']);
  for (const path of ['/1', '/2', '/3', '/4', '/5']) get(path);
  get('/b');
  expect(seen().slice(0, 2)).toEqual(['/b ×1', '/5 ×1']);
});

test('replaces every secret of a body by a placeholder', () => {
  const body = {
    connector_type: 'granola',
    credentials: { api_key: 'grn_secret' },
    server_side_oauth_secret_id: 'sec_secret',
  };
  expect(JSON.stringify(withoutSecrets(body))).not.toContain('secret"');
  expect(withoutSecrets(body)).toEqual({
    connector_type: 'granola',
    credentials: { api_key: 'YOUR_API_KEY' },
    server_side_oauth_secret_id: 'YOUR_SERVER_SIDE_OAUTH_SECRET_ID',
  });
});
