import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { onlyDeclared, recordId } from '../kind/record.ts';
import type { Vendor, VendorRequest } from '../kind/vendor.ts';
import { en } from './messages/en.ts';
import { syncNotes } from './sync.ts';
import {
  note,
  notesMeta,
  notesUrl,
  privateNames,
  readNote,
  readPage,
  readRecords,
  requestPage,
  wholeNote,
  type Note,
} from './wire.ts';

const listParams = z.strictObject({
  page_size: z.int().min(1).max(30).optional().describe('Notes per page. Default: 10.'),
  cursor: z.string().min(1).optional().describe('`cursor` of the previous page'),
  created_before: z.iso
    .date('Use the format YYYY-MM-DD')
    .optional()
    .describe('Only notes created before this day'),
  created_after: z.iso
    .date('Use the format YYYY-MM-DD')
    .optional()
    .describe('Only notes created on or after this day'),
});

const getParams = z.strictObject({
  note_id: recordId(
    z
      .string()
      .regex(/^not_[A-Za-z0-9]{14}$/, 'A note ID is not_ followed by 14 letters or digits')
      .describe('Note ID'),
  ),
  include: z.literal('transcript').optional().describe('Set to `transcript` to include the transcript'),
});

/** Meeting notes with a finished summary, newest first. */
export const notes = {
  ...en.notes,
  description: 'Meeting notes: summary, attendees, calendar event, transcript',
  actions: {
    list: defineAction({
      summary: 'List notes, newest first',
      params: listParams,
      record: note,
      metadata: notesMeta,
      run: async (params, vendor) => readPage(await vendor.send(requestPage(params))),
      nextPage: (params, { connector_metadata: { cursor, has_more } }) =>
        has_more && cursor !== null ? { ...params, cursor } : null,
    }),
    get: defineAction({
      summary: 'Get a note, optionally with its transcript',
      params: getParams,
      record: wholeNote,
      privateFields: privateNames,
      run: getNote,
    }),
  },
  search: {
    fields: { created_at: 'string', id: 'string', object: 'string', owner: 'object', title: 'string' },
    primaryKey: ['id'],
    indexed: ['created_at', 'title'],
    text: ['title'],
    times: ['created_at'],
    sync: syncNotes,
  },
} as const satisfies Entity;

/** Gets a note. If its transcript is too long for one response (413), reads the transcript page by page. */
async function getNote(params: z.output<typeof getParams>, vendor: Vendor) {
  const { note_id, include } = params;
  const response = await vendor.send(requestNote(note_id, include), { accept: [413] });
  if (response.status !== 413) return { result: readNote(response), connector_metadata: null };
  const withoutTranscript = readNote(await vendor.send(requestNote(note_id)));
  return {
    result: { ...withoutTranscript, transcript: await readTranscript(note_id, vendor) },
    connector_metadata: null,
  };
}

function requestNote(noteId: string, include?: 'transcript'): VendorRequest {
  return { method: 'GET', url: `${notesUrl}/${noteId}`, query: { include } };
}

const maxTranscriptPageSize = 100;

async function readTranscript(noteId: string, vendor: Vendor): Promise<Note['transcript']> {
  const entries: NonNullable<Note['transcript']> = [];
  let cursor: string | null = null;
  do {
    const query: VendorRequest['query'] = { page_size: maxTranscriptPageSize, cursor: cursor ?? undefined };
    const response = await vendor.send({ method: 'GET', url: `${notesUrl}/${noteId}/transcript`, query });
    const page = readRecords(response, 'transcript');
    // Vendors document field types but do not enforce them.
    entries.push(...(page.records as NonNullable<Note['transcript']>));
    ({ cursor } = page);
  } while (cursor !== null);
  return onlyDeclared(note.shape.transcript, entries);
}
