/** The question “Which campaigns spent most last week?”: how a model finds the answer, and what the answer is. */
import { createClient } from '@connector-auth/api/client';
import type { ExampleStack } from './examples.ts';
import type { Script } from './scripted-model.ts';

const query = `SELECT campaign.id, campaign.name, metrics.cost_micros FROM campaign
  WHERE segments.date DURING LAST_WEEK_MON_SUN ORDER BY metrics.cost_micros DESC LIMIT 3`;

/** Finds the connector and its account, looks up the params, and reads the campaigns. */
export const findTopCampaigns: Script = (sources, described, campaigns) => {
  if (sources === undefined) return { tool: 'list_sources', given: {} };
  if (described === undefined) {
    return { tool: 'describe', given: { source: 'google-ads', entity: 'campaigns' } };
  }
  const { connector_id, settings } = sources.connections.find(
    ({ source }: { readonly source: string }) => source === 'google-ads',
  );
  const [account] = described.actions.list.params.required;
  const params = { [account]: settings.customer_id[0], query };
  if (campaigns === undefined) {
    return { tool: 'read', given: { connector_id, entity: 'campaigns', action: 'list', params } };
  }
  return { answer: toAnswer(campaigns.records) };
};

/** Returns the answer that the API gives now, without a model. */
export async function topCampaigns(
  { SERVICE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }: ExampleStack['environment'],
  customer: string,
): Promise<string> {
  const client = createClient({ baseUrl, clientId, clientSecret }).forCustomer(customer);
  const { data } = await client.connectors.list({ connector_type: 'google-ads' });
  const [{ id, replication_config }] = data as [(typeof data)[number]];
  // The declared setting.
  const { customer_id } = replication_config as { readonly customer_id: readonly [string] };
  const params = { customer_id: customer_id[0], query };
  const { result } = await client.execute(id, { entity: 'campaigns', action: 'list', params });
  // The declared record.
  return toAnswer(result as readonly CampaignSpend[]);
}

interface CampaignSpend {
  readonly campaign: { readonly id: bigint | number | string; readonly name: string };
  readonly metrics: { readonly costMicros: bigint | number | string };
}

function toAnswer(campaigns: readonly CampaignSpend[]): string {
  const lines = campaigns.map(
    ({ campaign, metrics }) => `${campaign.name} (${campaign.id}): ${metrics.costMicros} micros`,
  );
  return lines.join('\n');
}
