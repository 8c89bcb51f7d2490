import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kind } from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { StorageConfiguration } from '../../platform/config/configuration.ts';
import { maxClockDifferenceMs, readClock } from '../../platform/database/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { FolderInUseError } from '../../platform/database/folder-lock.ts';
import { explainOldServer } from '../../platform/database/migrate.ts';
import { readRecordTables } from '../../shared/records/changed-types.ts';
import { pendingRecordChanges } from '../../shared/records/ensure.ts';
import { count } from '../count.ts';
import { planOf } from '../migrate.ts';
import { openStorage } from '../open-storage.ts';
import { findingsOf, reasonOf, type Finding } from './finding.ts';

const timeoutMs = 5_000;

/** The findings about the database, and the database itself if its tables can be read. */
export interface DatabaseCheck {
  readonly findings: readonly Finding[];
  /** Open, and without pending migrations. Null if the checks that need it must be skipped. */
  readonly database: Database | null;
}

/** Checks the database without changing it. The caller closes the returned database. */
export async function checkDatabase(
  storage: StorageConfiguration,
  kinds: readonly Kind[],
): Promise<DatabaseCheck> {
  return storage.databaseUrl === null
    ? await checkEmbedded(storage, kinds)
    : await checkServer(storage, storage.databaseUrl.reveal(), kinds);
}

const { ok, warning, problem, skipped } = findingsOf('database');
const schema = findingsOf('schema');

async function checkEmbedded(storage: StorageConfiguration, kinds: readonly Kind[]): Promise<DatabaseCheck> {
  if (!(await isPresent(join(storage.dataDir, 'pglite')))) {
    const message = `DATA_DIR (${storage.dataDir}) has no database yet. The service creates it when it starts.`;
    return { findings: [ok(message)], database: null };
  }
  try {
    const database = await openStorage(storage);
    const { findings, isReadable } = await checkSchema(database, kinds, true);
    if (!isReadable) await database.close();
    return {
      findings: [ok('The embedded database (PGlite) can be opened.'), ...findings],
      database: isReadable ? database : null,
    };
  } catch (error) {
    if (!(error instanceof FolderInUseError)) {
      return { findings: [problem(reasonOf(error), adviceForFolder)], database: null };
    }
    const message =
      'The service is running and PGlite allows one process, so schema, keys and stored values are not checked.';
    return {
      findings: [skipped(message, 'Stop the service and run doctor again to check them.')],
      database: null,
    };
  }
}

const adviceForFolder =
  'Run doctor as the user of the service, and restore DATA_DIR from a backup if it is damaged.';

async function checkServer(
  storage: StorageConfiguration,
  databaseUrl: string,
  kinds: readonly Kind[],
): Promise<DatabaseCheck> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: 4 * timeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const message = `The server cannot be reached: ${reasonOf(error)}.`;
    const advice =
      'Check DATABASE_URL: host, port, user, password, database, and sslmode. Check the network.';
    return { findings: [problem(message, advice)], database: null };
  }
  try {
    const old = await explainOldServer(client);
    if (old !== null) return { findings: [problem(old.message, old.advice)], database: null };
    const { findings, canChangeSchema } = await inspectServer(client, storage);
    if (findings.some(({ state }) => state === 'problem')) return { findings, database: null };
    const database = await openStorage(storage);
    const checked = await checkSchema(database, kinds, canChangeSchema);
    if (!checked.isReadable) await database.close();
    return {
      findings: [...findings, ...checked.findings],
      database: checked.isReadable ? database : null,
    };
  } catch (error) {
    return { findings: [problem(`The server cannot be inspected: ${reasonOf(error)}.`)], database: null };
  } finally {
    await client.end();
  }
}

interface ServerState {
  readonly version: number;
  readonly encoding: string;
  readonly is_standby: boolean;
  readonly free_connections: number;
  readonly can_use: boolean;
  readonly can_create: boolean;
  readonly role: string;
}

