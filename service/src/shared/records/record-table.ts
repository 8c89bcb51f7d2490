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
  /** The columns of fields whose type has changed, as other versions of the kind declare them. They are written as well. */
  readonly others: readonly FieldColumn[];
  /** The table as searches see it until the columns of the changed types are filled. Null if no type has changed. */
  readonly whileFilling: RecordTable | null;
  /** The version of the columns from which those of changed types are filled. Infinity until it is known. */
  filledVersion: number;
  /**
   * Whether an older version created the table, and its records may still lack an organization. Their keys begin with the
   * connector then, as the older version expects.
   */
  isOlder: boolean;
}

/** A searchable field and its column. */
export interface FieldColumn {
  readonly field: string;
  /** The field name, with the type if the field had another one before; shortened if PostgreSQL would truncate it. */
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

/** The type of a field by that of its column. Of an array, only that it is JSON is known. */
const searchTypes: ReadonlyMap<string, SearchType> = new Map(
  // The keys are those of the record.
  Object.entries(sqlTypes).map(([type, sqlType]) => [sqlType, type as SearchType]),
);

/** A column of an existing record table. For the versions, see `added_record_columns`. */
export interface StoredColumn {
  /** The name of the type in PostgreSQL. */
  readonly type: string;
  readonly addedVersion: number;
  readonly declaredVersion: number;
  readonly unusedVersion: number | null;
}

/** The columns of a record table by name. */
export type StoredColumns = ReadonlyMap<string, StoredColumn>;

/** The record tables for all connector kinds. */
export class RecordTables {
  readonly all: readonly RecordTable[];
  /** This process knows the columns up to this version. 0 until it has ensured them. */
  columnsVersion = 0;
  readonly #byEntity: ReadonlyMap<string, RecordTable>;

  /**
   * @param stored the columns of the existing tables by the name of the table. Default: there are none.
   * @throws Error with a message for the operator if the type of a key has changed.
   */
  constructor(kinds: readonly Kind[], stored: ReadonlyMap<string, StoredColumns> = new Map()) {
    this.all = kinds.flatMap(({ key, entities }) =>
      Object.entries(entities).flatMap(([entity, { search }]) =>
        search ? [recordTableOf(key, entity, search, stored)] : [],
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

export function recordTableOf(
  kind: string,
  entity: string,
  search: Searchable,
  stored: ReadonlyMap<string, StoredColumns> = new Map(),
): RecordTable {
  const name = shortened(`records_${kind}_${entity}`.replaceAll('-', '_'));
  const columns: StoredColumns = stored.get(name) ?? new Map<string, StoredColumn>();
  const nullable = search.nullableKey ?? [];
  const fields = new Map(
    Object.entries(search.fields).map(([field, type]) => [
      field,
      {
        field,
        column: columnNameOf(field, type, columns),
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
  for (const { field, column, sqlType } of key) {
    if (column === shortened(field)) continue;
    const before = columns.get(shortened(field))?.type;
    throw new Error(
      `Field ${field} identifies the records of ${kind}.${entity}, so its type cannot change from ${before} to ${sqlType}. Give the entity another name, or keep the type.`,
    );
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
  const table: RecordTable = {
    kind,
    entity,
    name,
    fields,
    key,
    indexes,
    text,
    others: [],
    whileFilling: null,
    filledVersion: Infinity,
    isOlder: false,
  };
  const others = [...fields.values()].flatMap(field => otherColumns(field, columns));
  if (others.length === 0) return table;
  // The column that was declared last is the last one.
  const previous = new Map([...fields, ...others.map(other => [other.field, other] as const)]);
  const previousText = search.text.flatMap(field => {
    const column = previous.get(field);
    return column?.type === 'string' ? [column] : [];
  });
  const whileFilling = { ...table, fields: previous, text: textOf(previousText) };
  return { ...table, others, whileFilling };
}

/** Returns the name of a field's column: that of an existing one of the type, or one that is not taken. */
function columnNameOf(field: string, type: SearchType, columns: StoredColumns): string {
  const [plain, typed] = [shortened(field), typedName(field, sqlTypes[type])];
  const existing = [plain, typed].find(name => columns.get(name)?.type === sqlTypes[type]);
  return existing ?? (columns.has(plain) ? typed : plain);
}

/** Names of fields do not contain `$`. */
function typedName(field: string, sqlType: string): string {
  return shortened(`${field}$${sqlType.replaceAll(' ', '_')}`);
}

/** Returns the columns of other types that a field has, in the order in which they were declared. */
export function otherColumns(own: FieldColumn, columns: StoredColumns): readonly FieldColumn[] {
  const names = [shortened(own.field), ...Object.values(sqlTypes).map(type => typedName(own.field, type))];
  return [...new Set(names)]
    .flatMap(name => {
      const stored = columns.get(name);
      return name === own.column || stored === undefined || stored.unusedVersion !== null
        ? []
        : [{ name, ...stored }];
    })
    .toSorted((one, other) => one.declaredVersion - other.declaredVersion)
    .map(({ name, type }) => ({
      ...own,
      column: name,
      sqlType: type,
      type: searchTypes.get(type) ?? own.type,
      isTime: false,
    }));
}

/**
 * Returns the table with the columns that searches read.
 * @param columnsVersion the version up to which the records have the columns.
 */
export function searchedTable(table: RecordTable, columnsVersion: number): RecordTable {
  return table.whileFilling !== null && columnsVersion < table.filledVersion ? table.whileFilling : table;
}

/** Quotes an identifier for use in SQL. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Defines the unique index on the key. Nulls in keys count as equal. */
function uniqueIndex(table: string, key: readonly FieldColumn[]): string {
  return `unique index % on ${quote(table)} (${quote(organizationColumn)}, ${columnList(key)}) nulls not distinct`;
}

/** The columns with which the key of each record begins. */
export function tenantColumns({ isOlder }: RecordTable): readonly string[] {
  return isOlder ? [connectorColumn] : [organizationColumn, connectorColumn];
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
  const isOfOrganization = table.isOlder ? `(${isOf} or ${organization} is null)` : isOf;
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
