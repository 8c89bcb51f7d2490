import { Router } from 'express';
import { createTokenBucket } from '../rate-limit.ts';
import { sendReply } from '../reply.ts';
import { SandboxError } from '../sandbox-error.ts';
import type { Grant } from '../tokens.ts';
import type { Credential, Simulation, Vendor, VendorContext } from '../vendor.ts';
import { createAccounts, LARGE_ADVERTISER_ADS, type Account, type Accounts } from './account.ts';
import { ADVERTISERS, renderAdvertiser } from './advertisers.ts';
import { signedUrls } from './assets.ts';
import { AUDIENCE_COUNT, renderAudience } from './audiences.ts';
import { CODES, createRequestIds, endpoint, envelope, TikTokError, badParameter } from './envelope.ts';
import { listEntities } from './entity-lists.ts';
import { IMAGE_COUNT, renderImage } from './images.ts';
import { grantAccess, oauthRoutes, readGrant } from './oauth.ts';
import { cutPage, readParameters, type PageInfo, type Parameters } from './parameters.ts';
import { countAds, runReport } from './report.ts';
import { readReportRequest } from './report-request.ts';
import { renderVideo, VIDEO_COUNT } from './videos.ts';

const APP = {
  name: 'Connector Auth (sandbox)',
  clientId: '7100000000000000001',
  clientSecret: 'tiktok-sandbox-secret-4f0c2b',
};

const OWN_APP = {
  name: 'An integrator’s own app',
  clientId: '7100000000000000002',
  clientSecret: 'tiktok-sandbox-own-secret-91aa7e',
};

/** What the person owns whose token can be pasted. */
const OWNER = 'marketing@tidewater.example';

/** Calls per second of an app of the lowest level, and of an ad account at one path. */
const APP_LIMIT = { burst: 10, perSecond: 10 };
const PATH_LIMIT = { burst: 20, perSecond: 20 };

/** Above this many ids the vendor warns in a header. */
const THROTTLE_ADS = 20_000;

/** TikTok Marketing (API for Business v1.3): HTTP 200 with a `code` for everything, errors included. */
export const tiktokMarketing: Vendor = {
  key: 'tiktok-marketing',
  name: 'TikTok Marketing',
  hosts: ['business-api.tiktok.com'],
  dialect: {
    rateLimited: () =>
      envelope(CODES.rateLimited, 'App reaches the QPS limit.', {}, '2026112012000001018904F01D'),
    failure: status => {
      if (status >= 502 && status <= 504) {
        // Only gateways answer with a status of their own.
        return {
          status,
          headers: { 'Content-Type': 'text/html' },
          body: `<html><body>${status}</body></html>`,
        };
      }
      const [code, message] = FAILURES[status] ?? [CODES.systemError, 'System error.'];
      return envelope(code, message, {}, '2026112012000001018904F02D');
    },
  },
  settings: { [LARGE_ADVERTISER_ADS]: 0 },
  oauthApps: [APP, OWN_APP],
  simulate,
};

const FAILURES: Record<number, readonly [number, string]> = {
  400: [CODES.badParameter, 'Invalid parameters.'],
  401: [CODES.badToken, 'Access token is incorrect or has been revoked.'],
  403: [CODES.noPermission, 'No permission.'],
  404: [CODES.notExisting, 'The object does not exist.'],
};

function simulate(context: VendorContext): Simulation {
  const accounts = createAccounts(context.random, context.clock, context.settings);
  const requestId = createRequestIds(context.clock);
  const limit = createLimiter(context);
  const router = Router({ strict: true });
  router.use(oauthRoutes(context, accounts, requestId));

  /** An endpoint that needs a token; what it gives becomes `data`. */
  const get = (path: string, run: (call: Call) => unknown): void => {
    router.get(
      `/open_api/v1.3${path}`,
      endpoint(requestId, (request, response) => {
        const grant = readGrant(context, request);
        const parameters = readParameters(request);
        limit(grant, parameters.text('advertiser_id') ?? '', path);
        return run({ grant, parameters, setHeader: (name, value) => void response.set(name, value) });
      }),
    );
  };
  const library = (
    path: string,
    render: (account: Account, index: number) => unknown,
    count: number,
    sizes: Sizes,
  ): void =>
    get(path, ({ grant, parameters }) => {
      const account = openAccount(accounts, grant, parameters.required('advertiser_id'));
      return listLibrary(account, parameters, { render, count, sizes });
    });
  const urls = (): ReturnType<typeof signedUrls> => signedUrls(Math.floor(context.clock.now() / 1000));

  get('/oauth2/advertiser/get/', ({ grant, parameters }) => {
    const app = context.apps.authenticate(parameters.required('app_id'), parameters.required('secret'));
    if (app?.clientId !== grant.clientId)
      throw new TikTokError(CODES.badApp, 'App id or secret is incorrect.');
    const list = accounts.advertisers().filter(({ id }) => grant.resources.includes(id));
    return { list: list.map(({ id, name }) => ({ advertiser_id: id, advertiser_name: name })) };
  });
  get('/user/info/', ({ grant }) => renderUser(grant.account));
  get('/advertiser/info/', ({ grant, parameters }) => listAdvertisers(accounts, grant, parameters));
  for (const kind of ['campaign', 'adgroup', 'ad'] as const) {
    get(`/${kind}/get/`, ({ grant, parameters }) =>
      listEntities(kind, openAccount(accounts, grant, parameters.required('advertiser_id')), parameters),
    );
  }
  library('/dmp/custom_audience/list/', renderAudience, AUDIENCE_COUNT, { fallback: 10, max: 100 });
  library(
    '/file/image/ad/search/',
    (account, index) => renderImage(account, index, urls()),
    IMAGE_COUNT,
    FILES,
  );
  library(
    '/file/video/ad/search/',
    (account, index) => renderVideo(account, index, urls()),
    VIDEO_COUNT,
    FILES,
  );
  get('/report/integrated/get/', ({ grant, parameters, setHeader }) => {
    const ids = parameters.strings('advertiser_ids') ?? [parameters.required('advertiser_id')];
    if (ids.length === 0 || ids.length > 5)
      throw badParameter('advertiser_ids: Length must be between 1 and 5.');
    const request = readReportRequest(parameters);
    const opened = ids.map(id => openAccount(accounts, grant, id));
    if (countAds(opened, request) > THROTTLE_ADS) setHeader('X-Tt-Ads-Throttle', 'true');
    return runReport(opened, request, parameters);
  });
  router.use('/open_api/:version', (request, response, next) => {
    if (request.params.version === 'v1.3') return next();
    return sendReply(response, envelope(40006, 'The API version is not supported.', {}, requestId()));
  });
  return {
    router,
    credentials: () => listCredentials(context, accounts),
    actions: {
      /** Ends every token of a business, as removing the app in its settings does: `{owner?}`. */
      'revoke-consent': ({ owner }) => {
        const owners = [...new Set(ADVERTISERS.map(advertiser => advertiser.owner))];
        if (owner !== undefined && !owners.some(known => known === owner)) {
          throw new SandboxError(`no such owner; there are: ${owners.join(', ')}`);
        }
        context.tokens.revokeAccount(typeof owner === 'string' ? owner : undefined);
      },
    },
  };
}

