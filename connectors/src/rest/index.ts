/**
 * A kit for kinds whose vendor has a REST or GraphQL API: plain functions that return what `defineKind` expects, so that each one
 * can be replaced by code of your own. This is a complete kind:
 *
 * ```ts
 * import { defineKind } from '@connector-auth/connectors/kind';
 * import { apiKey, byCursor, checkBy, failures, get, list, rateLimit, search, syncByTime } from '@connector-auth/connectors/rest';
 * import { z } from 'zod';
 *
 * const api = { name: 'Acme CRM', url: 'https://api.acme-crm.example/v1' };
 * const contact = z.object({ id: z.string(), name: z.string().nullable(), updated_at: z.iso.datetime().nullable() });
 * const contacts = { api, noun: 'contact', path: '/contacts', record: contact, at: 'data', paging: byCursor({ param: 'cursor', next: 'next' }) };
 *
 * export default defineKind({
 *   key: 'acme-crm',
 *   name: api.name,
 *   definitionId: '6b1a3d52-2f64-4f0b-9d55-5a7c1e0b8f21', // crypto.randomUUID()
 *   description: 'Contacts',
 *   supportLevel: 'community',
 *   icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><circle cx="24" cy="24" r="20"/></svg>',
 *   environmentPrefix: 'OAUTH_ACME_CRM',
 *   hosts: ['api.acme-crm.example'],
 *   authMethods: [apiKey({ in: { header: 'x-api-key' }, description: 'From your settings', helpUrl: 'https://acme-crm.example/help' })],
 *   rateLimits: [rateLimit({ burst: 10, perSecond: 5 })],
 *   fullSyncCallsPerHour: 100,
 *   entities: {
 *     contacts: {
 *       description: 'People',
 *       actions: { list: list(contacts), get: get(contacts) },
 *       search: search(contacts, { text: ['name'], sync: syncByTime(contacts, { field: 'updated_at', param: 'updated_since' }) }),
 *     },
 *   },
 *   check: checkBy(api, { entity: 'contacts', path: '/me', account: 'id' }),
 *   readFailure: failures(),
 * });
 * ```
 *
 * - Auth: `apiKey`, `bearer`, `basic`, `clientCredentials` and `oauth` return auth methods.
 * - Paging: `byCursor` (also for tokens, and in a header or a body), `byLink`, `byPage` and `byOffset`.
 * - Actions: `list`, `get`, `create` and `update` of a `Resource`; `graphql` is the `request` of one.
 * - Search: `search` with `syncAll`, `syncByTime` or `syncByCursor`.
 * - The rest of a kind: `rateLimit`, `checkBy` and `failures`. `integer` is the schema of ids with up to 19 digits.
 */
export { create, get, list, search, update } from './actions.ts';
export type { GetOptions, ListOptions, SearchOptions, WriteOptions } from './actions.ts';
export { graphql, requestTo, valueAt, type Api, type Values } from './api.ts';
export { apiKey, basic, bearer, clientCredentials } from './auth.ts';
export type {
  ApiKeyOptions,
  AuthTexts,
  BasicOptions,
  ClientCredentialsOptions,
  PastedField,
} from './auth.ts';
export { checkBy, type CheckOptions } from './check.ts';
export { failures, type FailureTable, type LimitHeaders } from './failures.ts';
export { rateLimit } from './limits.ts';
export { oauth, type OAuthOptions } from './oauth.ts';
export { byCursor, byLink, byOffset, byPage, type Page, type Paging } from './paging.ts';
export type { CursorPaging, LinkPaging, NumberedPaging } from './paging.ts';
export { fetchPage, type FetchedPage, type Resource } from './resource.ts';
export { integer } from './schemas.ts';
export { syncAll, syncByCursor, syncByTime } from './sync.ts';
export type { CursorSyncOptions, SyncOptions, TimeSyncOptions } from './sync.ts';
