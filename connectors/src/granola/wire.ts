import { z } from 'zod';
import { brokenPage, requireRecords } from '../kind/failure.ts';
import { asObject, readDeclared } from '../kind/record.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';

export const notesUrl = 'https://public-api.granola.ai/v1/notes';

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

export const notesMeta = z.object({
  cursor: z.string().nullable().describe('Cursor of the next page; null on the last page'),
  has_more: z.boolean(),
});
export type NotesMeta = z.infer<typeof notesMeta>;

/** Query parameters for a page, under the vendor's names. */
export interface PageParams {
  page_size?: number | undefined;
  cursor?: string | undefined;
  created_before?: string | undefined;
  created_after?: string | undefined;
  /** Used by sync only and not available in the list action. */
  updated_after?: string | undefined;
}

export function requestPage(params: PageParams): VendorRequest {
  return { method: 'GET', url: notesUrl, query: { ...params } };
}

export function readPage(response: VendorResponse): { result: Note[]; connector_metadata: NotesMeta } {
  const { records, cursor } = readRecords(response, 'notes');
  return { result: records.map(toNote), connector_metadata: { cursor, has_more: cursor !== null } };
}

/**
 * Parses a page's records and the cursor for the next page. `hasMore` determines whether there is a next
 * page, because the last page may contain a stale cursor.
 * @throws ConnectorAuthError `vendor_failed` if the records are missing, or if the cursor is missing although
 * there is a next page.
 */
export function readRecords(
  response: VendorResponse,
  name: string,
): { records: readonly unknown[]; cursor: string | null } {
  const { [name]: records, hasMore, cursor } = asObject(response.body);
  const found = requireRecords('Granola', response, records, name);
  if (hasMore !== true) return { records: found, cursor: null };
  if (typeof cursor !== 'string' || cursor === '') throw brokenPage('Granola', response);
  return { records: found, cursor };
}

const toNote = readDeclared('Granola', note);
const toWholeNote = readDeclared('Granola', wholeNote);

/** Parses a note, which is at the top level of the response. */
export function readNote({ body }: VendorResponse): WholeNote {
  return toWholeNote(body);
}
