import { createHash } from 'node:crypto';
import { isIdName, type Kind, type Searchable, type SearchType } from '@connector-auth/connectors/kind';
import { sql, type RawBuilder } from 'kysely';

/**
 * The record table for one entity, shared by all connectors. Each searchable field has a typed column with
 * the name of the field, including dots.
 */
export interface RecordTable {
  /** The key of the connector kind. */
  readonly kind: string;
  readonly entity: string;
  /** E.g. `records_google_ads_campaigns`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldColumn>;
  /** The fields that identify a record within a connector, in key order. */
  readonly key: readonly FieldColumn[];
  readonly indexes: readonly RecordIndex[];
  /**
   * The SQL expression for the lowercased text that the trigram index covers, and the fields in it. Null if
   * the entity has no text fields.
   */
  readonly text: { readonly fields: readonly string[]; readonly expression: string } | null;
}

/** A searchable field and its column. */
export interface FieldColumn {
  readonly field: string;
  /** The field name, shortened if PostgreSQL would truncate it. */
  readonly column: string;
  readonly type: SearchType;
  /** The name of the type in PostgreSQL. */
  readonly sqlType: string;
  readonly isNullable: boolean;
  /** Whether a B-tree index includes the field. Indexed text is truncated, see `maxIndexedTextLength`. */
  readonly isIndexed: boolean;
  /** Whether the field contains an id. */
  readonly isId: boolean;
  /** Whether the field contains a time as text. */
  readonly isTime: boolean;
}

export interface RecordIndex {
  readonly name: string;
  /** The SQL that follows `create`, with `%` as the placeholder for the index name. */
  readonly definition: string;
}

/** The service's internal columns. Field names cannot start with `$`. */
export const organizationColumn = '$organization';
export const connectorColumn = '$connector';
export const generationColumn = '$generation';

/** Sorts by code point and folds case by Unicode rules, identically on both engines. */
export const textCollation = 'pg_c_utf8';

const sqlTypes: Readonly<Record<SearchType, string>> = {
  string: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  array: 'jsonb',
  object: 'jsonb',
  // Preserves the vendor's scale: 20.000 is not shortened to 20.
  decimal: 'numeric',
};

/** The record tables for all connector kinds. */
export class RecordTables {
  readonly all: readonly RecordTable[];
  readonly #byEntity: ReadonlyMap<string, RecordTable>;

  constructor(kinds: readonly Kind[]) {
    this.all = kinds.flatMap(({ key, entities }) =>
      Object.entries(entities).flatMap(([entity, { search }]) =>
        search ? [recordTableOf(key, entity, search)] : [],
      ),
    );
    this.#byEntity = new Map(this.all.map(table => [`${table.kind}/${table.entity}`, table]));
  }

  /** Returns the table for an entity, or null if the entity is not searchable. */
  find(kind: string, entity: string): RecordTable | null {
    return this.#byEntity.get(`${kind}/${entity}`) ?? null;
  }

  ofKind(kind: string): readonly RecordTable[] {
    return this.all.filter(table => table.kind === kind);
  }
}

export function recordTableOf(kind: string, entity: string, search: Searchable): RecordTable {
  const name = shortened(`records_${kind}_${entity}`.replaceAll('-', '_'));
  const nullable = search.nullableKey ?? [];
  const fields = new Map(
    Object.entries(search.fields).map(([field, type]) => [
      field,
      {
        field,
        column: shortened(field),
        type,
        sqlType: sqlTypes[type],
        isNullable: !search.primaryKey.includes(field) || nullable.includes(field),
        isIndexed: search.primaryKey.includes(field) || search.indexed.includes(field),
        isId: isIdName(field),
        isTime: search.times?.includes(field) === true,
      } satisfies FieldColumn,
    ]),
  );
  const columnOf = (field: string): FieldColumn => {
    const column = fields.get(field);
    if (column === undefined) throw new Error(`${kind}.${entity} has no searchable field ${field}`);
    return column;
  };
  const key = search.primaryKey.map(columnOf);
  for (const part of key) {
    // Equal values of other types can have different texts, which sync runs compare.
    if (!['string', 'integer', 'boolean'].includes(part.type)) {
      throw new Error(
        `Field ${part.field} of ${kind}.${entity} cannot be part of the key: its type is ${part.type}`,
      );
    }
  }
  const text = textOf(search.text.map(columnOf));
  const definitions = [
    uniqueIndex(name, key),
    ...search.indexed
      // The unique index already starts with the first key field.
      .filter(field => field !== search.primaryKey[0])
      .map(field => sortIndex(name, columnOf(field), key)),
    ...(text === null ? [] : [textIndex(name, text.expression)]),
  ];
  const indexes = definitions.map(definition => ({ name: indexName(name, definition), definition }));
  return { kind, entity, name, fields, key, indexes, text };
}

