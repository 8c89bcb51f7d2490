import { connectorClass } from '../kind/connector.ts';
import type { Grant, OAuthApp } from '../kind/grants.ts';
import { defineKind, type CheckedAccount } from '../kind/kind.ts';
import { perDay } from '../kind/rate-limit.ts';
import type { Vendor, VendorRequest } from '../kind/vendor.ts';
import { accessibleCustomers } from './accessible-customers.ts';
import { accountChoice } from './account-choice.ts';
import { accounts } from './accounts.ts';
import { adGroupAdLabels } from './ad-group-ad-labels.ts';
import { adGroupAds } from './ad-group-ads.ts';
import { adGroupLabels } from './ad-group-labels.ts';
import { adGroups } from './ad-groups.ts';
import { ownApp } from './auth.ts';
import { campaignLabels } from './campaign-labels.ts';
import { campaigns } from './campaigns.ts';
import { readFailure } from './failure.ts';
import { fieldDescriptions } from './field-descriptions.ts';
import { icon } from './icon.ts';
import { labels } from './labels.ts';
import { en } from './messages/en.ts';
import { messages } from './messages/index.ts';
import { settings, settingsOf } from './settings.ts';
import { appExtras, signIn } from './sign-in.ts';
import { callerOf, host, idOfCustomer, readAccessibleCustomers, requestAccessibleCustomers } from './wire.ts';

export const googleAds = defineKind({
  key: 'google-ads',
  name: 'Google Ads',
  vendorName: 'Google',
  definitionId: '253487c0-2246-43ba-a21f-5116b20a2c50',
  description: en.description,
  fieldDescriptions,
  supportLevel: 'certified',
  category: en.category,
  access: { reads: en.reads, changes: en.changes },
  messages,
  icon,
  environmentPrefix: 'OAUTH_GOOGLE_ADS',
  appExtras,
  hosts: [host, 'oauth2.googleapis.com'],
  authMethods: [signIn, ownApp],
  settings,
  settingsWithoutSync: ['access_level'],
  accounts: accountChoice,
  // Basic access has 15,000 operations per day; standard access has no daily limit. Google publishes no
  // per-second limits.
  rateLimits: [
    {
      countedBy: 'developer token',
      subject: (grant, request, app) =>
        hasDailyLimit(grant, app) && !isFollowUpPage(request)
          ? (request.headers?.['developer-token'] ?? null)
          : null,
      ...perDay(15_000),
    },
  ],
  // All customers share the daily limit of a developer token, and one full sync of an account takes over 50 queries.
  fullSyncCallsPerHour: 0,
  entities: {
    accessible_customers: accessibleCustomers,
    accounts,
    campaigns,
    ad_groups: adGroups,
    ad_group_ads: adGroupAds,
    campaign_labels: campaignLabels,
    ad_group_labels: adGroupLabels,
    ad_group_ad_labels: adGroupAdLabels,
    labels,
  },
  check: { entity: 'accessible_customers', action: 'list', run: check },
  readFailure,
  examples: () => new URL('examples.json', import.meta.url),
});

/**
 * Connector for Google Ads: `new GoogleAds({ credentials }).campaigns.list({ customer_id: '6120459183' })`.
 */
export const GoogleAds = connectorClass(googleAds);

/**
 * Returns whether the developer token has a daily limit. The access level is in
 * `OAUTH_GOOGLE_ADS_ACCESS_LEVEL` for the operator's token, and in the settings for a customer's own token.
 */
function hasDailyLimit(grant: Grant, app: OAuthApp | null): boolean {
  const ownLevel = settingsOf(grant).access_level;
  return (grant.method === ownApp.id ? ownLevel : (app?.extras['access_level'] ?? ownLevel)) !== 'standard';
}

/** Returns whether a request is for a page after the first. Google counts only the first page of a query. */
function isFollowUpPage({ body }: VendorRequest): boolean {
  return typeof body === 'object' && body !== null && 'pageToken' in body;
}

/**
 * Verifies the access token and the developer token by listing the user's accounts. Google does not identify
 * the user, so one of the accounts identifies the connector, for as long as the user can access it.
 */
async function check(vendor: Vendor, knownAs: string | null = null): Promise<CheckedAccount> {
  const response = await vendor.send(requestAccessibleCustomers(callerOf(vendor)));
  const ids = readAccessibleCustomers(response).map(idOfCustomer).sort();
  return { account: knownAs !== null && ids.includes(knownAs) ? knownAs : (ids[0] ?? null), accounts: ids };
}
