/** Runs the programs in `generated-client/` against a real service, by its OpenAPI document alone. */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database } from '../src/platform/database/database.ts';
import { makeDatabase, type TestDatabase, openTestDatabase } from './engines.ts';
import { goodKey } from './example-requests.ts';
import { startTestService, type TestApplication, type TestService } from './test-service.ts';

const run = promisify(execFile);
const programs = join(import.meta.dirname, 'generated-client');
/** TypeScript 5, which the generator needs and which most integrators have. */
const compiler = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('clients generated from the OpenAPI document', () => {
  let place: TestDatabase;
  let database: Database;
  let service: TestService;
  let application: TestApplication;
  beforeAll(async () => {
    place = await makeDatabase('postgres');
    database = await openTestDatabase(place.location);
    service = await startTestService(database);
    await service.startSync();
    application = await service.addApplication('own', ['Own']);
  });
  afterAll(async () => {
    await service.close();
    await database.close();
    await place.remove();
  });
  const args = () => [service.url, application.clientId, application.clientSecret, goodKey];

  test('a TypeScript program connects, executes and searches with generated types', async () => {
    const { text } = await service.ask('GET', '/openapi.json');
    // Inside the package, so that the program finds its dependencies.
    const folder = await mkdtemp(join(programs, '.run-'));
    try {
      await cp(join(programs, 'journey.ts'), join(folder, 'journey.ts'));
      await writeFile(join(folder, 'api.ts'), astToString(await openapiTS(text)));
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ extends: '../../../../tsconfig.base.json', files: ['journey.ts'] }),
      );
      await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => {
        throw new Error(`The program does not compile:\n${error.stdout}`);
      });
      const { stdout } = await run(process.execPath, [join(folder, 'journey.ts'), ...args()]);
      expect(JSON.parse(stdout)).toEqual({
        titles: [expect.any(String), expect.any(String)],
        hasMore: true,
        newest: expect.stringMatching(/^2026-/),
        code: 'record_not_found',
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test(
    hasPython
      ? 'a Python program of the standard library connects, executes and searches by operation ids'
      : 'python3 is not installed here, so no Python program runs',
    async () => {
      if (!hasPython) return;
      const { stdout } = await run('python3', [join(programs, 'journey.py'), ...args()]);
      expect(JSON.parse(stdout)).toEqual({
        titles: [expect.any(String), expect.any(String)],
        newest: expect.stringMatching(/^2026-/),
        mistake: 'body.params.pageSize is unknown',
      });
    },
  );
});
