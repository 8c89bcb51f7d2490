/** A person. The name may be unknown. */
export interface WirePerson {
  readonly name: string | null;
  readonly email: string;
}

/** A note as returned by `GET /v1/notes`, with only these six keys. */
export interface WireNoteSummary {
  readonly id: string;
  readonly object: 'note';
  readonly title: string | null;
  readonly owner: WirePerson;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A folder. Listing a parent folder includes the notes in its child folders. */
export interface WireFolder {
  readonly id: string;
  readonly object: 'folder';
  readonly name: string;
  readonly parent_folder_id: string | null;
}

/** The calendar event that a note belongs to. */
export interface WireCalendarEvent {
  readonly event_title: string | null;
  readonly invitees: readonly { readonly email: string }[];
  readonly organiser: string | null;
  readonly calendar_event_id: string | null;
  readonly scheduled_start_time: string | null;
  readonly scheduled_end_time: string | null;
}

/** A transcript segment. */
export interface WireSegment {
  readonly speaker: {
    readonly source: 'microphone' | 'speaker';
    readonly attribution?: 'me' | 'them';
    readonly name?: string;
    readonly diarization_label?: string;
  };
  readonly text: string;
  readonly start_time: string;
  readonly end_time: string;
}

/** The keys that `GET /v1/notes/{id}` adds to the six in lists, in Granola's order, except `transcript`. */
export interface WireNoteDetails {
  readonly web_url: string;
  readonly calendar_event: WireCalendarEvent | null;
  readonly attendees: readonly WirePerson[];
  readonly folder_membership: readonly WireFolder[];
  readonly summary_text: string;
  readonly summary_markdown: string | null;
  readonly private_notes_text: string | null;
  readonly private_notes_markdown: string | null;
}

/** Formats a time as Granola does: in UTC, in whole seconds, with the suffix `Z`. */
export function wireTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
