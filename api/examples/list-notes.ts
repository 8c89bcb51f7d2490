import { createClient } from '@connector-auth/api/client';

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const client = createClient({ baseUrl: SERVICE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });

for await (const connector of client.connectors.all({ customer_name: 'acme', connector_type: 'granola' })) {
  const { result } = await client.execute(connector.id, { entity: 'notes', action: 'list' });
  console.log(connector.name, result);
}
