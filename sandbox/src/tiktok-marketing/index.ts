import { Router } from 'express';
import type { Credential, Simulation, Vendor, VendorContext } from '../simulator/vendor.ts';
import { createAccounts, LARGE_ADVERTISER_ADS, type Accounts } from './account.ts';
import { createPlannedCodes, tiktokActions } from './actions.ts';
import { ADVERTISERS, OWNERS } from './advertisers.ts';
import { tiktokDialect } from './dialect.ts';
import { createRequestIds } from './envelope.ts';
import { grantAccess, oauthRoutes } from './oauth.ts';
import { apiRoutes, MAX_REPORT_ROWS } from './routes.ts';

const APP = {
  name: 'Fieldbook',
  clientId: '7100000000000000001',
  clientSecret: 'tiktok-sandbox-secret-4f0c2b',
};
const OWN_APP = {
  name: 'Fieldbook (own app)',
  clientId: '7100000000000000002',
  clientSecret: 'tiktok-sandbox-own-secret-91aa7e',
};

/**
 * Simulates TikTok Marketing (API for Business v1.3), which returns HTTP 200 with a `code`, even for errors.
 */
export const tiktokMarketing: Vendor = {
  key: 'tiktok-marketing',
  name: 'TikTok Marketing',
  hosts: ['business-api.tiktok.com'],
  dialect: tiktokDialect(createRequestIds({ now: () => 0 })),
  settings: { [LARGE_ADVERTISER_ADS]: 0, [MAX_REPORT_ROWS]: 0 },
  oauthApps: [APP, OWN_APP],
  simulate,
};

function simulate(context: VendorContext): Simulation {
  const accounts = createAccounts(context.random, context.clock, context.settings);
  const requestId = createRequestIds(context.clock);
  const planned = createPlannedCodes();
  const router = Router({ strict: true });
  router.use(oauthRoutes(context, accounts, requestId));
  router.use(apiRoutes(context, { accounts, requestId, planned }));
  return {
    router,
    credentials: () => listCredentials(context, accounts),
    actions: tiktokActions(context, planned),
  };
}

function listCredentials(context: VendorContext, accounts: Accounts): Credential[] {
  const valuesFor = (ids: readonly string[]) => ({
    access_token: context.tokens.issue('access', grantAccess(accounts, OWN_APP, ids)),
    app_id: OWN_APP.clientId,
    secret: OWN_APP.clientSecret,
  });
  const owned = ADVERTISERS.filter(({ owner }) => owner === OWNERS.marketing).map(({ id }) => id);
  const names = accounts.advertisers().filter(({ id }) => owned.includes(id));
  return [
    {
      title: 'Business access token',
      description: `Gives access to ${names.map(({ id, name }) => `${name} (${id})`).join(', ')}. Its app lists them.`,
      works: true,
      values: valuesFor(owned),
    },
    {
      title: 'Revoked access token',
      description: 'Rejected with code 40105.',
      works: false,
      values: { access_token: '0f9b2e1c7d6a5948372615049382716afedcba98' },
    },
    ...ADVERTISERS.flatMap(({ id, name, business }) =>
      business === undefined
        ? []
        : [
            {
              title: `Business access token: ${name}`,
              description: `Gives access to ${name} (${id}).`,
              works: true,
              business: business.id,
              values: valuesFor([id]),
            },
          ],
    ),
  ];
}
