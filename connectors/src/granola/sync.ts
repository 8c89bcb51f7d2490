import type { Sync, SyncStart } from '../kind/kind.ts';
import { asString } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import { readPage, requestPage, type Note } from './wire.ts';

/** Granola's maximum page size. */
const pageSize = 30;

/**
 * An incremental run starts this long before the newest change seen, which tolerates clock differences and
 * late writes.
 */
const overlapMs = 5 * 60 * 1000;

interface Position {
  cursor: string;
  /** Newest `updated_at` value in this run. */
  newest: string | null;
}

/**
 * Syncs notes by `updated_after`. The list does not report deletions, so a full run is needed from time to
 * time. The list includes all searchable fields, so notes are not fetched individually.
 */
export const syncNotes: Sync = { incremental: true, onlyFullRunsFind: 'deletions', run: readNotes };

async function* readNotes(vendor: Vendor, { since, position }: SyncStart) {
  // The position is one that this function yielded.
  let { cursor, newest }: { cursor: string | null; newest: string | null } =
    (position as Position | null) ?? {
      cursor: null,
      newest: null,
    };
  for (;;) {
    const request = requestPage({
      page_size: pageSize,
      ...(cursor === null ? {} : { cursor }),
      ...(since === null ? {} : { updated_after: since }),
    });
    const { result, connector_metadata } = readPage(await vendor.send(request));
    newest = newestChange(result, newest, vendor.now());
    const records = result.map(({ created_at, id, object, owner, title }) => ({
      created_at,
      id,
      object,
      owner,
      title,
    }));
    cursor = connector_metadata.cursor;
    if (cursor === null) {
      yield { records, position: null, since: newest === null ? since : overlapped(newest) };
      return;
    }
    yield { records, position: { cursor, newest } satisfies Position };
  }
}

/**
 * Returns the time of the newest change so far. Ignores changes with a future date, because an incremental
 * run would otherwise skip all changes before them.
 */
function newestChange(notes: readonly Note[], newest: string | null, nowMs: number): string | null {
  return notes.reduce<string | null>((latest, note) => {
    const changed = asString(note.updated_at);
    if (changed === null || !(Date.parse(changed) <= nowMs)) return latest;
    return latest === null || changed > latest ? changed : latest;
  }, newest);
}

function overlapped(timestamp: string): string {
  return new Date(Date.parse(timestamp) - overlapMs).toISOString();
}
