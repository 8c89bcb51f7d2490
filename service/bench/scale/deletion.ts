import { setTimeout as delay } from 'node:timers/promises';
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
  options,
  quantile,
  repeat,
  reportGoal,
  rounded,
  startService,
} from '../harness.ts';
import { addNotes, fill, openNew, printStatements, resetStatements, sealGrants } from './installation.ts';

const rounds = Number(options.rounds ?? (options.quick ? 1 : 3));
const counts = { organizations: rounds + 1, customers: 20, connectors: 5 };
const recordsPerConnector = options.quick ? 200 : 10_000;
const undisturbedMs = options.quick ? 2_000 : 20_000;

/** Deletes organizations one after the other, each with a million records, while another one continues. */
export async function measureDeletion(): Promise<void> {
  const sandbox = await startSandbox();
  atEnd(() => sandbox.close());
  const kind = kinds.find(({ key }) => key === 'granola');
  const tables = new RecordTables(kinds);
  const table = tables.find('granola', 'notes');
  const { folder } = checkouts[0] ?? {};
  if (kind === undefined || table === null || folder === undefined)
    throw new Error('The benchmark needs Granola');
  const { location, database } = await openNew();
  const db = database.kysely;
  const neighbour = `Organization ${counts.organizations}`;
  const environment = { SANDBOX_URL: sandbox.url, VENDOR_RATE_LIMITS: 'off', ADMIN_TOKEN: adminToken };
  await ensureRecordTables(db, tables);
  await fill(db, ['granola'], searchableEntities(kind), counts);
  await sealGrants(db, kind, goodKey);
  const deleted = Array.from({ length: rounds }, (_, index) => `Organization ${index + 1}`);
  await addNotes(db, table, recordsPerConnector, deleted);
  await addNotes(db, table, 340, [neighbour]);
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);
  const service = await startService(location, {
    folder,
    environment: { ...environment, BOOTSTRAP_ORGANIZATION: neighbour },
  });
  const { rows } = await sql<{ id: string }>`
    select id_of('o' || ${counts.organizations}::text || 'c1n1')::text as id`.execute(db);
  const ask = async (action: string, params: object): Promise<void> => {
    await service.post(`/api/v1/integrations/connectors/${rows[0]?.id}/execute`, service.token, {
      entity: 'notes',
      action,
      params,
    });
  };
  let turn = 0;
  const request = () =>
    (turn += 1) % 2 === 0
      ? ask('list', { page_size: 10 })
      : ask('search', { query: { filter: { keyword: { title: 'weekly' } } }, limit: 10 });
  const measure = (signal: AbortSignal) => repeat(request, signal);
  await measure(AbortSignal.timeout(options.quick ? 1_000 : 5_000));
  await resetStatements(location.databaseUrl);
  const undisturbed: number[] = [];
  const during: number[] = [];
  let failures = 0;
  const figures: Record<string, object> = {};
  for (let round = 1; round <= rounds; round++) {
    const before = await measure(AbortSignal.timeout(undisturbedMs));
    const over = new AbortController();
    const startedAt = performance.now();
    const requests = measure(over.signal);
    const { rows: organizations } = await sql<{ id: string }>`
      select id from organizations where name = ${`Organization ${round}`}`.execute(db);
    const { id = '' } = organizations[0] ?? {};
    const response = await fetch(`${service.url}/api/v1/admin/organizations/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${adminToken}` },
    });
    if (!response.ok) throw new Error(`The deletion returned ${response.status}`);
    const isLeft = async (): Promise<boolean> => {
      const { rows: left } = await sql`
        select from customers where organization_id = ${id}
        union all select from deleted_connectors where organization_id = ${id} limit 1`.execute(db);
      return left.length > 0;
    };
    while (await isLeft()) await delay(200);
    over.abort();
    const disturbed = await requests;
    const deletedMs = performance.now() - startedAt;
    const after = await measure(AbortSignal.timeout(undisturbedMs));
    undisturbed.push(...before.times, ...after.times);
    during.push(...disturbed.times);
    failures += before.failures + disturbed.failures + after.failures;
    figures[`round ${round}, before`] = before.figures();
    figures[`round ${round}, during ${rounded(deletedMs / 1000, 1)} s`] = disturbed.figures();
    figures[`round ${round}, after`] = after.figures();
  }
  console.log(
    `Requests of another organization while one with ${recordsPerConnector * 100} records is deleted`,
  );
  console.table(figures);
  await printStatements(location.databaseUrl, 'of the deletions');
  const [quiet, busy] = [quantile(undisturbed, 0.99), quantile(during, 0.99)];
  reportGoal("neighbours' failed requests during a deletion", '0', String(failures), failures === 0);
  reportGoal(
    "neighbours' p99 during a deletion",
    `≤ 2 × ${rounded(quiet)} ms`,
    `${rounded(busy)} ms (${rounded(busy / quiet)} ×)`,
    busy <= 2 * quiet,
  );
}