/** Quotes an identifier for use in SQL. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Defines the unique index on the key. Nulls in keys count as equal. */
function uniqueIndex(table: string, key: readonly FieldColumn[]): string {
  return `unique index % on ${quote(table)} (${quote(organizationColumn)}, ${columnList(key)}) nulls not distinct`;
}

const olderTables = new WeakSet<RecordTable>();

/**
 * Sets whether an older version created the table, and its records may still lack an organization. Their keys begin with
 * the connector then, as the older version expects.
 */
export function setOlder(table: RecordTable, isOlder: boolean): void {
  if (isOlder) olderTables.add(table);
  else olderTables.delete(table);
}

/** The columns with which the key of each record begins. */
export function tenantColumns(table: RecordTable): readonly string[] {
  return olderTables.has(table) ? [connectorColumn] : [organizationColumn, connectorColumn];
}

/** Returns the condition for the records of a connector, for a query in which the table has the given alias. */
export function ofConnector(
  table: RecordTable,
  alias: string,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): RawBuilder<unknown> {
  const [before = '', between = ''] = ofConnectorText(table, alias).split(/\$\d/);
  return sql`${sql.raw(before)}${organizationId}${sql.raw(between)}${id}::uuid`;
}

/** The same as SQL text, with the ids as the parameters $1 and $2 unless `connector` is another expression. */
export function ofConnectorText(table: RecordTable, alias: string, connector = '$2::uuid'): string {
  const organization = `${quote(alias)}.${quote(organizationColumn)}`;
  const isOf = `${organization} = $1::uuid`;
  const isOfOrganization = olderTables.has(table) ? `(${isOf} or ${organization} is null)` : isOf;
  return `${isOfOrganization} and ${quote(alias)}.${quote(connectorColumn)} = ${connector}`;
}

/**
 * Defines an index on a field followed by the key, so that searches can sort by the field in both directions
 * and resume from any cursor.
 */
function sortIndex(table: string, field: FieldColumn, key: readonly FieldColumn[]): string {
  return `index % on ${quote(table)} (${columnList([field, ...key.filter(part => part !== field)])})`;
}

function textIndex(table: string, expression: string): string {
  return `index % on ${quote(table)} using gin (${quote(connectorColumn)}, (${expression}) gin_trgm_ops)`;
}

function columnList(fields: readonly FieldColumn[]): string {
  return [connectorColumn, ...fields.map(({ column }) => column)].map(quote).join(', ');
}

function textOf(fields: readonly FieldColumn[]): RecordTable['text'] {
  if (fields.length === 0) return null;
  const [only] = fields;
  const joined =
    fields.length === 1 && only
      ? quote(only.column)
      : fields.map(({ column }) => `coalesce(${quote(column)}, '')`).join(` || e'\\n' || `);
  return { fields: fields.map(({ field }) => field), expression: `lower(${joined})` };
}

/**
 * Derives an index name from the definition, so that a changed definition creates a new index beside the old
 * one.
 */
function indexName(table: string, definition: string): string {
  return `${table.slice(0, 52)}_${digest(definition)}`;
}

/** PostgreSQL's limit for identifiers, in bytes. */
const maxNameLength = 63;

function shortened(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, 52)}_${digest(name)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}
