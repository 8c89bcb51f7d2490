/** An SQL file that is applied once. Migrations are applied in the order of their names. */
export interface Migration {
  /** The file name without `.sql`, e.g. `0001_tenants_and_connectors`. */
  readonly name: string;
  readonly sql: string;
}

/** What a migration does to a database with data, as far as its statements say it. What a function does is not known. */
export interface MigrationEffects {
  /** The first sentence of its comment. */
  readonly title: string;
  /** The existing tables that it locks until it ends. */
  readonly locks: readonly string[];
  /** Those of which it reads or writes all rows, which takes longer the larger they are. */
  readonly scans: readonly string[];
  /** The statements that take away a table, a column or a function which processes of an earlier version can use. */
  readonly breaking: readonly string[];
}

/**
 * Derives what a migration does from its statements.
 * @param existing the names of the tables in the database.
 * @param all the migrations that ship with the service. They say which functions only triggers call.
 */
export function effectsOf(
  migration: Migration,
  existing: ReadonlySet<string>,
  all: readonly Migration[],
): MigrationEffects {
  const statements = statementsOf(migration);
  const tablesIn = (text: string): string[] => wordsOf(text).filter(word => existing.has(word));
  return {
    title: titleOf(migration),
    locks: namesIn(migration).filter(name => existing.has(name)),
    scans: [...new Set(statements.flatMap(statement => tablesIn(scannedPart(statement))))],
    breaking: statements.filter(statement => isBreaking(statement, all)),
  };
}

/** Returns the words of a migration. The tables among them are locked before the first one is changed. */
export function namesIn({ sql }: Migration): readonly string[] {
  return wordsOf(withoutComments(sql));
}

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.match(/\w+/g))];
}

function withoutComments(text: string): string {
  return text.replaceAll(/--.*/g, '');
}

function titleOf({ name, sql }: Migration): string {
  const [comment = ''] = /^(?:--.*\n?)+/.exec(sql) ?? [];
  const text = comment.replaceAll(/^-- ?/gm, '').replaceAll(/\s+/g, ' ').trim();
  return /^.+?\.(?= |$)/.exec(text)?.[0] ?? name;
}

/** Returns the statements in lower case, each on one line and without the body of a function. */
function statementsOf({ sql }: Migration): readonly string[] {
  return withoutComments(sql)
    .replaceAll(/(\bdo\s*)?\$\$([^]*?)\$\$/gi, (_, block: string | undefined, body: string) =>
      block === undefined ? '' : `do ${body.replaceAll(';', ' ')}`,
    )
    .split(';')
    .map(statement => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter(statement => statement !== '');
}

const alteredType = String.raw`\balter (?:column )?\w+ (?:set data )?type\b`;
/** What makes PostgreSQL read or rewrite a table that it alters. A default that is the same for all rows does not. */
const scanningClause = new RegExp(
  String.raw`\b(?:check|references|unique|key|exclude|set not null|generated|gen_random_uuid|clock_timestamp|random|nextval)\b|${alteredType}`,
);
const breakingClause = new RegExp(
  String.raw`^rename (?!constraint)|^drop (?!constraint)|\bset not null\b|${alteredType}`,
);

/** Returns the part of a statement that names the tables of which it reads or writes all rows. */
function scannedPart(statement: string): string {
  const [, altered = ''] = /^alter table (?:if exists )?(\w+)/.exec(statement) ?? [];
  if (altered !== '') return scanningClause.test(statement) ? altered : '';
  const [, indexed = ''] = /^create (?:unique )?index .*?\bon (\w+)/.exec(statement) ?? [];
  if (indexed !== '') return indexed;
  // A block that changes only settings of tables reads no rows.
  const isWriting = /\b(?:insert|update|delete|index|check|key|not null)\b/.test(statement);
  if (statement.startsWith('do ')) return isWriting ? statement : '';
  if (/^(?:create|drop|alter|comment)\b/.test(statement)) return '';
  return statement.replace(/^insert into \w+/, '');
}

function isBreaking(statement: string, all: readonly Migration[]): boolean {
  if (/^drop (?:table|view|schema|type|sequence)\b/.test(statement)) return true;
  const [, dropped = ''] = /^drop function (?:if exists )?(\w+)/.exec(statement) ?? [];
  if (dropped !== '') return !all.some(({ sql }) => sql.includes(`execute function ${dropped}(`));
  const [, clauses] = /^alter table (?:if exists )?\w+ (.*)$/.exec(statement) ?? [];
  return (clauses ?? '')
    .split(/, (?=(?:add|alter|drop|rename)\b)/)
    .some(
      clause =>
        breakingClause.test(clause) ||
        (/^add column .*\bnot null\b/.test(clause) && !/\b(?:default|generated)\b/.test(clause)),
    );
}
