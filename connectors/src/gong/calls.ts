import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { asObject, recordId } from '../kind/record.ts';
import { searchFieldsOf } from '../kind/search-fields.ts';
import { call, readCall } from './call-record.ts';
import { en } from './messages/en.ts';
import { onlyFullRunsFind, searchRecord, syncCalls } from './sync.ts';
import {
  cursor,
  get,
  id,
  isTimeRange,
  nextPage,
  pageMeta,
  readPage,
  timeRange,
  timeRangeOrder,
} from './wire.ts';

const fields = searchFieldsOf(call);

export const calls = {
  ...en.calls,
  description: 'Recorded calls: title, time, duration, owner, meeting',
  actions: {
    list: defineAction({
      summary: 'List calls, 100 per page',
      params: z
        .strictObject({
          ...timeRange,
          workspaceId: id.optional().describe('ID of the workspace whose calls to return'),
          cursor,
        })
        .refine(isTimeRange, timeRangeOrder),
      record: call,
      metadata: pageMeta,
      run: async (params, vendor) => readPage(await vendor.send(get('/v2/calls', params)), 'calls', readCall),
      nextPage: (params, { connector_metadata }) => nextPage(params, connector_metadata),
    }),
    get: defineAction({
      summary: 'Get a call',
      params: z.strictObject({ id: recordId(id.describe('Call ID')) }),
      record: call,
      run: async (params, vendor) => {
        const { body } = await vendor.send(get(`/v2/calls/${params.id}`));
        return { result: readCall(asObject(body)['call']), connector_metadata: null };
      },
    }),
  },
  search: {
    fields,
    primaryKey: ['id'],
    indexed: ['started', 'duration', 'primaryUserId', 'workspaceId', 'direction'],
    text: ['title'],
    times: ['scheduled', 'started'],
    sync: {
      incremental: true,
      onlyFullRunsFind,
      run: (vendor, start) =>
        syncCalls(vendor, start, {
          request: query => get('/v2/calls', query),
          read: readCall,
          metaDataOf: call => call,
          toSearchRecord: call => searchRecord(call, fields),
        }),
    },
  },
} as const satisfies Entity;
