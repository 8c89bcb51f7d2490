import { json, Router, type ErrorRequestHandler } from 'express';
import { BUSINESSES, businessOf } from '../invented/businesses.ts';
import { memoize } from '../simulator/memoize.ts';
import { createRandom } from '../simulator/random.ts';
import { createQuota, createTokenBucket } from '../simulator/rate-limit.ts';
import { sendReply } from '../simulator/reply.ts';
import {
  vendorHost,
  type Credential,
  type Simulation,
  type Vendor,
  type VendorContext,
} from '../simulator/vendor.ts';
import { GONG_ACCESS_KEYS, GONG_SCOPES, gongAccount, type GongAccount } from './accounts.ts';
import { gongActions } from './actions.ts';
import { createAuthenticator } from './authenticate.ts';
import { inventCompany } from './company.ts';
import { errorReply, gongDialect, GongError, tooFast } from './errors.ts';
import { issueTokens, oauthRoutes } from './oauth.ts';
import { apiRoutes, type ApiParts } from './routes.ts';

const OAUTH_HOST = 'app.gong.io';

/** Simulates Gong: recorded sales calls, with access keys or with OAuth and single-use refresh tokens. */
export const gong: Vendor = {
  key: 'gong',
  name: 'Gong',
  hosts: [OAUTH_HOST, 'api.gong.io', /^company-\d+\.api\.gong\.io$/],
  settings: {
    /** The lifetime of new access tokens. 0 issues tokens that are already expired. */
    accessTokenLifetimeSeconds: 86_400,
    /** Whether tokens also work on the generic host. Sources disagree on Gong's behavior. */
    genericHostTakesTokens: false,
  },
  oauthApps: [
    {
      name: 'Fieldbook',
      clientId: 'gong_sandbox_client',
      clientSecret: 'gong_sandbox_client_secret',
    },
    {
      name: 'Fieldbook (own app)',
      clientId: 'gong_sandbox_own_client',
      clientSecret: 'gong_sandbox_own_client_secret',
    },
  ],
  dialect: gongDialect(requestIds('dialect')),
  simulate,
};

function simulate(context: VendorContext): Simulation {
  const { random, clock, rateLimits } = context;
  const requestId = requestIds('requests');
  const companyOf = memoize(
    (account: GongAccount) => inventCompany(account, random.fork(account.id), clock),
    account => account.id,
  );
  const authenticator = createAuthenticator(context);
  const perSecond = createTokenBucket(clock, { burst: 3, perSecond: 3 });
  const perDay = createQuota(clock, { limit: 10_000, seconds: 86_400 });

  const enter: ApiParts['enter'] = (request, response, ...scopes) => {
    const account = authenticator.authenticate(request, response, ...scopes);
    const waitSeconds = rateLimits ? Math.max(perSecond.take(account.id), perDay.take(account.id)) : 0;
    if (waitSeconds > 0) throw tooFast(waitSeconds);
    return companyOf(account);
  };

  const api = Router();
  api.use(json({ limit: '1mb' }));
  api.use(apiRoutes({ enter, requestId }));
  api.use((request, response) => {
    authenticator.authenticate(request, response);
    throw new GongError(404, 'The requested resource does not exist');
  });
  api.use(errorHandler(requestId));

  const oauth = oauthRoutes(context);
  const router = Router();
  router.use((request, response, next) => {
    const chosen = vendorHost(response) === OAUTH_HOST ? oauth : api;
    chosen(request, response, next);
  });
  return {
    router,
    credentials: () => credentials(context),
    actions: gongActions(context, { companyOf, revokedKeys: authenticator.revokedKeys }),
  };
}

function errorHandler(requestId: () => string): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (error instanceof GongError) return sendReply(response, errorReply(requestId(), error));
    const isUnreadable = error instanceof Error && 'type' in error && error.type === 'entity.parse.failed';
    if (!isUnreadable) return next(error);
    return sendReply(response, errorReply(requestId(), new GongError(400, 'The body is not valid JSON')));
  };
}

function credentials(context: VendorContext): Credential[] {
  const [app] = context.apps.list();
  const pairs = GONG_ACCESS_KEYS.map(
    ({ title, description, account, accessKey, accessKeySecret, rejection }) => ({
      title,
      description,
      works: rejection === undefined,
      ...businessOf(account),
      values: { access_key: accessKey, access_key_secret: accessKeySecret },
    }),
  );
  if (!app) return pairs;
  const scopes = Object.keys(GONG_SCOPES);
  const { clientId, clientSecret } = app;
  const withTokens = ['lumen', ...BUSINESSES.map(({ id }) => id)].map(account => {
    const grant = { account, clientId, scopes, resources: [] };
    const { refresh_token: refreshToken } = issueTokens(context, grant);
    return {
      title: `OAuth refresh token: ${gongAccount(account).company}`,
      description: 'Works once. Reload this page for a new one.',
      works: true,
      ...businessOf(account),
      values: { refresh_token: String(refreshToken), client_id: clientId, client_secret: clientSecret },
    };
  });
  return [...pairs, ...withTokens];
}

/**
 * Returns a generator of request ids in Gong's format: 19 letters and digits, in the same sequence on every
 * run.
 */
function requestIds(purpose: string): () => string {
  const random = createRandom(`gong request ids/${purpose}`);
  return () => random.text(19, 'abcdefghijklmnopqrstuvwxyz0123456789');
}
