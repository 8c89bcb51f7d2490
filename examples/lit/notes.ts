import { createClient } from '@connector-auth/api/client';
import { ConnectorAuthError, Granola } from '@connector-auth/connectors';

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const client = createClient({ baseUrl: SERVICE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });

/** Lists the customer's latest notes, or those whose title contains any of the words. */
export async function readNotes(customerName: string, words: string) {
  const { notes } = new Granola({ hosted: { client, customerName } });
  try {
    if (words === '') return (await notes.list({ page_size: 20 })).result;
    const query = { filter: { keyword: { title: words } }, sort: [{ created_at: 'desc' }] } as const;
    return (await notes.search({ query, limit: 20 })).result.data;
  } catch (error) {
    if (error instanceof ConnectorAuthError && error.code === 'connector_not_found') return [];
    throw error;
  }
}
