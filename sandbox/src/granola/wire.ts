/** A person. The name may be unknown. */
export interface WirePerson {
  readonly name: string | null;
  readonly email: string;
}

/** A folder. Listing a parent folder includes the notes in its child folders. */
export interface WireFolder {
  readonly id: string;
  readonly object: 'folder';
  readonly name: string;
  readonly parent_folder_id: string | null;
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

/** Formats a time as Granola does: in UTC, in whole seconds, with the suffix `Z`. */
export function wireTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
