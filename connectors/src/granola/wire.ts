import { z } from 'zod';
import { brokenPage, requireRecords } from '../kind/failure.ts';
import { asObject, fillFields } from '../kind/record.ts';
import type { VendorRequest, VendorResponse } from '../kind/vendor.ts';

export const notesUrl = 'https://public-api.granola.ai/v1/notes';

/** A meeting note. A list leaves the details null: `calendar_event` and what stands below it here. */
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

/** Where a page of notes stands. */
export interface NotesMeta {
  cursor: string | null;
  has_more: boolean;
}

/** Query of a page: the vendor's own names. */
export interface PageParams {
  page_size?: number | undefined;
  cursor?: string | undefined;
  created_before?: string | undefined;
  created_after?: string | undefined;
  /** Not offered by the list action; synchronising uses it. */
  updated_after?: string | undefined;
}

/** The request for a page of notes. */
export function requestPage(params: PageParams): VendorRequest {
  return { method: 'GET', url: notesUrl, query: { ...params } };
}

/** A page of notes. */
export function readPage(response: VendorResponse): { result: Note[]; connector_metadata: NotesMeta } {
  const { records, cursor } = readRecords(response, 'notes');
  return { result: records.map(stateNote), connector_metadata: { cursor, has_more: cursor !== null } };
}

/**
 * The records of any page, and the cursor of the next. `hasMore` decides: on the last page a stale cursor may stand, or
 * none at all.
 * @throws ConnectorAuthError `vendor_failed` when the records are missing, or the cursor although there are more.
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

const stateNote = fillFields('Granola', note);

/** The note stands at the top level of the answer. */
export function readNote({ body }: VendorResponse): Note {
  return stateNote(asObject(body));
}
