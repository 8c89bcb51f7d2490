/** A kind that tests load by `KINDS`, as an integrator writes one: with nothing but the public entries of the package. */
import { defineAction, defineKind, type Vendor } from '@connector-auth/connectors/kind';
import { z } from 'zod';

declare module '@connector-auth/connectors/names' {
  interface PackagedKinds {
    'acme-crm': true;
  }
}

const contact = z.object({
  id: z.string().describe('Id of the contact'),
  name: z.string().nullable(),
  score: z.int().nullable(),
});

const listParams = z.strictObject({ cursor: z.string().min(1).optional() });

async function readContacts(vendor: Vendor, cursor: string | undefined) {
  const { body } = await vendor.send({
    method: 'GET',
    url: 'https://api.acme-crm.example/v1/contacts',
    query: { cursor },
  });
  const page = z.object({ contacts: z.array(contact), next: z.string().nullable() }).parse(body);
  return { result: page.contacts, connector_metadata: { next: page.next } };
}

export default defineKind({
  key: 'acme-crm',
  name: 'Acme CRM',
  definitionId: '6b1a3d52-2f64-4f0b-9d55-5a7c1e0b8f21',
  description: 'Contacts',
  supportLevel: 'community',
  icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><circle cx="24" cy="24" r="20" fill="#335"/></svg>',
  environmentPrefix: 'OAUTH_ACME_CRM',
  hosts: ['api.acme-crm.example'],
  authMethods: [
    {
      id: 'api_key',
      type: 'credentials',
      title: 'API key',
      description: 'A key from the settings of Acme CRM',
      helpUrl: 'https://help.acme-crm.example/keys',
      fields: z.strictObject({ api_key: z.string().min(1).meta({ title: 'API key', writeOnly: true }) }),
      rejectedField: 'api_key',
      authorize: (request, { credentials }) => ({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${String(credentials['api_key'])}` },
      }),
      revocation: { pageUrl: 'https://app.acme-crm.example/keys' },
    },
  ],
  rateLimits: [],
  fullSyncCallsPerHour: 100,
  entities: {
    contacts: {
      description: 'People',
      actions: {
        list: defineAction({
          summary: 'List contacts',
          params: listParams,
          record: contact,
          metadata: z.object({ next: z.string().nullable() }),
          run: ({ cursor }, vendor) => readContacts(vendor, cursor),
          nextPage: (params, { connector_metadata: { next } }) =>
            next === null ? null : { ...params, cursor: next },
        }),
      },
      search: {
        fields: { id: 'string', name: 'string', score: 'integer' },
        primaryKey: ['id'],
        indexed: ['score'],
        text: ['name'],
        sync: {
          incremental: false,
          run: async function* (vendor, { position }) {
            // The position is one that this function yielded.
            let cursor = (position as string | null) ?? undefined;
            do {
              const { result, connector_metadata } = await readContacts(vendor, cursor);
              cursor = connector_metadata.next ?? undefined;
              yield {
                records: result,
                position: cursor ?? null,
                ...(cursor === undefined && { since: null }),
              };
            } while (cursor !== undefined);
          },
        },
      },
    },
  },
  check: {
    entity: 'contacts',
    action: 'list',
    run: async vendor => {
      await readContacts(vendor, undefined);
      return { account: null };
    },
  },
  readFailure: ({ status }) => {
    if (status < 400) return null;
    return { kind: status === 401 ? 'credentials' : status === 429 ? 'rate_limit' : 'vendor' };
  },
});
