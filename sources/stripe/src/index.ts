/** Stripe's API, version 2026-10-28.endive. */
import { asObject, defineKind } from '@connector-auth/connectors/kind';
import { bearer, checkBy, failures, get, list, rateLimit, search } from '@connector-auth/connectors/rest';
import { z } from 'zod';
import { syncByEvents } from './events.ts';
import { api, customers, invoices, subscriptions } from './resources.ts';

export default defineKind({
  key: 'stripe',
  name: api.name,
  definitionId: '3f6c3b0e-9d1b-4f43-8a0e-54d7f1a7c9b2',
  description: 'Customers, subscriptions and invoices',
  supportLevel: 'community',
  category: 'Payments',
  access: { reads: ['customers', 'subscriptions', 'invoices'], changes: [] },
  icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="11" fill="#4b45c6"/><path d="M10 18h28M10 30h28" stroke="#fff" stroke-width="5" stroke-linecap="round"/><path d="M16 24h16" stroke="#b9b5ff" stroke-width="5" stroke-linecap="round"/></svg>',
  environmentPrefix: 'OAUTH_STRIPE',
  hosts: ['api.stripe.com'],
  authMethods: [
    bearer({
      id: 'restricted_key',
      title: 'Restricted key',
      description: 'A key that can read customers, subscriptions, invoices and events.',
      example: 'rk_live_…',
      helpUrl: 'https://docs.stripe.com/keys/restricted-api-keys',
      revokeUrl: 'https://dashboard.stripe.com/apikeys',
      guide: {
        steps: [
          'In the Stripe Dashboard, open **Developers** → **API keys**.',
          'Choose **Create restricted key**.',
          'Set **Customers**, **Subscriptions**, **Invoices** and **Events** to **Read**.',
        ],
        url: 'https://dashboard.stripe.com/apikeys',
        who: 'Administrators and developers of your Stripe account',
      },
    }),
  ],
  // 25 requests a second to each endpoint, and in a sandbox to all of them: https://docs.stripe.com/rate-limits
  rateLimits: [rateLimit({ burst: 25, perSecond: 20 })],
  fullSyncCallsPerHour: 1_000,
  entities: {
    customers: {
      title: 'Customers',
      description: 'People and companies that pay',
      actions: {
        // https://docs.stripe.com/api/customers/list
        list: list(customers, { params: { email: z.string().optional() } }),
        get: get(customers),
      },
      search: search(customers, {
        indexed: ['created', 'delinquent', 'email'],
        text: ['description', 'email', 'name'],
        sync: syncByEvents(customers, 'customer.*'),
      }),
    },
    subscriptions: {
      title: 'Subscriptions',
      description: 'Subscriptions with their prices, canceled ones included',
      actions: {
        // https://docs.stripe.com/api/subscriptions/list
        list: list(subscriptions, { params: { customer: z.string().optional() } }),
        get: get(subscriptions),
      },
      search: search(subscriptions, {
        indexed: ['created', 'customer', 'status'],
        text: ['description'],
        sync: syncByEvents(subscriptions, 'customer.subscription.*'),
      }),
    },
    invoices: {
      title: 'Invoices',
      description: 'Invoices with their amounts and status',
      actions: {
        // https://docs.stripe.com/api/invoices/list
        list: list(invoices, {
          params: {
            customer: z.string().optional(),
            subscription: z.string().optional(),
            status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
          },
        }),
        get: get(invoices),
      },
      search: search(invoices, {
        indexed: ['created', 'customer', 'due_date', 'status', 'total'],
        text: ['customer_email', 'customer_name', 'description', 'number'],
        sync: syncByEvents(invoices, 'invoice.*'),
      }),
    },
  },
  // A key for these permissions cannot read which account it belongs to.
  check: checkBy(api, { entity: 'customers', path: '/customers', query: { limit: 1 } }),
  // https://docs.stripe.com/error-handling. A deleted customer is not an error of Stripe's:
  // https://docs.stripe.com/api/customers/retrieve
  readFailure: failures({
    message: ['error.message'],
    code: ['error.code', 'error.type'],
    isFailure: ({ body }) => asObject(body)['deleted'] === true,
    byStatus: { 200: 'not_found' },
  }),
});
