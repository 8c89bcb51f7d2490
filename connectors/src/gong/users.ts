import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import { asObject, fillFields, recordId } from '../kind/record.ts';
import { searchFieldsOf } from '../kind/search-fields.ts';
import { en } from './messages/en.ts';
import { searchRecord, syncUsers } from './sync.ts';
import { cursor, get, id, nextPage, pageMeta, readPage } from './wire.ts';

const text = z.string().nullable();
const flag = z.boolean().nullable();

export const user = z.object({
  id: z.string(),
  emailAddress: text,
  created: text.describe('ISO 8601'),
  active: flag,
  emailAliases: z.array(z.string()).nullable(),
  trustedEmailAddress: text,
  firstName: text,
  lastName: text,
  title: text,
  phoneNumber: text,
  extension: text,
  personalMeetingUrls: z.array(z.string()).nullable(),
  settings: z
    .object({
      webConferencesRecorded: flag,
      preventWebConferenceRecording: flag,
      telephonyCallsImported: flag,
      emailsImported: flag,
      preventEmailImport: flag,
      nonRecordedMeetingsImported: flag,
      gongConnectEnabled: flag,
    })
    .partial()
    .nullable(),
  managerId: text,
  meetingConsentPageUrl: text,
  spokenLanguages: z.array(z.object({ language: text, primary: flag }).partial()).nullable(),
});
export type User = z.infer<typeof user>;

export const readUser: (wire: unknown) => User = fillFields('Gong', user);

const fields = searchFieldsOf(user);

/** The company's users, who record calls or take part in them. */
export const users = {
  ...en.users,
  description: 'Company users: name, email address, manager, recording settings',
  actions: {
    list: defineAction({
      summary: 'List users, 100 per page',
      params: z.strictObject({
        cursor,
        includeAvatars: z
          .boolean()
          .optional()
          .describe('Whether to include synthetic users (Gong employees)'),
      }),
      record: user,
      metadata: pageMeta,
      run: async (params, vendor) => readPage(await vendor.send(get('/v2/users', params)), 'users', readUser),
      nextPage: (params, { connector_metadata }) => nextPage(params, connector_metadata),
    }),
    get: defineAction({
      summary: 'Get a user',
      params: z.strictObject({ id: recordId(id.describe('User ID')) }),
      record: user,
      run: async (params, vendor) => {
        const { body } = await vendor.send(get(`/v2/users/${params.id}`));
        return { result: readUser(asObject(body)['user']), connector_metadata: null };
      },
    }),
  },
  search: {
    fields,
    primaryKey: ['id'],
    indexed: ['active', 'created', 'emailAddress', 'managerId'],
    text: ['firstName', 'lastName', 'emailAddress', 'title'],
    times: ['created'],
    sync: {
      incremental: false,
      run: (vendor, start) => syncUsers(vendor, start, wire => searchRecord(readUser(wire), fields)),
    },
  },
} as const satisfies Entity;
