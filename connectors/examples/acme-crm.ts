import { defineKind } from '@connector-auth/connectors/kind';
import {
  apiKey,
  byCursor,
  checkBy,
  create,
  failures,
  get,
  integer,
  list,
  oauth,
  rateLimit,
  search,
  syncByTime,
  update,
} from '@connector-auth/connectors/rest';
import { z } from 'zod';

const api = { name: 'Acme CRM', url: 'https://api.acme-crm.example/v1' };
const help = 'https://help.acme-crm.example/api';
const pages = {
  at: 'data',
  paging: byCursor({ param: 'cursor', next: 'next_cursor' }),
  query: { limit: 100 },
};
const changes = { field: 'updated_at', param: 'updated_since' };

const text = z.string().nullable();
const time = z.iso.datetime().nullable();

const contacts = {
  api,
  noun: 'contact',
  path: '/contacts',
  ...pages,
  record: z.object({
    id: z.string().describe('ID of the contact'),
    name: text,
    email: text,
    score: z.int().nullable(),
    updated_at: time,
  }),
};
const contact = { name: z.string().min(1), email: z.email().optional() };

const deals = {
  api,
  noun: 'deal',
  path: '/deals',
  ...pages,
  record: z.object({
    id: integer.describe('ID of the deal'),
    title: text,
    stage: z.enum(['open', 'won', 'lost']).nullable(),
    amount: z.number().nullable(),
    contact_id: text.describe('ID of the contact that the deal is with'),
    updated_at: time,
  }),
};
const deal = { title: z.string().min(1), stage: deals.record.shape.stage.optional() };
const dealId = z.string().regex(/^\d{1,19}$/, 'The ID of a deal is a number');

export default defineKind({
  key: 'acme-crm',
  name: api.name,
  definitionId: '6b1a3d52-2f64-4f0b-9d55-5a7c1e0b8f21',
  description: 'Contacts and deals',
  supportLevel: 'community',
  access: { reads: ['contacts', 'deals'], changes: ['contacts', 'deals'] },
  icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><circle cx="24" cy="24" r="20" fill="#335"/></svg>',
  environmentPrefix: 'OAUTH_ACME_CRM',
  hosts: ['api.acme-crm.example', 'login.acme-crm.example'],
  authMethods: [
    oauth(api, {
      description: 'Sign in and allow access to your contacts and deals.',
      helpUrl: help,
      authorizeUrl: 'https://login.acme-crm.example/authorize',
      tokenUrl: 'https://login.acme-crm.example/token',
      scopes: ['crm.read', 'crm.write'],
    }),
    apiKey({
      in: { header: 'x-api-key' },
      description: 'Create a key in Acme CRM under Settings → API.',
      instead: 'Use an API key instead',
      helpUrl: help,
    }),
  ],
  rateLimits: [rateLimit({ burst: 20, perSecond: 10 })],
  fullSyncCallsPerHour: 100,
  entities: {
    contacts: {
      title: 'Contacts',
      description: 'People and their email addresses',
      actions: {
        list: list(contacts),
        get: get(contacts),
        create: create(contacts, { params: contact }),
        update: update(contacts, { params: contact }),
      },
      search: search(contacts, {
        indexed: ['score', 'updated_at'],
        text: ['name', 'email'],
        sync: syncByTime(contacts, { ...changes, deleted: { ...contacts, path: '/contacts/deleted' } }),
      }),
    },
    deals: {
      title: 'Deals',
      description: 'Deals: title, stage, amount',
      actions: {
        list: list(deals, { params: { stage: z.enum(['open', 'won', 'lost']).optional() } }),
        get: get(deals, { id: dealId }),
        create: create(deals, { params: deal }),
        update: update(deals, { id: dealId, params: deal }),
      },
      search: search(deals, {
        indexed: ['stage', 'amount'],
        text: ['title'],
        sync: syncByTime(deals, changes),
      }),
    },
  },
  check: checkBy(api, { entity: 'contacts', path: '/me', account: 'account_id' }),
  readFailure: failures({ byCode: { workspace_suspended: 'permission' } }),
});
