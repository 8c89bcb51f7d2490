import { searchableEntities } from '../../src/shared/definitions/searchable-entities.ts';
import { ensureRecordTables } from '../../src/shared/records/ensure.ts';
import { RecordTables } from '../../src/shared/records/record-table.ts';
import { upsertRecords } from '../../src/shared/records/store.ts';
import { goodKey } from '../../test/example-requests.ts';
import { addConnector } from '../../test/record-fixtures.ts';
import { checkouts, options, reportGoal, rounded, startService, timeOf } from '../harness.ts';
import { openNew, printStatements, resetStatements, sealGrants } from './installation.ts';
import { slowKind } from './slow-kind.ts';

const pages = options.quick ? 20 : 200;
const recordsPerPage = 1_000;
const readers = 4;

/** Measures how many changes of narrow records one process delivers, to one reader and to several. */
export async function measureChanges(): Promise<void> {
  const { folder } = checkouts[0] ?? {};
  const tables = new RecordTables([slowKind]);
  const table = tables.find(slowKind.key, 'things');
  if (folder === undefined || table === null) throw new Error('The benchmark needs a kind');
  const { location, database } = await openNew();
  const db = database.kysely;
  await ensureRecordTables(db, tables);
  const connector = await addConnector(db, slowKind.key);
  await sealGrants(db, slowKind, goodKey);
  // Nothing is synced while the changes are read.
  await db
    .insertInto('synced_entities')
    .values(
      searchableEntities(slowKind).map(entity => ({
        organization_id: connector.organizationId,
        connector_id: connector.id,
        entity,
        due_at: new Date('2100-01-01'),
        records: pages * recordsPerPage,
      })),
    )
    .execute();
  const service = await startService(location, {
    folder,
    environment: { BOOTSTRAP_ORGANIZATION: connector.organizationId },
    entry: 'service/bench/scale/process.ts',
  });
  const readPage = async (cursor: string): Promise<Page> => {
    const response = await fetch(`${service.url}/api/v1/integrations/changes?cursor=${cursor}`, {
      headers: { authorization: `Bearer ${service.token}` },
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Page;
  };
  const { cursor: start } = await readPage('now');
  for (let page = 0; page < pages; page += 1) {
    const records = Array.from({ length: recordsPerPage }, (_, index) => {
      const id = page * recordsPerPage + index;
      return { id, name: `name ${id}` };
    });
    await upsertRecords(db, table, { connector, seenRun: null }, records);
  }
  const readAll = async (): Promise<number> => {
    let count = 0;
    for (let page: Page = { changes: [], cursor: start, has_more: true }; page.has_more;) {
      page = await readPage(page.cursor);
      count += page.changes.length;
    }
    return count;
  };
  await readAll();
  await resetStatements(location.databaseUrl);
  const perSecond: Record<string, number> = {};
  for (const count of [1, readers]) {
    let delivered = 0;
    const cpuBefore = await service.cpuSeconds();
    const ms = await timeOf(async () => {
      const counts = await Promise.all(Array.from({ length: count }, readAll));
      delivered = counts.reduce((sum, one) => sum + one, 0);
    });
    if (delivered !== count * pages * recordsPerPage) throw new Error(`${delivered} changes were delivered`);
    const cpu = (await service.cpuSeconds()) - cpuBefore;
    perSecond[count === 1 ? 'one reader' : `${count} readers`] = Math.round((delivered * 1000) / ms);
    console.log(`${rounded((cpu * 1e6) / delivered)} µs of processor time per change, readers: ${count}`);
  }
  console.table({ 'changes per second': perSecond });
  await printStatements(location.databaseUrl, 'of reading changes');
  const best = Math.max(...Object.values(perSecond));
  reportGoal('changes that a process delivers per second', '≥ 20,000', String(best), best >= 20_000);
}

interface Page {
  readonly changes: readonly unknown[];
  readonly cursor: string;
  readonly has_more: boolean;
}