async function inspectServer(
  client: Client,
  { databaseConnections, directDatabaseUrl }: StorageConfiguration,
): Promise<{ findings: readonly Finding[]; canChangeSchema: boolean }> {
  const { rows } = await client.query<ServerState>(`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() as is_standby,
      current_setting('max_connections')::int
        - (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as free_connections,
      current_schema() is not null as can_use,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as can_create,
      current_user::text as role`);
  const [state] = rows;
  if (state === undefined) throw new Error('The server returned no row');
  const findings = [
    ok(`PostgreSQL ${state.version} is reachable as the role ${state.role}.`),
    ...(state.encoding === 'UTF8'
      ? []
      : [problem(`The database has the encoding ${state.encoding}.`, 'Create it with encoding UTF8.')]),
    ...(state.is_standby
      ? [problem('The server is a read-only standby.', 'Set DATABASE_URL to the primary server.')]
      : []),
    ...(state.can_use
      ? []
      : [
          problem(
            'The role must not use the schema.',
            'Run the GRANT statements in docs/operating/database-roles.md.',
          ),
        ]),
    ...(state.free_connections >= databaseConnections
      ? []
      : [
          warning(
            `The server has ${state.free_connections} free connections, and the service opens up to ${databaseConnections}.`,
            'Raise max_connections of the server, or lower DATABASE_CONNECTIONS.',
          ),
        ]),
    clockFinding(await readClock(client, Date.now)),
    ...(await checkRights(client)),
    await checkNotifications(client, directDatabaseUrl?.reveal()),
  ];
  return { findings, canChangeSchema: state.can_create };
}

/** Judges the difference between the clocks of the database and of this machine. */
export function clockFinding({ ms, at, errorMs }: Awaited<ReturnType<typeof readClock>>): Finding {
  const clock = findingsOf('clock');
  const differenceMs = Math.max(0, Math.abs(ms - at) - errorMs);
  const seconds = (Math.abs(ms - at) / 1000).toFixed(1);
  const message = `The clocks of this machine and of the database differ by ${seconds} s.`;
  const advice = 'Synchronize both with NTP. The service is not ready if they differ by more than 30 s.';
  if (differenceMs > maxClockDifferenceMs) return clock.problem(message, advice);
  return differenceMs > 2_000 ? clock.warning(message, advice) : clock.ok(message);
}

/** Checks that the role can read and write every table, and that it can refresh their statistics. */
async function checkRights(client: Client): Promise<Finding[]> {
  const rights = findingsOf('rights');
  const { rows } = await client.query<{ name: string; missing: string[] }>(`
    select c.oid::regclass::text as name,
      array(
        select right_name from unnest(array['select', 'insert', 'update', 'delete', 'maintain']) as right_name
        where not has_table_privilege(c.oid, right_name)
      ) as missing
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname = current_schema()
      and has_schema_privilege(n.oid, 'usage')`);
  const denied = rows.filter(({ missing }) => missing.some(right => right !== 'maintain'));
  const unmaintained = rows.filter(
    ({ name, missing }) => name.includes('records_') && missing.includes('maintain'),
  );
  const advice = 'Run the GRANT statements in docs/operating/database-roles.md as the owner of the tables.';
  if (denied.length > 0) {
    const listed = denied
      .slice(0, 3)
      .map(({ name, missing }) => `${missing.filter(right => right !== 'maintain').join(', ')} on ${name}`);
    return [
      rights.problem(
        `The role lacks rights on ${count(denied.length, 'table')}: ${listed.join('; ')}${denied.length > 3 ? '; …' : ''}.`,
        advice,
      ),
    ];
  }
  if (unmaintained.length > 0) {
    const message = `The role must not analyze ${count(unmaintained.length, 'record table')}, so new searches are slow until autovacuum does.`;
    return [rights.warning(message, advice)];
  }
  return [rights.ok(`The role can read and write all ${count(rows.length, 'table')}.`)];
}

