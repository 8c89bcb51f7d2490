import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { onlyDeclared, recordId } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import { list, search } from '../rest/actions.ts';
import { requestTo, type Values } from '../rest/api.ts';
import { fetchPage } from '../rest/resource.ts';
import { syncByTime } from '../rest/sync.ts';
import { en } from './messages/en.ts';
import { api, entries, listed, note, privateNames, readNote, wholeNote, type Note } from './wire.ts';

const day = z.iso.date('Use the format YYYY-MM-DD').optional();

const listParams = {
  page_size: z.int().min(1).max(30).optional().describe('Notes per page. Default: 10.'),
  created_before: day.describe('Only notes created before this day'),
  created_after: day.describe('Only notes created on or after this day'),
};

const getParams = z.strictObject({
  note_id: recordId(
    z
      .string()
      .regex(/^not_[A-Za-z0-9]{14}$/, 'A note ID is not_ followed by 14 letters or digits')
      .describe('Note ID'),
  ),
  include: z.literal('transcript').optional().describe('Set to `transcript` to include the transcript'),
});

/** The searchable fields of a note, on pages of Granola's maximum size. */
const searched = {
  ...listed,
  record: note.pick({ created_at: true, id: true, object: true, owner: true, title: true }),
  query: { page_size: 30 },
};

/** Meeting notes with a finished summary, newest first. */
export const notes = {
  ...en.notes,
  description: 'Meeting notes: summary, attendees, calendar event, transcript',
  actions: {
    list: list(listed, { summary: 'List notes, newest first', params: listParams }),
    get: defineAction({
      summary: 'Get a note, optionally with its transcript',
      params: getParams,
      record: wholeNote,
      privateFields: privateNames,
      run: getNote,
    }),
  },
  search: search(searched, {
    indexed: ['created_at', 'title'],
    text: ['title'],
    times: ['created_at'],
    // The list does not report deletions. It includes all searchable fields, so notes are not fetched individually.
    sync: syncByTime(searched, { field: 'updated_at', param: 'updated_after' }),
  }),
} as const satisfies Entity;

/** Gets a note. If its transcript is too long for one response (413), reads the transcript page by page. */
async function getNote({ note_id, include }: z.output<typeof getParams>, vendor: Vendor) {
  const request = (values: Values) =>
    requestTo(api, vendor.grant, { path: '/notes/{note_id}', values: { note_id, ...values } });
  const response = await vendor.send(request({ include }), { accept: [413] });
  if (response.status !== 413) return { result: readNote(response), connector_metadata: null };
  const withoutTranscript = readNote(await vendor.send(request({})));
  return {
    result: { ...withoutTranscript, transcript: await readTranscript(note_id, vendor) },
    connector_metadata: null,
  };
}

async function readTranscript(note_id: string, vendor: Vendor): Promise<Note['transcript']> {
  const read: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await fetchPage(entries, vendor, { note_id }, cursor);
    read.push(...page.records);
    cursor = page.next;
  } while (cursor !== null);
  // Vendors document field types but do not enforce them.
  return onlyDeclared(note.shape.transcript, read as NonNullable<Note['transcript']>);
}
