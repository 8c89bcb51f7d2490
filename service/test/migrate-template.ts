import { openDatabase, type DatabaseLocation } from '../src/platform/database/database.ts';
import { silentLog } from '../src/platform/log/log.ts';

// Started by `postgres.ts`.
const location = JSON.parse(process.argv[2] ?? '') as DatabaseLocation;
const database = await openDatabase(location, { log: silentLog });
await database.close();
