import { defineKind } from '@connector-auth/connectors/kind';
import {
  apiKey,
  byCursor,
  checkBy,
  failures,
  get,
  list,
  rateLimit,
  search,
  syncByTime,
} from '@connector-auth/connectors/rest';
import { z } from 'zod';

// Change this example to your API: its address, how users sign in, and its records.
const api = { name: 'Acme CRM', url: 'https://api.acme-crm.example/v1' };
const help = 'https://help.acme-crm.example/api';

const contacts = {
  api,
  noun: 'contact',
  path: '/contacts',
  at: 'data',
  paging: byCursor({ param: 'cursor', next: 'next_cursor' }),
  query: { limit: 100 },
  record: z.object({
    id: z.string().describe('ID of the contact'),
    name: z.string().nullable(),
    email: z.string().nullable(),
    score: z.int().nullable(),
    updated_at: z.iso.datetime().nullable(),
  }),
};

export default defineKind({
  // Never change the key and this ID again: stored connections refer to them.
  key: 'acme-crm',
  definitionId: '00000000-0000-4000-8000-000000000000',
  name: api.name,
  description: 'Contacts',
  supportLevel: 'community',
  access: { reads: ['contacts'], changes: [] },
  icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><circle cx="24" cy="24" r="20" fill="#335"/></svg>',
  environmentPrefix: 'OAUTH_ACME_CRM',
  hosts: ['api.acme-crm.example'],
  authMethods: [
    apiKey({
      in: { header: 'x-api-key' },
      description: 'Create a key in Acme CRM under Settings → API.',
      helpUrl: help,
    }),
  ],
  rateLimits: [rateLimit({ burst: 20, perSecond: 10 })],
  fullSyncCallsPerHour: 100,
  entities: {
    contacts: {
      title: 'Contacts',
      description: 'People and their email addresses',
      actions: { list: list(contacts), get: get(contacts) },
      search: search(contacts, {
        indexed: ['score', 'updated_at'],
        text: ['name', 'email'],
        sync: syncByTime(contacts, { field: 'updated_at', param: 'updated_since' }),
      }),
    },
  },
  check: checkBy(api, { entity: 'contacts', path: '/me', account: 'account_id' }),
  readFailure: failures(),
});