/** Checks that notifications arrive, which a pooler in transaction mode prevents. */
async function checkNotifications(sender: Client, directUrl: string | undefined): Promise<Finding> {
  const notifications = findingsOf('notifications');
  const listener = new Client({ connectionString: directUrl, connectionTimeoutMillis: timeoutMs });
  listener.on('error', () => {});
  const channel = 'connector_auth_doctor';
  const stop = new AbortController();
  try {
    await listener.connect();
    const arrived = new Promise<boolean>(resolve => listener.once('notification', () => resolve(true)));
    await listener.query(`listen ${channel}`);
    await sender.query('select pg_notify($1, $2)', [channel, '']);
    const late = delay(timeoutMs, false, { signal: stop.signal }).catch(() => false);
    if (await Promise.race([arrived, late])) return notifications.ok('Processes can notify each other.');
    return notifications.problem(
      'A notification did not arrive, so processes would not learn about revoked tokens at once.',
      'Set DIRECT_DATABASE_URL to the URL of the same database without the pooler.',
    );
  } catch (error) {
    return notifications.problem(`Notifications cannot be checked: ${reasonOf(error)}.`);
  } finally {
    stop.abort();
    await listener.end();
  }
}

/** Checks that no change of the schema is pending, and whether the next start could apply it. */
async function checkSchema(
  database: Database,
  kinds: readonly Kind[],
  canChangeSchema: boolean,
): Promise<{ findings: readonly Finding[]; isReadable: boolean }> {
  try {
    const { migrations, records } = await planOf(database, kinds);
    const tables = await readRecordTables(database.kysely, kinds);
    const indexes = (await pendingRecordChanges(database.kysely, tables)).filter(
      ({ index }) => index !== null,
    );
    const changes = migrations.length + records.length - indexes.length;
    const isReadable = migrations.length === 0;
    const aboutIndexes =
      indexes.length === 0 ? [] : [await explainIndexes(database, indexes.length, canChangeSchema)];
    const right = canChangeSchema
      ? ''
      : ' The role must not change the schema, which is right after "migrate".';
    if (changes === 0) {
      const findings = indexes.length === 0 ? [schema.ok(`The schema is up to date.${right}`)] : aboutIndexes;
      return { findings, isReadable };
    }
    const pending = `The schema lacks ${count(changes, 'change')} (${count(migrations.length, 'migration')}).`;
    const finding = canChangeSchema
      ? schema.warning(
          pending,
          'The next start applies them. To see them: connector-auth-service migrate --plan.',
        )
      : schema.problem(
          `${pending} The role must not apply them, so the service does not start.`,
          'Run "connector-auth-service migrate" with the DATABASE_URL of the role that owns the tables.',
        );
    return { findings: [finding, ...aboutIndexes], isReadable };
  } catch (error) {
    return { findings: [schema.problem(reasonOf(error))], isReadable: false };
  }
}

async function explainIndexes(
  { kysely }: Database,
  missing: number,
  canChangeSchema: boolean,
): Promise<Finding> {
  const { rows } = await sql<{ table: string; phase: string | null; percent: number | null }>`
    select relname as table, phase, (100 * blocks_done / nullif(blocks_total, 0))::int as percent
    from pg_stat_progress_create_index join pg_class on pg_class.oid = relid
    where datname = current_database() and relname like 'records\_%'`.execute(kysely);
  const [built] = rows;
  const indexes = missing === 1 ? 'an index' : `${missing} indexes`;
  const message = `The record tables lack ${indexes}, so some searches are slow.`;
  if (built !== undefined) {
    const progress = built.percent === null ? '' : `, ${built.percent} %`;
    const phase = built.phase === null ? '' : ` (${built.phase}${progress})`;
    const advice = built.phase?.startsWith('waiting')
      ? 'It waits until all older transactions have ended. To see them: select * from pg_stat_activity order by xact_start.'
      : 'Wait until it is complete.';
    return schema.warning(`${message} One is being built on ${built.table}${phase}.`, advice);
  }
  return schema.warning(
    message,
    canChangeSchema
      ? 'A running service builds them in the background, and logs record_indexes_missing if it cannot.'
      : 'Run "connector-auth-service migrate" with the DATABASE_URL of the role that owns the tables. The service can keep running.',
  );
}

export async function isPresent(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
