import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { systemClock, type Endpoint } from '@connector-auth/api';
import { adminEndpoints } from '@connector-auth/api/admin';
import type { Kind } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import { readStorageConfiguration } from '../../platform/config/configuration.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { findAnyCustomer } from '../../shared/repositories/customers.ts';
import { endEpoch } from '../../shared/repositories/record-changes.ts';
import { optionOf } from '../admin.ts';
import { programName, type Syntax } from '../arguments.ts';
import { CommandError, type CommandContext } from '../command.ts';
import { count } from '../count.ts';
import { checkDatabase } from './check-database.ts';
import { checkKeys, readConfiguredRings } from './check-keys.ts';
import { findingsOf, reasonOf, type Finding } from './finding.ts';

export const afterRestoreSyntax: Syntax = {
  command: 'doctor after-restore',
  summary:
    'After a restore, list the changes that the restored database lacks, including what was ended and is valid again',
  rest: 'log file',
  options: { json: { value: null, description: 'Print JSON' } },
  notes: [
    'Run it on the restored database before the service starts. Give it the standard output of all processes of the\n' +
      'service since the backup, as JSON lines. It changes nothing, except that it invalidates the cursors of the\n' +
      'change feed, because they are from after the backup.',
  ],
};

/** A line of the log about a change, whose properties have the names of `AuditLog.recordChange`. */
const changeLine = z.object({
  time: z.iso.datetime(),
  request_id: z.string(),
  action: z.string(),
  actor_type: z.string(),
  actor_id: z.string().nullable(),
  organization_id: z.uuid().nullable(),
  customer_id: z.uuid().nullable(),
  connector_id: z.uuid().nullable(),
  kind: z
    .string()
    .regex(/^[\w-]+$/)
    .nullable(),
  application_id: z.uuid().nullable(),
  target_id: z
    .string()
    .regex(/^[\w-]+$/)
    .nullable(),
});
type Change = z.infer<typeof changeLine>;

const { ok, warning, skipped } = findingsOf('audit log');
const changeFeed = findingsOf('change feed');
const log = findingsOf('log');
const change = findingsOf('change');
const webhooks = findingsOf('webhooks');
const grants = findingsOf('grants');

/**
 * Compares the log of the service with a restored database.
 * @throws CommandError if a file cannot be read.
 */
export async function examineRestored(
  { environment, kinds }: CommandContext,
  files: readonly string[],
): Promise<Finding[]> {
  const { findings, database } = await checkDatabase(readStorageConfiguration(environment), kinds);
  if (database === null) {
    const message = 'The audit log cannot be read yet.';
    return [...findings, skipped(message, `Run "${programName} migrate", then this command again.`)];
  }
  try {
    const { kysely } = database;
    const rings = await readConfiguredRings(environment);
    const aboutKeys =
      'problem' in rings ? [rings.problem] : await checkKeys(rings, database, systemClock.now());
    // Keys of another installation: this may not be the database that the operator means.
    if (aboutKeys.some(({ state }) => state === 'problem')) return [...findings, ...aboutKeys];
    await endEpoch(kysely);
    const { first, last } = await findRange(kysely);
    const lastEntry =
      last === null
        ? warning('The audit log is empty.')
        : ok(
            `The last audit entry is from ${last.toISOString()}. What happened later is not in the database.`,
          );
    const about = [
      ...aboutKeys,
      lastEntry,
      changeFeed.ok('Readers get cursor_expired for their cursors, and read all records again.'),
      ...(await describeOutside(kysely, kinds)),
    ];
    if (files.length === 0) return [...about, log.skipped('No log file was given.', adviceWithoutLog(last))];
    const { changes, beginsAt } = await readLogs(files);
    const missing = await findMissing(
      kysely,
      changes.filter(({ time }) => first === null || new Date(time) >= first),
    );
    return [
      ...about,
      aboutLog(beginsAt, last, missing.length),
      ...(await Promise.all(missing.map(found => describe(kysely, found)))),
    ];
  } finally {
    await database.close();
  }
}

function adviceWithoutLog(last: Date | null): string {
  return (
    'Run the command again with the log of all processes: the JSON lines that your platform collects from their ' +
    `standard output (docker logs, the journal of systemd, kubectl logs), from ${last?.toISOString() ?? 'the backup'} on. ` +
    'If there is none, ask your operators and integrators what they deleted, disabled or replaced since then.'
  );
}

function aboutLog(beginsAt: string | null, last: Date | null, missing: number): Finding {
  if (beginsAt === null) {
    const advice =
      'Give the JSON lines that the service wrote to standard output, not as values of other JSON.';
    return log.problem('The files have no line of the log of the service.', advice);
  }
  const message = `The database lacks ${count(missing, 'change')} of the log, which begins at ${beginsAt}.`;
  return last !== null && new Date(beginsAt) > last
    ? log.warning(message, 'The log begins after the last audit entry: give the earlier files too.')
    : log.ok(message);
}

async function findRange(db: Kysely<Tables>): Promise<{ first: Date | null; last: Date | null }> {
  return db
    .selectFrom('audit_entries')
    .select([sql<Date | null>`min(at)`.as('first'), sql<Date | null>`max(at)`.as('last')])
    .executeTakeFirstOrThrow();
}

