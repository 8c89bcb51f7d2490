import { Router } from 'express';
import { sendReply } from '../simulator/reply.ts';
import type { Grant } from '../simulator/tokens.ts';
import type { VendorContext } from '../simulator/vendor.ts';
import type { Account, Accounts } from './account.ts';
import type { PlannedCodes } from './actions.ts';
import { ADVERTISERS, OWNERS, renderAdvertiser } from './advertisers.ts';
import { signedUrls } from './assets.ts';
import { AUDIENCE_COUNT, renderAudience } from './audiences.ts';
import { listEntities } from './entity-lists.ts';
import { badParameter, CODES, endpoint, envelope, TikTokError } from './envelope.ts';
import { IMAGE_COUNT, renderImage } from './images.ts';
import { createLimiter } from './limits.ts';
import { readGrant } from './oauth.ts';
import { cutPage, readParameters, type PageInfo, type Parameters } from './parameters.ts';
import { readReportRequest } from './report-request.ts';
import { countAds, runReport } from './report.ts';
import { renderVideo, VIDEO_COUNT } from './videos.ts';

/** The name of the setting for the maximum number of report rows; 0 means no limit. */
export const MAX_REPORT_ROWS = 'maxReportRows';

/** TikTok adds a throttle header to reports with more ads than this. */
const THROTTLE_ADS = 20_000;

/** The dependencies of the endpoints. */
export interface ApiParts {
  readonly accounts: Accounts;
  readonly requestId: () => string;
  readonly planned: PlannedCodes;
}

/** Serves the read endpoints: accounts, entities, libraries and reports. */
export function apiRoutes(context: VendorContext, { accounts, requestId, planned }: ApiParts): Router {
  const limit = createLimiter(context);
  const router = Router({ strict: true });

  /** Adds an endpoint that requires a token; its result becomes `data`. */
  const get = (path: string, run: (call: Call) => unknown): void => {
    router.get(
      `/open_api/v1.3${path}`,
      endpoint(requestId, (request, response) => {
        const grant = readGrant(context, request);
        const parameters = readParameters(request);
        planned.throwNext();
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
    return runReport(opened, request, parameters, context.settings.number(MAX_REPORT_ROWS));
  });
  router.use('/open_api/:version', (request, response, next) => {
    if (request.params.version === 'v1.3') return next();
    return sendReply(
      response,
      envelope(CODES.badVersion, 'The API version is not supported.', {}, requestId()),
    );
  });
  return router;
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

/** Lists a library, newest first. The list is empty for an ad account without ads. */
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
  const isMarketing = owner === OWNERS.marketing;
  const business = ADVERTISERS.find(advertiser => advertiser.owner === owner)?.business;
  return {
    core_user_id: isMarketing ? '7198812340011223041' : '7188812340099887762',
    display_name: business?.name ?? (isMarketing ? 'Tidewater Marketing' : 'Jo (Harbour Coffee)'),
    email: 'm***@*******',
    create_time: 1675000000,
  };
}
