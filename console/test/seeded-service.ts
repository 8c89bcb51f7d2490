import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../service/src/platform/database/database.ts';
import { silentLog } from '../../service/src/platform/log/log.ts';
import { allPlatformApps } from '../../service/test/consent.ts';
import type { TestDatabase } from '../../service/test/engines.ts';
import { startTestService } from '../../service/test/test-service.ts';
import { seed, type Seeded } from './seed.ts';

/** The public base URL of the service, which the console shows in code to paste. */
export const publicUrl = 'https://connect.example.com';

/** The service with the data of `seed.json`, and the built console. */
export interface SeededService extends Seeded {
  /** The address of the console and its API. */
  readonly url: string;
  /** The address of the API for customers, which is public as {@link publicUrl}. */
  readonly apiUrl: string;
  /** Returns the URL of a page of the console. `{name}` in its path is replaced by an id, see {@link Seeded.idOf}. */
  urlOf(path: string): string;
  close(): Promise<void>;
}

/**
 * Starts the service on an empty database, by default an embedded one. Background jobs do not run, so that nothing
 * changes by itself. Responses are validated against the contract.
 */
export async function startSeededService(place?: TestDatabase): Promise<SeededService> {
  const { location, remove } = place ?? (await makeEmbedded());
  const database = await openDatabase(location, { log: silentLog });
  const service = await startTestService(database, {
    publicUrl,
    console: { access: 'private', url: null },
    adminToken: null,
    oauthApps: allPlatformApps,
  });
  const seeded = await seed(service, database);
  const url = service.privateUrl ?? '';
  return {
    url,
    apiUrl: service.url,
    keys: seeded.keys,
    idOf: name => seeded.idOf(name),
    admin: (method, path, body) => seeded.admin(method, path, body),
    urlOf: path => `${url}/console${path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => seeded.idOf(name))}`,
    async close() {
      await service.close();
      await database.close();
      await remove();
    },
  };
}

async function makeEmbedded(): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'connector-auth-console-'));
  return { location: { dataDir }, remove: () => rm(dataDir, { recursive: true, force: true }) };
}
