/** A program of an integrator, compiled against the generated types. It prints what it read. */
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

const [baseUrl = '', clientId = '', clientSecret = '', apiKey = ''] = process.argv.slice(2);
const execute = '/api/v1/integrations/connectors/{id}/execute';

const api = createClient<paths>({ baseUrl });
const token = await api.POST('/api/v1/account/applications/token', {
  body: { client_id: clientId, client_secret: clientSecret },
});
api.use({
  onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${token.data?.access_token}`),
});

// Connect.
const created = await api.POST('/api/v1/integrations/connectors', {
  body: {
    customer_name: 'acme',
    connector_type: 'granola',
    name: 'Notes',
    credentials: { api_key: apiKey },
  },
});
if (created.error) throw new Error(created.error.detail);
const path = { id: created.data.id };

// Execute.
const list = await api.POST(`${execute}#granola.notes.list`, {
  params: { path },
  body: { entity: 'notes', action: 'list', params: { page_size: 2 } },
});
const titles: (string | null)[] | undefined = list.data?.result.map(note => note.title);
const hasMore: boolean | undefined = list.data?.connector_metadata.has_more;

// Wait until the records are synced, and search.
let state: components['schemas']['Connector']['sync'] | undefined;
do {
  state = (await api.GET('/api/v1/integrations/connectors/{id}', { params: { path } })).data?.sync;
} while (state?.status !== 'ready');
const search = await api.POST(`${execute}#granola.notes.search`, {
  params: { path },
  body: {
    entity: 'notes',
    action: 'search',
    params: { query: { filter: { neq: { title: null } }, sort: '-created_at' }, limit: 1 },
  },
});
const newest: string | null | undefined = search.data?.result.data[0]?.created_at;

// An error is typed too.
const wrong = await api.POST(`${execute}#granola.notes.get`, {
  params: { path },
  body: { entity: 'notes', action: 'get', params: { note_id: 'not_aaaaaaaaaaaaaa' } },
});
const code: components['schemas']['Problem']['code'] | undefined = wrong.error?.code;

console.log(JSON.stringify({ titles, hasMore, newest, code }));

// Each of these must not compile.
type Schemas = components['schemas'];
export const mistakes = [
  // @ts-expect-error the param is page_size
  { pageSize: 2 } satisfies Schemas['GranolaNotesListParams'],
  // @ts-expect-error the entity is notes
  { entity: 'note', action: 'list' } satisfies Schemas['GranolaNotesListRequest'],
  // @ts-expect-error there is no such operation
  `${execute}#granola.notes.delete` satisfies keyof paths,
  // @ts-expect-error `like` takes text
  { like: { title: 5 } } satisfies Schemas['GranolaNotesSearchFilter'],
  // @ts-expect-error a note has no name
  list.data?.result[0]?.name,
];
