import { z } from 'zod';
import { readDeclared } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import type { Api } from '../rest/api.ts';
import { byCursor } from '../rest/paging.ts';
import type { Resource } from '../rest/resource.ts';

/** A meeting note. In a list, `calendar_event` and the fields declared after it are null. */
export const note = z.object({
  id: z.string(),
  object: z.string().nullable().describe('Always `note`'),
  title: z.string().nullable(),
  owner: z.unknown().describe('`{name, email}` of the note owner'),
  created_at: z.string().nullable().describe('ISO 8601'),
  updated_at: z.string().nullable().describe('ISO 8601'),
  calendar_event: z.unknown().describe('Calendar event: title, invitees, organizer, scheduled times'),
  attendees: z.array(z.object({ name: z.string().nullable(), email: z.string().nullable() })).nullable(),
  folder_membership: z
    .array(z.object({ id: z.string(), object: z.string().nullable(), name: z.string().nullable() }))
    .nullable(),
  summary_text: z.string().nullable(),
  summary_markdown: z.string().nullable(),
  transcript: z
    .array(
      z.object({
        speaker: z.unknown().describe('`source` is `microphone` or `speaker`. Other members vary.'),
        text: z.string().nullable(),
        start_time: z.string().nullable(),
        end_time: z.string().nullable(),
      }),
    )
    .nullable()
    .describe('Only with `include: "transcript"`'),
});
export type Note = z.infer<typeof note>;

const isPrivate = 'Private: only with `allowed_data: ["private_fields"]`';

/** Granola's fields that are not specified: personal notes, and the link to a note in Granola. */
const privateFields = {
  private_notes_text: z.string().nullable().optional().describe(isPrivate),
  private_notes_markdown: z.string().nullable().optional().describe(isPrivate),
  web_url: z.string().nullable().optional().describe(isPrivate),
};
export const privateNames = Object.keys(privateFields);

/** A meeting note with its private fields, which only callers with the right `private_fields` receive. */
export const wholeNote = note.extend(privateFields);
export type WholeNote = z.infer<typeof wholeNote>;

export const api: Api = { name: 'Granola', url: 'https://public-api.granola.ai/v1' };

/** `hasMore` determines whether there is a next page, because the last page may contain a stale cursor. */
const paging = byCursor({ param: 'cursor', next: 'cursor', more: 'hasMore' });

export const listed = {
  api,
  noun: 'note',
  path: '/notes',
  record: note,
  at: 'notes',
  paging,
} satisfies Resource;

/** The entries of the transcript of a note. */
export const entries = {
  api,
  noun: 'entry',
  path: '/notes/{note_id}/transcript',
  record: note.shape.transcript.unwrap().element,
  at: 'transcript',
  paging,
  // Granola's maximum.
  query: { page_size: 100 },
} satisfies Resource;

const toWholeNote = readDeclared('Granola', wholeNote);

/** Parses a note, which is at the top level of the response. */
export function readNote({ body }: VendorResponse): WholeNote {
  return toWholeNote(body);
}
