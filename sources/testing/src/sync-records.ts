import {
  connect,
  createTransport,
  grantsInMemory,
  unlimited,
  type Connection,
  type Grant,
  type Kind,
  type OAuthApp,
  type SyncStart,
} from '@connector-auth/connectors/kind';
import type { VendorServer } from './vendor-server.ts';

/** Connects a kind to a server that acts as its vendor. */
export function openSource(
  kind: Kind,
  vendor: VendorServer,
  { app, ...grant }: Pick<Grant, 'method' | 'credentials'> & Partial<Grant> & { readonly app?: OAuthApp },
): Connection {
  return connect({
    kind,
    grants: grantsInMemory({ state: {}, settings: {}, ...grant }),
    transport: createTransport({ sandboxUrl: vendor.url }),
    limiter: unlimited,
    ...(app && { app }),
  });
}

export interface Synced {
  /** The last record yielded for each primary key. */
  readonly records: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The primary keys of the records that the vendor no longer has. */
  readonly deleted: readonly string[];
  readonly since: string | null;
  readonly pages: number;
}

/**
 * Runs a sync as the service does. Every page is read by a run that resumes from the stored position of the page before it, as
 * after an interruption.
 */
export async function syncRecords(
  connection: Connection,
  entity: string,
  since: string | null = null,
): Promise<Synced> {
  const search = connection.kind.entities[entity]?.search;
  if (!search) throw new Error(`${entity} is not synced`);
  const { sync, primaryKey } = search;
  const keyOf = (fields: Readonly<Record<string, unknown>>): string =>
    primaryKey.map(name => String(fields[name])).join();
  const records = new Map<string, Readonly<Record<string, unknown>>>();
  const deleted: string[] = [];
  let position: unknown = null;
  for (let pages = 1; ; pages += 1) {
    const page = await firstPage({ since, position });
    for (const record of page.records) records.set(keyOf(record), record);
    deleted.push(...(page.deleted ?? []).map(keyOf));
    if (page.since !== undefined) return { records, deleted, since: page.since, pages };
    // Positions are stored as JSON.
    position = JSON.parse(JSON.stringify(page.position));
  }

  async function firstPage(start: SyncStart) {
    for await (const page of sync.run(await connection.vendorFor({ repeatable: true }), start)) return page;
    throw new Error(`The sync of ${entity} ended without a last page`);
  }
}
