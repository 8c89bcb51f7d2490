import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDatabase, openTestDatabase, type TestDatabase } from '../../../test/engines.ts';
import { inherited } from '../../../test/service-process.ts';
import { startTestService, type TestApplication, type TestService } from '../../../test/test-service.ts';
import type { Database } from '../../platform/database/database.ts';

/** The script that the guide “Bring existing tokens” explains. */
const script = fileURLToPath(new URL('../../../../api/examples/import-tokens.ts', import.meta.url));

let place: TestDatabase;
let database: Database;
let sandbox: RunningSandbox;
let service: TestService;
let application: TestApplication;
let folder: string;
let file: string;

beforeAll(async () => {
  place = await makeDatabase('postgres');
  sandbox = await startSandbox({ rateLimits: false });
  database = await openTestDatabase(place.location);
  service = await startTestService(database, { sandbox });
  application = await service.addApplication('acme', ['Acme']);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-tokens-'));
  file = join(folder, 'rows.jsonl');
  return () => rmSync(folder, { recursive: true });
});
afterAll(async () => {
  await service.close();
  await sandbox.close();
  await database.close();
  await place.remove();
});

/** Returns a row with a Gong refresh token, which works once. */
const gongRow = (): object => {
  const gong = sandbox.control.vendors().find(({ key }) => key === 'gong');
  const found = gong?.credentials.find(({ title }) => title.startsWith('OAuth refresh token'));
  return {
    customer_name: `customer ${randomUUID()}`,
    connector_type: 'gong',
    name: 'Calls',
    credentials: found?.values,
  };
};
const write = (rows: readonly unknown[]): void =>
  writeFileSync(file, rows.map(row => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'));
const run = async (): Promise<{ exitCode: number; output: string }> => {
  const env = {
    ...inherited,
    SERVICE_URL: service.url,
    CLIENT_ID: application.clientId,
    CLIENT_SECRET: application.clientSecret,
  };
  return new Promise(resolve => {
    const child = execFile(process.execPath, ['--conditions=source', script, file], { env }, (_, out, err) =>
      resolve({ exitCode: child.exitCode ?? -1, output: out + err }),
    );
  });
};
const reports = (): { line: number; result: string; code?: string; connector_id?: string }[] =>
  readFileSync(`${file}.report.jsonl`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(text => JSON.parse(text));

test('the import script creates a connector per row, and reports per row what was rejected', async () => {
  const used = gongRow();
  write([used, gongRow(), { ...gongRow(), name: '' }, '{"name": "grn_secret']);
  const first = await run();
  appendFileSync(file, `\n${JSON.stringify({ ...used, name: 'Again' })}`);
  const second = await run();
  expect([first.exitCode, second.exitCode], first.output + second.output).toEqual([1, 1]);
  expect(reports().sort((a, b) => a.line - b.line)).toMatchObject([
    { line: 1, result: 'created' },
    { line: 2, result: 'created' },
    { line: 3, result: 'rejected', code: 'malformed_request' },
    { line: 4, result: 'rejected', code: 'malformed_request' },
    // Its refresh token was used up by line 1.
    { line: 5, result: 'rejected', code: 'credentials_refused' },
  ]);
  const written = first.output + second.output + readFileSync(`${file}.report.jsonl`, 'utf8');
  expect(written).not.toContain('grn_secret');
  expect(written).not.toContain('eyJ');
});

test('a second run of the import script creates only what is missing, and uses no refresh token twice', async () => {
  write([gongRow(), gongRow()]);
  expect(await run()).toMatchObject({ exitCode: 0 });
  const refreshes = () => sandbox.control.requests.count({ vendor: 'gong', operation: 'refresh token' });
  const before = refreshes();
  // As if the first run had been killed after the service created the second connector.
  const [first, second] = reports();
  writeFileSync(`${file}.report.jsonl`, `${JSON.stringify(first)}\n{"line": 2, `);
  appendFileSync(file, `\n${JSON.stringify(gongRow())}`);
  expect(await run()).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('2 created, 0 rejected'),
  });
  const ids = reports().map(({ connector_id }) => connector_id);
  expect(ids).toHaveLength(3);
  expect(ids).toContain(second?.connector_id);
  expect(refreshes()).toBe(before + 1);
});
