import { createClient } from '@connector-auth/api/client';
import { demoCustomers } from './customers.ts';
import { seed } from './seed.ts';

/** The customer whose sources are connected. */
export const seededCustomer = demoCustomers[0]?.id ?? '';

/** Connects the demo's sources in a service with these variables, which an example reads too. */
export async function seedService(
  variables: Readonly<Record<'SERVICE_URL' | 'CLIENT_ID' | 'CLIENT_SECRET', string>>,
  sandboxUrl: string,
): Promise<void> {
  const { SERVICE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = variables;
  await seed(createClient({ baseUrl, clientId, clientSecret }), sandboxUrl);
}
