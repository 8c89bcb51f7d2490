import { kinds } from '@connector-auth/connectors';
import { startSandbox } from '@connector-auth/sandbox';
import { Client } from 'pg';
import { atEnd, checkouts, createDatabase, options, query, rounded, startService } from '../harness.ts';
import { startLoad } from '../load.ts';

const requestConnections = 64;
const minRecords = 1_000;

/** Syncs accounts of all built-in kinds and serves requests on them, and measures what the process and its database need. */
export async function measureRequirements(): Promise<void> {
  const sandbox = await startSandbox();
  atEnd(() => sandbox.close());
  const location = await createDatabase('postgres');
  const { folder } = checkouts[0] ?? {};
  if (folder === undefined || !('databaseUrl' in location)) throw new Error('The benchmark needs PostgreSQL');
  const { databaseUrl } = location;
  const environment = { SANDBOX_URL: sandbox.url, VENDOR_RATE_LIMITS: 'off' };
  const service = await startService(location, { folder, environment });
  const idleMb = await service.memoryMb();
  const emptyBytes = await sizeOf(databaseUrl);

  const connectorsPath = '/api/v1/integrations/connectors';
  const connect = async (kind: string, credentials: object): Promise<string> => {
    const body = { customer_name: 'acme', connector_type: kind, name: kind, credentials };
    return (await service.post(connectorsPath, service.token, body))['id'] ?? '';
  };
  const notes = await connect('granola', { api_key: 'grn_sandbox_large' });
  for (const { key } of kinds) {
    const vendor = sandbox.control.vendors().find(one => one.key === key);
    await connect(key, vendor?.credentials.find(({ works }) => works)?.values ?? {});
  }
  const beforeSync = await service.cpuSeconds();
  // Counts the connections of the service, without this one.
  const monitor = new Client({ connectionString: databaseUrl });
  await monitor.connect();
  atEnd(() => monitor.end());
  const read = async (text: string) => (await monitor.query<{ value: number }>(text)).rows[0]?.value ?? NaN;
  let connections = 0;
  const countConnections = async (): Promise<void> => {
    const open = await read(`select count(*)::int - 1 as value from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'`);
    connections = Math.max(connections, open);
  };
  while (
    (await read('select count(*)::int as value from synced_entities where last_synced_at is null')) > 0
  ) {
    await new Promise(resolve => setTimeout(resolve, 500));
  }
  const records = await read('select sum(records)::int as value from synced_entities');
  const afterSync = await service.cpuSeconds();

  const send = startLoad();
  const load = async (action: string, params: object): Promise<number> => {
    const before = await service.cpuSeconds();
    const sampling = setInterval(() => void countConnections(), 200);
    const { times } = await send({
      url: `${service.url}${connectorsPath}/${notes}/execute`,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${service.token}` },
      body: JSON.stringify({ entity: 'notes', action, params }),
      connections: requestConnections,
      seconds: options.quick ? 3 : 15,
    });
    clearInterval(sampling);
    return (1000 * ((await service.cpuSeconds()) - before)) / times.length;
  };
  const executeMs = await load('list', { page_size: 10 });
  const searchMs = await load('search', { query: { filter: { keyword: { title: 'weekly' } } }, limit: 10 });
  console.table({
    'a process': {
      'memory when it has started, MB': idleMb,
      'memory after the load, MB': await service.memoryMb(),
      'connections to the database, at most': connections,
      'CPU ms per execute': rounded(executeMs),
      'CPU ms per search': rounded(searchMs),
      'CPU s per 1,000 synced records': rounded((1000 * (afterSync - beforeSync)) / records, 3),
    },
  });
  await query(databaseUrl, 'vacuum analyze');
  const names = await query(
    databaseUrl,
    `select relname as name, relnatts as columns from pg_class where relkind = 'r' and relname like 'records\\_%'`,
  );
  const tables = [];
  for (const { name, columns } of names) {
    const count = await read(`select count(*)::int as value from ${String(name)}`);
    const bytes = await read(`select pg_total_relation_size('${String(name)}')::float8 as value`);
    if (count >= minRecords) {
      tables.push({
        table: name,
        columns,
        records: count,
        'GB per million records': rounded(bytes / count / 1000),
      });
    }
  }
  console.log(`Disk of the types of data with at least ${minRecords} records, with indexes`);
  console.table(tables);
  console.log(
    `A database without records: ${rounded(emptyBytes / 1e6, 0)} MB; with ${records}: ${rounded((await sizeOf(databaseUrl)) / 1e6, 0)} MB`,
  );
}

async function sizeOf(databaseUrl: string): Promise<number> {
  const [row] = await query(databaseUrl, 'select pg_database_size(current_database())::float8 as bytes');
  return Number(row?.['bytes']);
}
