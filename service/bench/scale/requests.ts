import { kinds } from '@connector-auth/connectors';
import { startSandbox } from '@connector-auth/sandbox';
import { sql } from 'kysely';
import { searchableEntities } from '../../src/shared/definitions/searchable-entities.ts';
import { ensureRecordTables } from '../../src/shared/records/ensure.ts';
import { RecordTables } from '../../src/shared/records/record-table.ts';
import { goodKey } from '../../test/example-requests.ts';
import { adminToken } from '../../test/test-service.ts';
import {
  atEnd,
  checkouts,
  inTurns,
  median,
  options,
  quantile,
  reportGoal,
  rounded,
  startService,
} from '../harness.ts';
import { startLoad, type Load } from '../load.ts';
import {
  addNotes,
  fill,
  openNew,
  printStatements,
  resetStatements,
  sealGrants,
  type Counts,
} from './installation.ts';

const recordsPerConnector = 340;
const maxRatio = 1.2;
const rounds = Number(options.rounds ?? (options.quick ? 1 : 6));
const seconds = options.quick ? 1 : 5;

/** Sends the same requests to an installation with all connectors and to one with twelve, in turns. */
export async function measureRequests(counts: Counts): Promise<void> {
  const sandbox = await startSandbox();
  atEnd(() => sandbox.close());
  const large = await install(counts, sandbox.url);
  const small = await install({ organizations: 1, customers: 1, connectors: 12 }, sandbox.url);
  const send = startLoad();
  const [requests] = [Object.keys(large.requests)];
  const ratios: Record<string, object> = {};
  for (const name of requests) {
    // The first requests fill caches and compile code.
    for (const subject of [large, small]) await send({ ...subject.load(name), seconds: 1 });
    await resetStatements(large.databaseUrl);
    const turns = await inTurns([large, small], rounds, subject => send(subject.load(name)));
    const p95 = (subject: Installation, share = 0.95) =>
      median((turns.get(subject) ?? []).map(({ times }) => quantile(times, share)));
    const failed = [...turns.values()]
      .flat()
      .flatMap(({ statuses }) => Object.keys(statuses))
      .filter(status => status !== '200');
    if (failed.length > 0) throw new Error(`${name} returned ${failed.join(', ')}`);
    const ratio = p95(large) / p95(small);
    ratios[name] = {
      'p50, ms': `${rounded(p95(large, 0.5))} (${rounded(p95(small, 0.5))})`,
      'p95, ms': `${rounded(p95(large))} (${rounded(p95(small))})`,
      ratio: rounded(ratio),
    };
    reportGoal(
      `p95 of ${name}`,
      `≤ ${maxRatio} × of twelve connectors`,
      `${rounded(ratio)} ×`,
      ratio <= maxRatio,
    );
  }
  console.log('Requests, in parentheses with twelve connectors');
  console.table(ratios);
  console.table({
    'all connectors': { ...large.size, 'memory, MB': await large.memoryMb() },
    'twelve connectors': { ...small.size, 'memory, MB': await small.memoryMb() },
  });
  await printStatements(large.databaseUrl, 'of the last list');
}

type Installation = Awaited<ReturnType<typeof install>>;

async function install(counts: Counts, sandboxUrl: string) {
  const kind = kinds.find(({ key }) => key === 'granola');
  const { location, database } = await openNew();
  const { databaseUrl } = location;
  const { folder } = checkouts[0] ?? {};
  if (kind === undefined || folder === undefined) throw new Error('The benchmark needs Granola');
  const environment = {
    SANDBOX_URL: sandboxUrl,
    VENDOR_RATE_LIMITS: 'off',
    ADMIN_TOKEN: adminToken,
    BOOTSTRAP_ORGANIZATION: 'Organization 1',
  };
  const db = database.kysely;
  const tables = new RecordTables(kinds);
  await ensureRecordTables(db, tables);
  const table = tables.find('granola', 'notes');
  if (table === null) throw new Error('The kind has no notes');
  await fill(db, ['granola'], searchableEntities(kind), counts);
  await sealGrants(db, kind, goodKey);
  await addNotes(db, table, recordsPerConnector);
  await sql`vacuum analyze`.execute(db);
  const { rows } = await sql<{ records: number; bytes: number }>`
    select count(*)::int as records, pg_total_relation_size(${table.name}::regclass)::float8 as bytes
    from ${sql.id(table.name)}`.execute(db);
  const { records = NaN, bytes = NaN } = rows[0] ?? {};
  const service = await startService(location, { folder, environment });
  const { rows: connectors } = await sql<{ id: string }>`
    select id_of('o1c1n1')::text as id`.execute(db);
  const path = `/api/v1/integrations/connectors/${connectors[0]?.id}`;
  const execute = (action: string, params: object) =>
    ({
      method: 'POST',
      path: `${path}/execute`,
      token: service.token,
      body: JSON.stringify({ entity: 'notes', action, params }),
    }) as const;
  const get = (address: string, token = service.token) =>
    ({ method: 'GET', path: `/api/v1/${address}`, token, body: null }) as const;
  const requests = {
    execute: execute('list', { page_size: 10 }),
    search: execute('search', { query: { filter: { keyword: { title: 'weekly' } } }, limit: 10 }),
    "a customer's connectors": get('integrations/connectors?customer_name=Customer%201&limit=10'),
    customers: get('customers?limit=1'),
    "operators' connectors": get('admin/connectors?limit=10', adminToken),
    "operators' sync jobs": get('admin/sync-jobs?limit=10', adminToken),
  };
  return {
    databaseUrl,
    requests,
    size: { records, 'bytes per record, with indexes': Math.round(bytes / records) },
    memoryMb: service.memoryMb,
    load: (name: string): Load => {
      // The name is a key of the requests.
      const request = requests[name as keyof typeof requests];
      return {
        url: service.url + request.path,
        method: request.method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${request.token}` },
        body: request.body,
        connections: 2,
        seconds,
      };
    },
  };
}
