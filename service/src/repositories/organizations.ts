import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Returns the id of the organization with this name, creating it if needed. */
export async function ensureOrganization(db: Transaction<Tables>, name: string): Promise<string> {
  const { id } = await db
    .insertInto('organizations')
    .values({ id: randomUUID(), name })
    // This update changes nothing, but makes the statement return the id if another process inserted the row
    // first.
    .onConflict(conflict => conflict.column('name').doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An organization's settings. */
export interface OrganizationSettings {
  /** The configured name, which identifies the organization at startup. */
  readonly name: string;
  /** The name that users see. Null if it is the configured name. */
  readonly displayName: string | null;
  readonly supportUrl: string | null;
  /** Null if the organization has no logo. */
  readonly logoVersion: string | null;
  readonly syncIntervalMinutes: number | null;
}

/**
 * Returns an organization's settings. Organizations are never deleted, so the organization id in a token
 * always exists.
 */
export async function findOrganization(db: Kysely<Tables>, id: string): Promise<OrganizationSettings> {
  return db
    .selectFrom('organizations')
    .select([
      'name',
      'display_name as displayName',
      'support_url as supportUrl',
      'logo_version as logoVersion',
      'sync_interval_minutes as syncIntervalMinutes',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Returns the name of an organization, or null if no organization has this id. */
export async function findOrganizationName(db: Kysely<Tables>, id: string): Promise<string | null> {
  const row = await db.selectFrom('organizations').select('name').where('id', '=', id).executeTakeFirst();
  return row?.name ?? null;
}

/** Changes the given settings. Null restores a setting's default. */
export async function saveOrganization(
  db: Kysely<Tables>,
  id: string,
  changes: {
    readonly displayName?: string | null | undefined;
    readonly supportUrl?: string | null | undefined;
    readonly syncIntervalMinutes?: number | null | undefined;
  },
): Promise<void> {
  const { displayName, supportUrl, syncIntervalMinutes } = changes;
  await db
    .updateTable('organizations')
    .set({
      ...(displayName === undefined ? {} : { display_name: displayName }),
      ...(supportUrl === undefined ? {} : { support_url: supportUrl }),
      ...(syncIntervalMinutes === undefined ? {} : { sync_interval_minutes: syncIntervalMinutes }),
    })
    .where('id', '=', id)
    .execute();
}

export interface StoredLogo {
  readonly type: 'image/png' | 'image/webp';
  readonly bytes: Uint8Array;
}

/** Stores an organization's logo, or deletes it if `logo` is null. */
export async function saveLogo(
  db: Kysely<Tables>,
  id: string,
  logo: (StoredLogo & { readonly version: string }) | null,
): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ logo: logo?.bytes ?? null, logo_type: logo?.type ?? null, logo_version: logo?.version ?? null })
    .where('id', '=', id)
    .execute();
}

export async function findLogo(db: Kysely<Tables>, id: string, version: string): Promise<StoredLogo | null> {
  const row = await db
    .selectFrom('organizations')
    .select(['logo as bytes', 'logo_type as type'])
    .where('id', '=', id)
    .where('logo_version', '=', version)
    .executeTakeFirst();
  return row?.bytes && row.type ? { bytes: row.bytes, type: row.type } : null;
}
