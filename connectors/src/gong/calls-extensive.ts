import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { asObject, fillFields } from '../kind/record.ts';
import { call, readCall } from './call-record.ts';
import { en } from './messages/en.ts';
import { onlyFullRunsFind, searchRecord, syncCalls } from './sync.ts';
import {
  cursor,
  id,
  isTimeRange,
  nextPage,
  pageMeta,
  post,
  readPage,
  timeRange,
  timeRangeOrder,
} from './wire.ts';

const path = '/v2/calls/extensive';

const text = z.string().nullable();
const list = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object(shape).partial()).nullable();

/** A detailed call. Blocks that the content selector excludes are null. */
export const extensiveCall = z.object({
  metaData: call,
  context: z
    .array(z.record(z.string(), z.unknown()))
    .nullable()
    .describe('CRM objects. Present only with `contentSelector.context`.'),
  parties: z
    .array(
      z
        .object({
          id: text,
          emailAddress: text,
          name: text,
          title: text,
          userId: text,
          speakerId: text,
          affiliation: text,
          methods: z.array(z.string()).nullable(),
          phoneNumber: text,
          context: list({
            system: text,
            objects: list({
              objectType: text,
              objectId: text,
              fields: list({ name: text, value: z.union([z.string(), z.number()]).nullable() }),
            }),
          }),
        })
        .partial(),
    )
    .nullable(),
  interaction: z
    .object({
      interactionStats: list({ name: text, value: z.number().nullable() }),
      questions: z.object({ companyCount: z.int(), nonCompanyCount: z.int() }).partial().nullable(),
    })
    .partial()
    .nullable(),
  collaboration: z
    .object({ publicComments: z.array(z.record(z.string(), z.unknown())).nullable() })
    .partial()
    .nullable(),
  content: z
    .object({
      topics: list({ name: text, duration: z.number().nullable() }),
      trackers: list({
        id: text,
        name: text,
        count: z.int().nullable(),
        type: text,
        occurrences: z.array(z.record(z.string(), z.unknown())).nullable(),
      }),
      pointsOfInterest: z.record(z.string(), z.unknown()).nullable(),
    })
    .partial()
    .nullable()
    .describe(
      'Also contains the other selected content, such as brief, outline, highlights, keyPoints and callOutcome',
    ),
  media: z
    .object({ audioUrl: text, videoUrl: text })
    .partial()
    .nullable()
    .describe('Signed URLs that expire after a few hours'),
});
export type ExtensiveCall = z.infer<typeof extensiveCall>;

const fillBlocks = fillFields('Gong', extensiveCall);

export function readExtensiveCall(wire: unknown): ExtensiveCall {
  const filled = fillBlocks(wire);
  return { ...filled, metaData: readCall(asObject(filled.metaData)) };
}

/** Creates a schema for an object of optional booleans. */
const switches = <const Name extends string>(...names: Name[]) => {
  const shape = Object.fromEntries(names.map(name => [name, z.boolean().optional()]));
  // The entries are created from the names, so the keys are exactly the names.
  return z.strictObject(shape as Record<Name, z.ZodOptional<z.ZodBoolean>>).optional();
};

const contentSelector = z
  .strictObject({
    context: z.enum(['None', 'Basic', 'Extended', 'Full'], 'Use None, Basic, Extended or Full').optional(),
    contextTiming: z.array(z.enum(['Now', 'TimeOfCall'], 'Use Now or TimeOfCall')).optional(),
    exposedFields: z
      .strictObject({
        parties: z.boolean().optional(),
        media: z.boolean().optional(),
        content: switches(
          'structure',
          'topics',
          'trackers',
          'trackerOccurrences',
          'brief',
          'outline',
          'highlights',
          'keyPoints',
          'callOutcome',
          'pointsOfInterest',
        ),
        interaction: switches('speakers', 'video', 'personInteractionStats', 'questions'),
        collaboration: switches('publicComments'),
      })
      .optional(),
  })
  .describe('Blocks to return. Default: metaData only.');

/** Filter for calls. Default: all calls. */
export const callFilter = z
  .strictObject({
    ...timeRange,
    callIds: z
      .array(id)
      .min(1, 'Must contain at least one call ID')
      .optional()
      .describe('IDs of the calls to return'),
    workspaceId: id.optional().describe('ID of the workspace whose calls to return'),
  })
  .refine(isTimeRange, timeRangeOrder);

/** Selects everything except the recording, whose URLs would expire before a search returns them. */
const syncSelector: z.input<typeof contentSelector> = {
  context: 'Extended',
  contextTiming: ['Now', 'TimeOfCall'],
  exposedFields: {
    parties: true,
    content: {
      structure: true,
      topics: true,
      trackers: true,
      brief: true,
      outline: true,
      highlights: true,
      keyPoints: true,
      callOutcome: true,
    },
    interaction: { speakers: true, video: true, personInteractionStats: true, questions: true },
    collaboration: { publicComments: true },
  },
};

const fields = {
  id: 'string',
  startdatetime: 'string',
  collaboration: 'object',
  content: 'object',
  context: 'array',
  interaction: 'object',
  media: 'object',
  metaData: 'object',
  parties: 'array',
} as const;

export const callsExtensive = {
  ...en.callDetails,
  description: 'Detailed calls: participants, topics, trackers, statistics, comments',
  actions: {
    list: defineAction({
      summary: 'List detailed calls, 100 per page',
      params: z.strictObject({
        filter: callFilter.optional(),
        contentSelector: contentSelector.optional(),
        cursor,
      }),
      record: extensiveCall,
      metadata: pageMeta,
      run: async ({ filter = {}, ...params }, vendor) =>
        readPage(await vendor.send(post(path, { filter, ...params })), 'calls', readExtensiveCall),
      nextPage: (params, { connector_metadata }) => nextPage(params, connector_metadata),
    }),
  },
  search: {
    fields,
    primaryKey: ['id'],
    indexed: ['startdatetime'],
    text: [],
    times: ['startdatetime'],
    sync: {
      incremental: true,
      onlyFullRunsFind,
      run: (vendor, start) =>
        syncCalls(vendor, start, {
          request: ({ cursor, ...filter }) => post(path, { filter, contentSelector: syncSelector, cursor }),
          read: readExtensiveCall,
          metaDataOf: call => call.metaData,
          toSearchRecord: call =>
            searchRecord({ ...call, id: call.metaData.id, startdatetime: call.metaData.started }, fields),
        }),
    },
  },
} as const satisfies Entity;
