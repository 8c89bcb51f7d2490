import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { application, startService } from '../test/scripted-service.ts';

const example = fileURLToPath(new URL('list-notes.ts', import.meta.url));

test('runs the README example, which lists a customer’s notes', async () => {
  const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';
  const connector = {
    id,
    name: 'Sales notes',
    customer_name: 'acme',
    connector_type: 'granola',
    definition_id: id,
    auth_method: 'api_key',
    status: 'active',
    sync: { status: 'none', entities: {} },
    created_at: '2026-11-21T10:00:00Z',
    updated_at: '2026-11-21T10:00:00Z',
  };
  await using service = await startService(({ method }) => ({
    json:
      method === 'GET'
        ? { data: [connector], meta: { cursor: null, has_more: false } }
        : { result: [{ id: 'not_1' }], connector_metadata: null },
  }));
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=source', example], {
    env: {
      SERVICE_URL: service.baseUrl,
      CLIENT_ID: application.clientId,
      CLIENT_SECRET: application.clientSecret,
    },
  });
  expect(stdout.trim()).toBe("Sales notes [ { id: 'not_1' } ]");
});

test('the README contains the example verbatim', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(readFileSync(example, 'utf8'));
});
