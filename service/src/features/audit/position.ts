import type { PageMeta } from '@connector-auth/api';
import { z } from 'zod';
import type { StoredEntry } from '../../platform/audit-log/store.ts';
import { decodeCursor, defaultPageSize, toPage } from '../../platform/database/paging.ts';

const position = z.tuple([z.string().regex(/^\d{1,18}$/)]);

/** Returns the id after which a page starts, or undefined for the first page. */
export function readPosition(cursor: string | undefined): string | undefined {
  return decodeCursor(cursor, position)?.[0];
}

export function positionOf({ id }: StoredEntry): z.infer<typeof position> {
  return [String(id)];
}

/** Reads a page of entries, newest first. */
export async function readPage(
  query: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
  list: (position: {
    readonly order: 'desc';
    readonly after: string | undefined;
    readonly limit: number;
  }) => Promise<StoredEntry[]>,
): Promise<{ rows: readonly StoredEntry[]; meta: PageMeta }> {
  const limit = query.limit ?? defaultPageSize;
  const found = await list({ order: 'desc', after: readPosition(query.cursor), limit: limit + 1 });
  return toPage(found, limit, positionOf);
}
