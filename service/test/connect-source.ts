import { createClient, type Client } from '@connector-auth/api/client';
import type { Agent } from 'undici';
import { expect } from 'vitest';
import type { Environment } from '../src/platform/config/environment.ts';
import { runCommand } from './command-process.ts';
import { until } from './until.ts';

export const searchNotes = { entity: 'notes', action: 'search' as const, params: { query: {} } };

/** Creates an organization and an application as operators do, and connects and searches a source as the application. */
export async function connectSource(
  url: string,
  adminKey: string,
  { environment = {}, dispatcher }: { environment?: Environment; dispatcher?: Agent } = {},
): Promise<{ client: Client; connector: string }> {
  const admin = async (...args: readonly string[]): Promise<Record<string, string>> => {
    const credentials = { CONNECTOR_AUTH_URL: url, CONNECTOR_AUTH_ADMIN_KEY: adminKey };
    const command = ['admin', ...args, '--json'];
    const { code, stdout, stderr } = await runCommand(command, { ...credentials, ...environment });
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, string>;
  };
  const { id: organization = '' } = await admin('createOrganization', '--name', 'Acme');
  const named = ['--name', 'Backend', '--organization-ids', organization];
  const { client_id: clientId = '', client_secret: clientSecret = '' } = await admin(
    'createApplication',
    ...named,
  );
  const client = createClient({ baseUrl: url, clientId, clientSecret, dispatcher });
  const { id: connector } = await client.connectors.create({
    customer_name: 'acme',
    connector_type: 'granola',
    name: 'Notes',
    credentials: { api_key: 'grn_sandbox_demo' },
  });
  await until(async () =>
    expect(await client.execute(connector, searchNotes)).toMatchObject({
      result: { data: expect.arrayContaining([expect.anything()]) as unknown },
    }),
  );
  return { client, connector };
}
