import { createHash } from 'node:crypto';
import type { Kind, Searchable, SearchType } from '@connector-auth/connectors/kind';

/**
 * The table that holds an entity's records of all connectors, as the entity's declaration has it: one typed column for each searchable
 * field, under the field's own name, dots included.
 */
export interface RecordTable {
  /** Key of the kind. */
  readonly kind: string;
  readonly entity: string;
  /** E.g. `records_google_ads_campaigns`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldColumn>;
  /** The fields that identify a record within a connector, in order. */
  readonly key: readonly FieldColumn[];
  readonly indexes: readonly RecordIndex[];
  /** The lower-case text that the trigram index holds, as SQL; null when the entity has no text. */
  readonly text: { readonly fields: readonly string[]; readonly expression: string } | null;
}

/** A searchable field and where it is kept. */
export interface FieldColumn {
  readonly field: string;
  /** The field's name, shortened where PostgreSQL would cut it. */
  readonly column: string;
  readonly type: SearchType;
  /** As PostgreSQL calls it. */
  readonly sqlType: string;
  /** Whether some records have none. */
  readonly isNullable: boolean;
  /** Whether it stands in a B-tree index, which has room for short values only. */
  readonly isIndexed: boolean;
}

export interface RecordIndex {
  readonly name: string;
  /** What follows `create`. */
  readonly definition: string;
}

/** Columns of our own stand beside the fields; no field begins with `$`. */
export const connectorColumn = '$connector';
export const generationColumn = '$generation';

/** By code point, and folding case as Unicode does; the same on both engines. */
export const textCollation = 'pg_c_utf8';

const sqlTypes: Readonly<Record<SearchType, string>> = {
  string: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  array: 'jsonb',
  object: 'jsonb',
  // Keeps the scale that the vendor wrote: 20.000 comes back as 20.000.
  decimal: 'numeric',
};

/** The record tables of kinds, by kind and entity. */
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

  /** Null when the entity has no search. */
  find(kind: string, entity: string): RecordTable | null {
    return this.#byEntity.get(`${kind}/${entity}`) ?? null;
  }

  ofKind(kind: string): readonly RecordTable[] {
    return this.all.filter(table => table.kind === kind);
  }
}

/** The table of one entity. */
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
      } satisfies FieldColumn,
    ]),
  );
  const columnOf = (field: string): FieldColumn => {
    const column = fields.get(field);
    if (column === undefined) throw new Error(`${kind}.${entity} has no searchable field ${field}`);
    return column;
  };
  const key = search.primaryKey.map(columnOf);
  const text = textOf(search.text.map(columnOf));
  const definitions = [
    uniqueIndex(name, key),
    ...search.indexed
      // The unique index leads with the key's first field.
      .filter(field => field !== search.primaryKey[0])
      .map(field => sortIndex(name, columnOf(field), key)),
    ...(text === null ? [] : [textIndex(name, text.expression)]),
  ];
  const indexes = definitions.map(definition => ({ name: indexName(name, definition), definition }));
  return { kind, entity, name, fields, key, indexes, text };
}

/** Quotes an identifier for SQL text. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Two records of a connector with the same key are one; a null in the key is a value like any other. */
function uniqueIndex(table: string, key: readonly FieldColumn[]): string {
  return `unique index % on ${quote(table)} (${columnList(key)}) nulls not distinct`;
}

/** In the order of a field and then of the key: what a sort by the field reads, forwards and backwards, from any cursor on. */
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

/** Another definition is another index: one that changed is added beside the old one. */
function indexName(table: string, definition: string): string {
  return `${table.slice(0, 52)}_${digest(definition)}`;
}

/** PostgreSQL cuts names after 63 bytes. */
const longestName = 63;

function shortened(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, 52)}_${digest(name)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}
