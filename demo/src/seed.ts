import type { Client } from '@connector-auth/api/client';
import { demoCustomers } from './customers.ts';
import { loadSandboxVendors } from './sandbox-vendors.ts';

/** The sources that are connected from the start. The others are left for the user to connect. */
const seededSources = ['google-ads', 'gong'] as const;

/**
 * Connects sources for the first customer with the sandbox's credentials, unless they are connected already. Their
 * first sync continues in the service.
 */
export async function seed(client: Client, sandboxUrl: string): Promise<void> {
  const [customer] = demoCustomers;
  if (!customer) return;
  const customerClient = client.forCustomer(customer.id, { access: 'write' });
  const [vendors, { data: connectors }] = await Promise.all([
    loadSandboxVendors(sandboxUrl),
    customerClient.connectors.list(),
  ]);
  const missing = seededSources.filter(
    source => !connectors.some(({ connector_type }) => connector_type === source),
  );
  for (const source of missing) {
    const vendor = vendors.find(({ key }) => key === source);
    const working = vendor?.credentials.find(({ works }) => works);
    if (!vendor || !working) continue;
    await customerClient.connectors.create({
      connector_type: source,
      name: vendor.name,
      credentials: working.values,
    });
  }
}
