/** The fields of a meeting note that the page shows. */
export interface Note {
  readonly id: string;
  readonly title: string | null;
  readonly owner: { readonly name: string | null; readonly email: string } | null;
  readonly created_at: string | null;
  readonly attendees: readonly { readonly name: string | null; readonly email: string | null }[] | null;
  readonly summary_text: string | null;
  readonly transcript:
    | readonly {
        readonly speaker: { readonly name?: string; readonly source?: string } | null;
        readonly text: string | null;
        readonly start_time: string | null;
      }[]
    | null;
}

export interface NotesMeta {
  readonly cursor: string | null;
  readonly has_more: boolean;
}
