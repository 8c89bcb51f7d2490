import type { Sync, SyncStart } from '../kind/kind.ts';
import { asString } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import { readPage, requestPage, type Note } from './wire.ts';

/** Granola's max page size. */
const pageSize = 30;

/**
 * Tolerates clock differences and late writes: an incremental run starts this long before the newest change
 * seen.
 */
const overlapMs = 5 * 60 * 1000;

interface Position {
  cursor: string;
  /** The newest `updated_at` seen in this run. */
  newest: string | null;
}

/**
 * Syncs notes by `updated_after`. The list does not show deletions, so a full run is needed now and then. All
 * searchable fields are in the list, so no note is fetched on its own.
 */
export const syncNotes: Sync = { incremental: true, run: readNotes };

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
 * Returns the newest change so far. Ignores changes in the future: until then, an incremental run would skip
 * everything before them.
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
