import { sql, type RawBuilder } from 'kysely';

/**
 * All columns that contain sealed values. The types allow sealing only for these columns, so the list is
 * complete.
 */
const sealedColumns = [
  { table: 'connectors', column: 'credentials' },
  { table: 'oauth_apps', column: 'configuration' },
  { table: 'oauth_sessions', column: 'secrets' },
  { table: 'oauth_sessions', column: 'credentials' },
  { table: 'admin_idempotency_keys', column: 'sealed_answer' },
  { table: 'webhooks', column: 'secret' },
  { table: 'webhooks', column: 'previous_secret' },
  { table: 'authorization_records', column: 'payload' },
] as const;

export type SealedColumn = (typeof sealedColumns)[number];

/** A column that contains sealed values, and the column that they were sealed for. */
export interface SealedPlace {
  readonly table: SealedColumn['table'] | 'grant_revocations';
  readonly column: string;
  readonly sealedFor: SealedColumn;
}

const [ofConnectors, , , ofSessions] = sealedColumns;

/** All columns that contain sealed values, including unchanged copies from other columns. */
export const sealedPlaces: readonly SealedPlace[] = [
  ...sealedColumns.map(column => ({ ...column, sealedFor: column })),
  { table: 'grant_revocations', column: 'connector_credentials', sealedFor: ofConnectors },
  { table: 'grant_revocations', column: 'session_credentials', sealedFor: ofSessions },
];

/** The column that identifies the row of a sealed value in each table. */
export const rowColumns = {
  connectors: 'id',
  grant_revocations: 'subject_id',
  oauth_apps: 'kind',
  oauth_sessions: 'id',
  admin_idempotency_keys: 'attempt',
  webhooks: 'id',
  authorization_records: 'key',
} as const;

/** Takes the place of the organization's id for values that belong to the whole installation. */
export const installationWide = '00000000-0000-0000-0000-000000000000';

function isInstallationWide(table: SealedPlace['table']): boolean {
  return table === 'admin_idempotency_keys' || table === 'authorization_records';
}

/** Returns an SQL expression for the organization that a row belongs to. */
export function organizationIn(table: SealedPlace['table']): RawBuilder<string> {
  return isInstallationWide(table) ? sql`${installationWide}::uuid` : sql`organization_id`;
}

/** Values of the row that determine for whom and for what a sealed value is used. */
export interface SealOwner {
  /** Null if the row belongs to the whole organization. */
  readonly customerId: string | null;
  /** Key of the connector kind, the route of a request, the model of a record, or the id of a row without any of them. */
  readonly kind: string;
  /** The version of the credentials, or null if the row has none. */
  readonly version: number | null;
}

/** The columns that bind a sealed value to the owner of its row. Null if the table has no such column. */
const ownerColumns = {
  connectors: { customerId: 'customer_id', kind: 'kind', version: 'credentials_version' },
  grant_revocations: { customerId: 'customer_id', kind: 'kind', version: 'credentials_version' },
  oauth_apps: { customerId: null, kind: 'kind', version: null },
  oauth_sessions: { customerId: 'customer_id', kind: 'kind', version: null },
  admin_idempotency_keys: { customerId: null, kind: 'route', version: null },
  webhooks: { customerId: null, kind: 'id', version: null },
  authorization_records: { customerId: null, kind: 'model', version: null },
} as const;

/** Returns an SQL expression for the owner of a row, as a JSON object in the form of a `SealOwner`. */
export function ownerIn(table: SealedPlace['table']): RawBuilder<SealOwner> {
  const { customerId, kind, version } = ownerColumns[table];
  const read = (column: string | null) => (column === null ? sql`null` : sql.ref(column));
  return sql<SealOwner>`json_build_object(
    'customerId', ${read(customerId)}, 'kind', ${read(kind)}, 'version', ${read(version)})`;
}

/** Returns the columns that are needed to open a sealed value. */
export function columnsFor({ table, column }: SealedPlace): readonly string[] {
  const organization = isInstallationWide(table) ? null : 'organization_id';
  return [column, rowColumns[table], organization, ...Object.values(ownerColumns[table])].filter(
    name => name !== null,
  );
}

/** Returns an SQL expression for the key id of a sealed value. */
export function keyIdIn(column: string): RawBuilder<string> {
  const value = sql.ref(column);
  return sql<string>`convert_from(substring(${value} from 3 for get_byte(${value}, 1)), 'LATIN1')`;
}