interface Call {
  readonly grant: Grant;
  readonly parameters: Parameters;
  readonly setHeader: (name: string, value: string) => void;
}

interface Sizes {
  readonly fallback: number;
  readonly max: number;
}

const FILES: Sizes = { fallback: 20, max: 100 };

function createLimiter({
  clock,
  rateLimits,
}: VendorContext): (grant: Grant, advertiserId: string, path: string) => void {
  const perApp = createTokenBucket(clock, APP_LIMIT);
  const perPath = createTokenBucket(clock, PATH_LIMIT);
  return (grant, advertiserId, path) => {
    if (!rateLimits) return;
    if (perApp.take(grant.clientId) > 0)
      throw new TikTokError(CODES.rateLimited, 'App reaches the QPS limit.');
    if (perPath.take(`${advertiserId} ${path}`) === 0) return;
    throw new TikTokError(
      40133,
      `Advertiser (${advertiserId})'s QPS (21) reaches QPS limit 20 for current path, request is temporarily restricted.`,
    );
  };
}

function openAccount(accounts: Accounts, grant: Grant, advertiserId: string): Account {
  const account = grant.resources.includes(advertiserId) ? accounts.find(advertiserId) : undefined;
  if (!account)
    throw new TikTokError(CODES.noPermission, `No permission to operate advertiser ${advertiserId}`);
  return account;
}

function listAdvertisers(accounts: Accounts, grant: Grant, parameters: Parameters): { list: unknown[] } {
  parameters.required('advertiser_ids');
  const ids = parameters.strings('advertiser_ids') ?? [];
  if (ids.length === 0 || ids.length > 100)
    throw badParameter('advertiser_ids: Length must be between 1 and 100.');
  const fields = parameters.strings('fields');
  const list = ids.map(id => renderAdvertiser(openAccount(accounts, grant, id).advertiser));
  if (!fields) return { list };
  return {
    list: list.map(one => Object.fromEntries(Object.entries(one).filter(([name]) => fields.includes(name)))),
  };
}

/** Newest first; an ad account without ads has an empty library. */
function listLibrary(
  account: Account,
  parameters: Parameters,
  {
    render,
    count,
    sizes,
  }: { render: (account: Account, index: number) => unknown; count: number; sizes: Sizes },
): { list: unknown[]; page_info: PageInfo } {
  const held = account.portfolio.ad.count > 0 ? count : 0;
  const indexes = Array.from({ length: held }, (_, place) => held - 1 - place);
  const { rows, pageInfo } = cutPage(parameters, sizes, indexes);
  return { list: rows.map(index => render(account, index)), page_info: pageInfo };
}

function renderUser(owner: string): Record<string, unknown> {
  const isMarketing = owner === OWNER;
  return {
    core_user_id: isMarketing ? '7198812340011223041' : '7188812340099887762',
    display_name: isMarketing ? 'Tidewater Marketing' : 'Jo (Harbour Coffee)',
    email: 'm***@*******',
    create_time: 1675000000,
  };
}

function listCredentials(context: VendorContext, accounts: Accounts): Credential[] {
  const owned = ADVERTISERS.filter(({ owner }) => owner === OWNER).map(({ id }) => id);
  const token = context.tokens.issue('access', grantAccess(context, accounts, APP, owned));
  const names = accounts.advertisers().filter(({ id }) => owned.includes(id));
  return [
    {
      title: 'Access token of a business',
      description: `Opens ${names.map(({ id, name }) => `${name} (${id})`).join(', ')}.`,
      works: true,
      values: { access_token: token },
    },
    {
      title: 'Revoked access token',
      description: 'Refused with code 40105.',
      works: false,
      values: { access_token: '0f9b2e1c7d6a5948372615049382716afedcba98' },
    },
  ];
}
