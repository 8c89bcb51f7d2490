/**
 * Measures the start of a version that declares new indexes of a large record table: when the service is ready, and how
 * long requests and the writes of other processes wait meanwhile.
 *
 * Usage: npx -y pnpm@12 bench new-index [--quick] [--sizes=10000000] [--before=FOLDER]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { kinds } from '@connector-auth/connectors';
import { startSandbox } from '@connector-auth/sandbox';
import { openDatabase } from '../src/platform/database/database.ts';
import { silentLog } from '../src/platform/log/log.ts';
import { pendingRecordChanges } from '../src/shared/records/ensure.ts';
import { RecordTables } from '../src/shared/records/record-table.ts';
import { upsertRecords } from '../src/shared/records/store.ts';
import { goodKey } from '../test/example-requests.ts';
import {
  atEnd,
  checkouts,
  createDatabase,
  options,
  query,
  repeat,
  reportGoal,
  run,
  startService,
} from './harness.ts';

const rows = Number(options.sizes ?? (options.quick ? 200_000 : 10_000_000));
const maxWriteMs = 1_000;

await run(async () => {
  const sandbox = await startSandbox();
  atEnd(() => sandbox.close());
  for (const { suffix, folder } of checkouts) await measure(suffix, folder, sandbox.url);
});

async function measure(suffix: string, folder: string, sandboxUrl: string): Promise<void> {
  const location = await createDatabase('postgres');
  if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL');
  const { databaseUrl } = location;
  const environment = { SANDBOX_URL: sandboxUrl, VENDOR_RATE_LIMITS: 'off' };
  const first = await startService(location, { folder, environment });
  const customer = await first.scopedTokenOf('acme');
  const { id = '' } = await first.post('/api/v1/integrations/connectors', customer, {
    customer_name: 'acme',
    connector_type: 'granola',
    name: 'Notes',
    credentials: { api_key: goodKey },
  });
  await first.stop();

  const tables = new RecordTables(kinds);
  const table = tables.find('granola', 'notes');
  if (table === null) throw new Error('The kind has no notes');
  for (const { name } of table.indexes.slice(1)) await query(databaseUrl, `drop index ${name}`);
  // A full sync deletes records of earlier generations.
  await query(
    databaseUrl,
    `insert into ${table.name} ("$organization", "$connector", "$generation", id, created_at)
     select organization_id, connectors.id, 1000, 'note-' || n, '2026-01-01T00:00:' || n
     from connectors, generate_series(1, ${rows}) as n where connectors.id = '${id}'`,
  );
  await query(databaseUrl, `vacuum analyze ${table.name}`);

  const database = await openDatabase(location, { log: silentLog, appliesMigrations: false });
  atEnd(() => database.close());
  const db = database.kysely;
  const { organization_id: organizationId } = await db
    .selectFrom('connectors')
    .select('organization_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const target = { connector: { organizationId, id }, seenRun: null };
  const over = new AbortController();
  const write = async (): Promise<void> => {
    const page = Array.from({ length: 100 }, (_, index) => ({ id: `written-${index}`, created_at: 'now' }));
    await upsertRecords(db, table, target, page);
  };
  const writes = repeat(write, over.signal);

  const startedAt = performance.now();
  const service = await startService(location, { folder, environment });
  const readyMs = performance.now() - startedAt;
  const token = await service.scopedTokenOf('acme');
  const request = async (): Promise<void> => {
    await service.post(`/api/v1/integrations/connectors/${id}/execute`, token, {
      entity: 'notes',
      action: 'search',
      params: { query: {}, limit: 10 },
    });
    const response = await fetch(`${service.url}/healthz`);
    if (!response.ok) throw new Error(`/healthz returned ${response.status}`);
  };
  const requests = repeat(request, over.signal);
  const isComplete = async () =>
    (await pendingRecordChanges(db, tables)).every(({ name }) => !name.includes(table.name));
  while (!(await isComplete())) await delay(100);
  const builtMs = performance.now() - startedAt;
  over.abort();
  const [written, asked] = await Promise.all([writes, requests]);
  // What the same writes and requests take when nothing is built.
  const later = AbortSignal.timeout(Math.ceil(Math.min(builtMs, 60_000)));
  const [writtenLater, askedLater] = await Promise.all([repeat(write, later), repeat(request, later)]);
  await service.stop();
  const againAt = performance.now();
  const again = await startService(location, { folder, environment });
  const readyAgainMs = performance.now() - againAt;
  await again.stop();

  console.table({
    [`${rows} records${suffix}`]: {
      'ready, ms': Math.round(readyMs),
      'ready without new indexes, ms': Math.round(readyAgainMs),
      'indexes built after, ms': Math.round(builtMs),
    },
  });
  console.table({
    'writes while building': written.figures(),
    'writes later': writtenLater.figures(),
    'requests while building': asked.figures(),
    'requests later': askedLater.figures(),
  });
  if (suffix !== '') return;
  const failures = asked.failures + written.failures;
  reportGoal('failed requests and writes', '0', String(failures), failures === 0);
  reportGoal('longest write', `${maxWriteMs} ms`, `${written.longestMs} ms`, written.longestMs <= maxWriteMs);
  reportGoal(
    'ready',
    `1.2 × ${Math.round(readyAgainMs)} ms`,
    `${Math.round(readyMs)} ms`,
    readyMs <= 1.2 * readyAgainMs,
  );
}
