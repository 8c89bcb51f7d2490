import { createClient, type Client } from '@connector-auth/api/client';
import { firstCustomer } from './customers.ts';
import { listOwnCredentials } from './sandbox.ts';

const dayMs = 86_400_000;

/**
 * Returns the sources that are connected from the start, with their settings. The others are left for the user to
 * connect, first of all one with OAuth. Some weeks of ads are enough for the page, and are imported within seconds.
 */
function seededSources(nowMs: number) {
  const firstDay = new Date(nowMs - 70 * dayMs).toISOString().slice(0, 10);
  return { 'google-ads': { customer_id: ['7725550142'], start_date: firstDay }, granola: {} };
}

/**
 * Connects sources for the first customer with the sandbox's credentials, unless they are connected already. Their
 * first sync continues in the service.
 */
export async function seed(client: Client, sandboxUrl: string): Promise<void> {
  const customerClient = client.forCustomer(firstCustomer.id, { access: 'write' });
  const [credentials, { data: connectors }] = await Promise.all([
    listOwnCredentials(sandboxUrl, firstCustomer.id),
    customerClient.connectors.list(),
  ]);
  const missing = Object.entries(seededSources(Date.now())).filter(
    ([source]) => !connectors.some(({ connector_type }) => connector_type === source),
  );
  for (const [source, replication_config] of missing) {
    const { name, values: [values] = [] } = credentials.find(each => each.source === source) ?? {};
    if (name === undefined || values === undefined) continue;
    await customerClient.connectors.create({
      connector_type: source,
      name,
      credentials: values,
      replication_config,
    });
  }
}

/** Connects the demo's sources in a service with these variables, which an example reads too. */
export async function seedService(
  variables: Readonly<Record<'SERVICE_URL' | 'CLIENT_ID' | 'CLIENT_SECRET', string>>,
  sandboxUrl: string,
): Promise<void> {
  const { SERVICE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = variables;
  await seed(createClient({ baseUrl, clientId, clientSecret }), sandboxUrl);
}
