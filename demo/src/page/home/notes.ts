import { execute } from '../backend.ts';
import type { SearchPage } from '../search-page.ts';

/** A note as a search for these fields returns it. */
export interface NoteRow {
  readonly id: string;
  readonly title: string | null;
  readonly owner: Person | null;
  readonly created_at: string | null;
}

interface Person {
  readonly name?: string | null;
  readonly email?: string | null;
}

/** The parts of a note that the page shows. */
export interface Note extends NoteRow {
  readonly attendees: readonly Person[] | null;
  readonly summary_text: string | null;
  readonly transcript:
    | readonly {
        readonly speaker: { readonly name?: string; readonly source?: string } | null;
        readonly text: string | null;
      }[]
    | null;
}

export interface NotesPage {
  readonly notes: readonly NoteRow[];
  readonly cursor: string | null;
}

const pageSize = 6;

/** Reads the latest notes, or older ones from a cursor on. */
export async function loadNotes(connectorId: string, cursor: string | null = null): Promise<NotesPage> {
  const { result } = await execute<SearchPage<NoteRow>, null>(connectorId, 'notes', 'search', {
    query: { sort: ['-created_at'] },
    fields: ['id', 'title', 'owner', 'created_at'],
    limit: pageSize,
    ...(cursor === null ? {} : { cursor }),
  });
  return { notes: result.data, cursor: result.meta.cursor };
}

/** Reads a note with its transcript from Granola. */
export async function loadNote(connectorId: string, id: string): Promise<Note> {
  const params = { note_id: id, include: 'transcript' };
  return (await execute<Note, null>(connectorId, 'notes', 'get', params)).result;
}

export function nameOf(person: Person | null): string {
  return person?.name ?? person?.email ?? '';
}
