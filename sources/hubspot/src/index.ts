/** Version 3 of HubSpot's CRM API. */
import { defineKind, type AuthMethod } from '@connector-auth/connectors/kind';
import { bearer, checkBy, failures, oauth, rateLimit } from '@connector-auth/connectors/rest';
import { api, crmEntity, property } from './crm.ts';

/**
 * Version 3 of the OAuth endpoints; version 1 ends in February 2027. Refresh tokens can be used repeatedly:
 * https://developers.hubspot.com/docs/api-reference/auth-oauth-v3/guide
 */
const signIn: AuthMethod = oauth(api, {
  description: 'Sign in and allow access to your contacts, companies and deals.',
  helpUrl: 'https://knowledge.hubspot.com/integrations/connect-apps-to-hubspot',
  authorizeUrl: 'https://app.hubspot.com/oauth/authorize',
  tokenUrl: `${api.url}/oauth/v3/token`,
  // https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/scopes
  scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.companies.read', 'crm.objects.deals.read'],
  // The guide does not mention PKCE.
  usesPkce: false,
  revokeUrl: 'https://app.hubspot.com/l/settings/integrations',
});

export default defineKind({
  key: 'hubspot',
  name: api.name,
  definitionId: '0d8a1f6e-37c4-4b86-9a51-c2e5f0b7d913',
  description: 'Contacts, companies and deals',
  supportLevel: 'community',
  category: 'CRM',
  access: { reads: ['contacts', 'companies', 'deals'], changes: [] },
  icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="11" fill="#c24a2c"/><g fill="none" stroke="#fff" stroke-width="3"><circle cx="27" cy="28" r="8"/><path d="M27 20v-8M21 33l-8 5M14 14l7 9"/></g></svg>',
  environmentPrefix: 'OAUTH_HUBSPOT',
  hosts: ['api.hubapi.com'],
  authMethods: [
    signIn,
    bearer({
      id: 'private_app',
      title: 'Private app token',
      description: 'The access token of a private app that can read contacts, companies and deals.',
      instead: 'Use a private app token instead',
      example: 'pat-…',
      helpUrl: 'https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview',
      guide: {
        steps: [
          'In HubSpot, open **Settings** → **Integrations** → **Private Apps**.',
          'Create an app with the scopes **crm.objects.contacts.read**, **crm.objects.companies.read** and **crm.objects.deals.read**.',
          'Copy its access token.',
        ],
        url: 'https://app.hubspot.com/l/private-apps',
        who: 'Super admins of your HubSpot account',
      },
    }),
  ],
  // The lowest limits: 100 requests in 10 seconds for each app and account, and 5 searches a second.
  // https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines
  rateLimits: [
    rateLimit({ burst: 50, perSecond: 5 }),
    {
      ...rateLimit({ burst: 5, perSecond: 4 }),
      countedBy: 'credentials, for searches',
      subject: ({ credentials }, { url }) => (url.endsWith('/search') ? JSON.stringify(credentials) : null),
    },
  ],
  fullSyncCallsPerHour: 500,
  entities: {
    contacts: crmEntity(
      { noun: 'contact', plural: 'contacts', path: '/crm/v3/objects/contacts', modified: 'lastmodifieddate' },
      {
        email: property,
        firstname: property,
        lastname: property,
        phone: property,
        company: property,
        jobtitle: property,
        lifecyclestage: property,
        hubspot_owner_id: property,
      },
      { title: 'Contacts', description: 'People', text: ['email', 'firstname', 'lastname', 'company'] },
    ),
    companies: crmEntity(
      {
        noun: 'company',
        plural: 'companies',
        path: '/crm/v3/objects/companies',
        modified: 'hs_lastmodifieddate',
      },
      {
        name: property,
        domain: property,
        phone: property,
        industry: property,
        city: property,
        country: property,
        numberofemployees: property,
        lifecyclestage: property,
        hubspot_owner_id: property,
      },
      {
        title: 'Companies',
        description: 'Companies',
        text: ['domain', 'name'],
        decimals: ['numberofemployees'],
      },
    ),
    deals: crmEntity(
      { noun: 'deal', plural: 'deals', path: '/crm/v3/objects/deals', modified: 'hs_lastmodifieddate' },
      {
        dealname: property,
        amount: property.describe('In the currency of the deal'),
        deal_currency_code: property,
        dealstage: property,
        pipeline: property,
        closedate: property,
        hubspot_owner_id: property,
      },
      { title: 'Deals', description: 'Deals: name, amount, stage', text: ['dealname'], decimals: ['amount'] },
    ),
  },
  // https://developers.hubspot.com/docs/api-reference/legacy/account/account-information/guide
  check: checkBy(api, { entity: 'contacts', path: '/account-info/v3/details', account: 'portalId' }),
  // https://developers.hubspot.com/docs/api-reference/error-handling
  readFailure: failures({ code: ['category'] }),
});
