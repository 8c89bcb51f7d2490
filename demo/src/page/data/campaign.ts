/** Changes campaigns in Google Ads. */
import { execute } from '../backend.ts';
import type { Row } from './fields.ts';
import { accountOf } from './names.ts';

export type CampaignStatus = 'ENABLED' | 'PAUSED';

/** A campaign of a connector. */
export interface CampaignRef {
  readonly connectorId: string;
  readonly customerId: string;
  readonly resourceName: string;
}

/** What Google Ads says about a campaign now, in the fields of its search record. */
export interface CampaignState {
  readonly record: Row;
  /** Names of its labels by their resource names. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Returns the campaign of a search record, or null if it is not one. */
export function campaignOf(connectorId: string, row: Row): CampaignRef | null {
  const resourceName = row['campaign.resource_name'];
  const customerId = accountOf(row);
  if (typeof resourceName !== 'string' || customerId === null) return null;
  return { connectorId, customerId, resourceName };
}

export async function setStatus(
  { connectorId, customerId, resourceName }: CampaignRef,
  status: CampaignStatus,
): Promise<void> {
  await execute(connectorId, 'campaigns', 'update', {
    customer_id: customerId,
    operations: [{ update: { resourceName, status } }],
  });
}

/**
 * Adds a label to a campaign.
 * @param known resource names of the account's labels by their names. A label that is not among them is created.
 */
export async function addLabel(
  campaign: CampaignRef,
  name: string,
  known: ReadonlyMap<string, string>,
): Promise<void> {
  const { connectorId, customerId, resourceName } = campaign;
  const label = known.get(name) ?? (await createLabel(campaign, name));
  await execute(connectorId, 'campaign_labels', 'create', {
    customer_id: customerId,
    operations: [{ create: { campaign: resourceName, label } }],
  });
}

interface Mutation {
  readonly results: readonly { readonly resourceName?: string }[];
}

async function createLabel({ connectorId, customerId }: CampaignRef, name: string): Promise<string> {
  const { result } = await execute<Mutation, null>(connectorId, 'labels', 'create', {
    customer_id: customerId,
    operations: [{ create: { name } }],
  });
  const created = result.results[0]?.resourceName;
  if (created === undefined) throw new Error('Google Ads didn’t create the label. Try again.');
  return created;
}

interface CampaignRow {
  readonly campaign: {
    readonly name?: string;
    readonly status?: string;
    readonly servingStatus?: string;
    readonly labels?: readonly string[];
  } | null;
}

interface LabelRow {
  readonly label: { readonly name?: string; readonly resourceName?: string } | null;
}

/** Reads a campaign from Google Ads, because search shows changes only after the next sync. */
export async function readCampaign(campaign: CampaignRef): Promise<CampaignState> {
  const { connectorId, customerId, resourceName } = campaign;
  const list = <Record>(entity: string, query: string) =>
    execute<readonly Record[], unknown>(connectorId, entity, 'list', { customer_id: customerId, query });
  const where = `WHERE campaign.resource_name = '${resourceName}'`;
  const [campaigns, labels] = await Promise.all([
    list<CampaignRow>(
      'campaigns',
      `SELECT campaign.name, campaign.status, campaign.serving_status, campaign.labels FROM campaign ${where}`,
    ),
    list<LabelRow>('campaign_labels', `SELECT label.name, label.resource_name FROM campaign_label ${where}`),
  ]);
  return {
    record: toRecord(campaigns.result[0]),
    labels: new Map(
      labels.result.flatMap(({ label }) =>
        label?.resourceName === undefined ? [] : [[label.resourceName, label.name ?? '']],
      ),
    ),
  };
}

function toRecord(row: CampaignRow | undefined): Row {
  const { name, status, servingStatus, labels } = row?.campaign ?? {};
  return {
    ...(name === undefined ? {} : { 'campaign.name': name }),
    ...(status === undefined ? {} : { 'campaign.status': status }),
    ...(servingStatus === undefined ? {} : { 'campaign.serving_status': servingStatus }),
    'campaign.labels': labels ?? [],
  };
}
