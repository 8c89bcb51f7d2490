import { locationOf, type StorageConfiguration } from '../platform/config/configuration.ts';
import { forbiddenModes, secureFolder } from '../platform/database/data-folder.ts';
import { openDatabase, type Database } from '../platform/database/database.ts';
import { silentLog, type Log } from '../platform/log/log.ts';

/**
 * Opens the database of the service for a command.
 * @throws Error for the operator, also if a running service is using the embedded database.
 */
export async function openStorage(
  storage: StorageConfiguration,
  { appliesMigrations = false, log = silentLog }: { appliesMigrations?: boolean; log?: Log } = {},
): Promise<Database> {
  // Changes of large tables can take longer than the limit for requests.
  const options = {
    log,
    appliesMigrations,
    statementTimeoutMs: oneHourMs,
    idleTransactionTimeoutMs: oneHourMs,
  };
  const location = locationOf(storage);
  if (storage.databaseUrl !== null) return await openDatabase(location, { ...options, maxConnections: 2 });
  const { dataDir, dataDirAccess } = storage;
  process.umask(forbiddenModes[dataDirAccess]);
  if (appliesMigrations) await secureFolder(dataDir, dataDirAccess, log);
  // The first statement waits until the database is open, which takes several seconds on a busy machine.
  return await openDatabase(location, { ...options, acquireTimeoutMs: oneMinuteMs });
}

const oneMinuteMs = 60_000;
const oneHourMs = 3_600_000;
