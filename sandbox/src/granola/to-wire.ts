import type { Note } from './note.ts';
import { wireTime, type WireSegment } from './wire.ts';

/** Renders a note as it appears in lists, with only these six keys. */
export function toWireSummary(note: Note) {
  return {
    id: note.id,
    object: 'note',
    title: note.title,
    owner: note.owner,
    created_at: wireTime(note.createdMs),
    updated_at: wireTime(note.updatedMs),
  };
}

/** Renders a complete note. Includes the private notes only if `personEmail` is that of the note's owner. */
export function toWireNote(
  note: Note,
  transcript: readonly WireSegment[] | null,
  personEmail: string | null,
) {
  const details = note.details();
  const isAuthor = personEmail === note.owner.email;
  const hidden = { private_notes_text: null, private_notes_markdown: null };
  return { ...toWireSummary(note), ...details, ...(!isAuthor && hidden), transcript };
}
