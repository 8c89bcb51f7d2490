import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { fillFields } from '../kind/record.ts';
import { callFilter } from './calls-extensive.ts';
import { en } from './messages/en.ts';
import { cursor, nextPage, pageMeta, post, readPage } from './wire.ts';

/** A call's transcript by speaker. Sentence times are in milliseconds since the start of the call. */
export const callTranscript = z.object({
  callId: z.string(),
  transcript: z
    .array(
      z.object({
        speakerId: z.string().nullable(),
        topic: z.string().nullable(),
        sentences: z
          .array(z.object({ start: z.int(), end: z.int(), text: z.string().nullable() }))
          .nullable(),
      }),
    )
    .nullable(),
});
export type CallTranscript = z.infer<typeof callTranscript>;

export const readTranscript: (wire: unknown) => CallTranscript = fillFields('Gong', callTranscript);

export const callTranscripts = {
  ...en.callTranscripts,
  description: 'Call transcripts, sentence by sentence',
  actions: {
    list: defineAction({
      summary: 'List transcripts, 100 calls per page',
      params: z.strictObject({ filter: callFilter.optional(), cursor }),
      record: callTranscript,
      metadata: pageMeta,
      run: async ({ filter = {}, ...params }, vendor) =>
        readPage(
          await vendor.send(post('/v2/calls/transcript', { filter, ...params })),
          'callTranscripts',
          readTranscript,
        ),
      nextPage: (params, { connector_metadata }) => nextPage(params, connector_metadata),
    }),
  },
} as const satisfies Entity;
