import { Router } from 'express';
import { localTime } from '../advertising/calendar.ts';
import { memoize } from '../simulator/memoize.ts';
import { SandboxError } from '../simulator/sandbox-error.ts';
import {
  vendorHost,
  type Credential,
  type Simulation,
  type Vendor,
  type VendorContext,
} from '../simulator/vendor.ts';
import { ADWORDS_SCOPE, DEVELOPER_TOKENS } from './access.ts';
import { USERS, type Customer } from './customers.ts';
import { googleDialect } from './dialect.ts';
import { generateWorld } from './generate.ts';
import { OAUTH_SETTINGS, oauthRoutes } from './oauth.ts';
import { apiRoutes } from './routes.ts';
import { PAGE_ROWS } from './search-service.ts';

const API_HOST = 'googleads.googleapis.com';
const OAUTH_HOSTS = ['oauth2.googleapis.com', 'accounts.google.com', 'www.googleapis.com'];

const APP = {
  name: 'Fieldbook',
  clientId: '407408718192-sandbox.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-sandbox-secret-7d1c',
};
const OWN_APP = {
  name: 'Fieldbook (own app)',
  clientId: '512200934417-own.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-sandbox-own-secret-2b9e',
};

/** Simulates Google Ads (v22 to v25), including Google's OAuth, the query language and mutate requests. */
export const googleAds: Vendor = {
  key: 'google-ads',
  name: 'Google Ads',
  hosts: [API_HOST, ...OAUTH_HOSTS],
  dialect: googleDialect(createRequestIds('fault')),
  settings: { ...OAUTH_SETTINGS, [PAGE_ROWS]: 10_000 },
  oauthApps: [APP, OWN_APP],
  simulate,
};

function simulate(context: VendorContext): Simulation {
  const worldOf = memoize(
    (customer: Customer) => {
      const today = localTime(context.clock.dataNow, customer.timeZone).day;
      return generateWorld(customer, context.random.fork(customer.id), today);
    },
    customer => customer.id,
  );
  const api = apiRoutes(context, worldOf, createRequestIds('request'));
  const oauth = oauthRoutes(context);
  const router = Router();
  router.use((request, response, next) => {
    const chosen = vendorHost(response) === API_HOST ? api : oauth;
    chosen(request, response, next);
  });
  return {
    router,
    credentials: () => listCredentials(context),
    actions: {
      /**
       * Input `{user?}`. Revokes the tokens of one user or of all users, as happens when a user removes the
       * app in the Google account.
       */
      'revoke-consent': ({ user }) => {
        if (user !== undefined && !USERS.some(({ email }) => email === user)) {
          throw new SandboxError(`unknown user; known users: ${USERS.map(({ email }) => email).join(', ')}`);
        }
        context.tokens.revokeAccount(typeof user === 'string' ? user : undefined);
      },
      /** Expires all access tokens issued so far; refresh tokens stay valid. */
      'expire-access-tokens': () => context.tokens.expireAccessTokens(),
    },
  };
}

/** Returns a generator of request ids in Google's format: 22 characters of base64url. */
function createRequestIds(kind: string): () => string {
  let last = 0;
  return () =>
    Buffer.from(`${kind}-${String(++last).padStart(16, '0')}`)
      .toString('base64url')
      .slice(-22);
}

function listCredentials({ tokens }: VendorContext): Credential[] {
  const values = (email: string): Record<string, string> => {
    const grant = {
      account: email,
      clientId: APP.clientId,
      scopes: [ADWORDS_SCOPE],
      resources: [],
    };
    return {
      client_id: APP.clientId,
      client_secret: APP.clientSecret,
      refresh_token: tokens.issue('refresh', grant, { prefix: '1//' }),
      developer_token: DEVELOPER_TOKENS.approved,
    };
  };
  const [manager, single, , , nonUser] = USERS.map(({ email, description }) => ({
    email,
    description,
    values: values(email),
  }));
  if (!manager || !single || !nonUser) return [];
  return [
    {
      title: 'Manager account with clients',
      description: `${manager.email}: ${manager.description}. Try customer 6120459183. Customer 8150023344 needs login-customer-id 7330012455.`,
      works: true,
      values: manager.values,
    },
    {
      title: 'Single test account',
      description: `${single.email}: ${single.description} (3210045566).`,
      works: true,
      values: single.values,
    },
    {
      title: 'Developer token for test accounts only',
      description:
        'Lists accounts; calls to accounts other than test accounts return 403 DEVELOPER_TOKEN_NOT_APPROVED.',
      works: true,
      values: { ...manager.values, developer_token: DEVELOPER_TOKENS.testOnly },
    },
    {
      title: 'User without Google Ads',
      description: 'Rejected with 401 NOT_ADS_USER.',
      works: false,
      values: nonUser.values,
    },
    {
      title: 'Revoked refresh token',
      description: 'Rejected with invalid_grant.',
      works: false,
      values: { ...manager.values, refresh_token: '1//0gSandboxRevoked' },
    },
    ...USERS.flatMap(({ email, description, business, customerIds }) =>
      business === undefined
        ? []
        : [
            {
              title: description,
              description: `${email}: customer ${customerIds.join(', ')}.`,
              works: true,
              business,
              values: values(email),
            },
          ],
    ),
  ];
}