/** Reads the changes in logs, in the order of their times, and the time of the first line. */
async function readLogs(
  files: readonly string[],
): Promise<{ changes: readonly Change[]; beginsAt: string | null }> {
  const changes: Change[] = [];
  const begins: string[] = [];
  for (const file of files) {
    let isFirst = true;
    try {
      for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
        // Collectors put the time or the name of the process before each line.
        const text = line.slice(Math.max(0, line.indexOf('{"level"')));
        if (!isFirst && !text.includes('"change_recorded"')) continue;
        const value = parse(text);
        const time = z.object({ time: z.iso.datetime() }).safeParse(value);
        if (isFirst && time.success) begins.push(time.data.time);
        isFirst = isFirst && !time.success;
        const parsed = changeLine.extend({ event: z.literal('change_recorded') }).safeParse(value);
        if (parsed.success) changes.push(parsed.data);
      }
    } catch (error) {
      throw new CommandError(`${file} cannot be read: ${reasonOf(error)}`);
    }
  }
  changes.sort((one, other) => (one.time < other.time ? -1 : 1));
  return { changes, beginsAt: begins.toSorted()[0] ?? null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the changes without an audit entry. An entry is written after its change, so it never exists alone. */
async function findMissing(db: Kysely<Tables>, changes: readonly Change[]): Promise<readonly Change[]> {
  const ids = changes.map(({ request_id }) => request_id);
  const rows = await db
    .selectFrom('audit_entries')
    .select('request_id')
    .where(sql<boolean>`request_id = any(${ids}::text[])`)
    .execute();
  const present = new Set(rows.map(({ request_id }) => request_id));
  return changes.filter(({ request_id }) => !present.has(request_id));
}

/** Describes what happened at webhooks and vendors since the backup, which neither the database nor the log can repeat. */
async function describeOutside(db: Kysely<Tables>, kinds: readonly Kind[]): Promise<readonly Finding[]> {
  const refreshed = kinds.flatMap(({ key, authMethods }) =>
    authMethods.flatMap(({ id, type }) => (type === 'oauth' ? [`${key}/${id}`] : [])),
  );
  const { rows } = await sql<{ webhooks: number; pending: number; grants: number }>`
    select (select count(*) from webhooks where disabled_at is null) as webhooks,
      (select count(*) from webhook_deliveries where state = 'pending') as pending,
      (select count(*) from connectors where status = 'active' and kind || '/' || auth_method = any(${refreshed}::text[])) as grants`.execute(
    db,
  );
  // The statement returns one row.
  const [found = { webhooks: 0, pending: 0, grants: 0 }] = rows;
  return [
    found.webhooks === 0
      ? webhooks.ok('No webhook is enabled.')
      : webhooks.warning(
          `The events since the backup are lost. The service sends ${count(found.pending, 'event')} that had not been delivered then.`,
          'Ask integrators to read the change feed and to list their connectors. Their receivers ignore repeated events by their webhook-id.',
        ),
    found.grants === 0
      ? grants.ok('No connector has a grant that is refreshed.')
      : grants.warning(
          `The vendor may have replaced the refresh tokens of ${count(found.grants, 'connector')} since the backup.`,
          'Those connectors become needs_reauth, and their customers have to reconnect: list them with "admin listConnectors --status needs_reauth".',
        ),
  ];
}

async function describe(db: Kysely<Tables>, found: Change): Promise<Finding> {
  const { time, action, actor_type, actor_id, request_id: _requestId, ...about } = found;
  const ids = Object.entries(about).filter(([, id]) => id !== null);
  const message = [
    `${time} ${action} by ${actor_type} ${actor_id ?? ''}`.trim(),
    ...ids.map(([name, id]) => `${name} ${id}`),
  ].join(', ');
  const words = await commandFor(db, found);
  return words === null
    ? change.warning(message, 'Decide whether to repeat it.')
    : change.warning(message, `${programName} admin ${words}`);
}

/** Returns the command that takes the same rights away again, or null if there is none. */
async function commandFor(db: Kysely<Tables>, found: Change): Promise<string | null> {
  const [operation, endpoint] =
    Object.entries<Endpoint>(adminEndpoints).find(
      ([, { isRevoking = false, audit }]) => isRevoking && audit === found.action,
    ) ?? [];
  if (operation === undefined || endpoint === undefined) return null;
  if (found.action === 'incident.declared') return declare(db, operation, found);
  const options = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    // A path parameter without a member of its own is the target.
    const value = { ...found, type: found.kind }[name] ?? found.target_id;
    return `--${optionOf(name)} ${value}`;
  });
  return [operation, ...options].join(' ');
}

async function declare(db: Kysely<Tables>, operation: string, found: Change): Promise<string | null> {
  const { organization_id, customer_id, kind, application_id } = found;
  if (kind !== null) return `${operation} --kind ${kind}`;
  if (application_id !== null) return `${operation} --application ${application_id}`;
  if (customer_id === null) return `${operation} --organization ${organization_id}`;
  const customer = await findAnyCustomer(db, customer_id);
  if (customer === null) return null;
  const scope = JSON.stringify({ organization: organization_id, name: customer.name });
  // The name may contain anything, and the command is for a shell.
  return `${operation} --customer '${scope.replaceAll("'", String.raw`'\''`)}'`;
}
