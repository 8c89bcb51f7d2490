/** Compiled, never run: what callers may write, and what does not compile. */
import type { GoogleAdsCampaign } from '../index.ts';
import type { GoogleAds } from './index.ts';

declare const googleAds: InstanceType<typeof GoogleAds>;
const customer_id = '6120459183';
const seen: unknown[] = [];
const resourceName = `customers/${customer_id}/campaigns/1`;

export async function compiles(): Promise<void> {
  const page = await googleAds.execute('campaigns', 'list', { customer_id, pageSize: 100 });
  seen.push(page.result satisfies GoogleAdsCampaign[]);
  seen.push(page.connector_metadata.next_page_token satisfies string | null);
  seen.push(page.result[0]?.campaign?.id satisfies string | undefined);
  seen.push(page.result[0]?.metrics?.ctr satisfies number | undefined);

  const [record] = (await googleAds.accessible_customers.list()).result;
  seen.push(record?.resourceNames[0]?.customerId satisfies string | undefined);

  const { result } = await googleAds.ad_groups.update({
    customer_id,
    operations: [{ update: { resourceName, cpcBidMicros: '650000', status: 'PAUSED' } }],
  });
  seen.push(result.results[0]?.resourceName satisfies string | undefined);
  await googleAds.labels.create({ customer_id, operations: [{ create: { name: 'q3' } }, {}] });

  for await (const { adGroup, label } of googleAds.ad_group_labels.listAll({ customer_id })) {
    seen.push((adGroup?.name ?? label?.name) satisfies string | undefined);
  }
}

export async function doesNotCompile(): Promise<void> {
  // @ts-expect-error there is no such entity
  await googleAds.execute('keywords', 'list', { customer_id });
  // @ts-expect-error labels cannot be listed
  await googleAds.execute('labels', 'list', { customer_id });
  // @ts-expect-error campaigns cannot be created
  await googleAds.campaigns.create({ customer_id, operations: [] });
  // @ts-expect-error customer_id is required
  await googleAds.campaigns.list();
  // @ts-expect-error customer_id is required
  await googleAds.execute('campaigns', 'list', { pageSize: 1 });
  // @ts-expect-error customer_id is a string
  await googleAds.campaigns.list({ customer_id: 6120459183 });
  // @ts-expect-error there is no such parameter
  await googleAds.campaigns.list({ customer_id, page_size: 10 });
  // @ts-expect-error a page size is a number
  await googleAds.accounts.list({ customer_id, pageSize: '10' });
  // @ts-expect-error accessible_customers takes no params
  await googleAds.accessible_customers.list({ customer_id });
  // @ts-expect-error operations are required
  await googleAds.labels.create({ customer_id });
  await googleAds.campaigns.update({
    customer_id,
    // @ts-expect-error a campaign cannot be set to REMOVED here
    operations: [{ update: { resourceName, status: 'REMOVED' } }],
  });
  await googleAds.campaigns.update({
    customer_id,
    // @ts-expect-error campaigns have no bid
    operations: [{ update: { resourceName, cpcBidMicros: '1' } }],
  });
  await googleAds.ad_groups.update({
    customer_id,
    // @ts-expect-error a bid is a string of digits
    operations: [{ update: { resourceName, cpcBidMicros: 650_000 } }],
  });
  await googleAds.campaign_labels.create({
    customer_id,
    // @ts-expect-error a label is required
    operations: [{ create: { campaign: resourceName } }],
  });
  // @ts-expect-error labels have no list to iterate over
  googleAds.labels.listAll({ customer_id });
  const { result } = await googleAds.campaigns.list({ customer_id });
  // @ts-expect-error 64-bit integers are strings in list records
  seen.push(result[0]?.campaign?.id satisfies number | undefined);
  // @ts-expect-error a campaign's record has no ad group
  seen.push(result[0]?.adGroup satisfies unknown);
}
