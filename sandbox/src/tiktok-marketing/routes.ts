import { Router } from 'express';
import { sendReply } from '../simulator/reply.ts';
import type { Grant } from '../simulator/tokens.ts';
import type { VendorContext } from '../simulator/vendor.ts';
import type { Account, Accounts } from './account.ts';
import type { PlannedCodes } from './actions.ts';
import { renderAdGroup } from './ad-groups.ts';
import { renderAd } from './ads.ts';
import { ADVERTISERS, OWNERS, renderAdvertiser } from './advertisers.ts';
import { signedUrls } from './assets.ts';
import { AUDIENCE_COUNT, renderAudience } from './audiences.ts';
import { renderCampaign } from './campaigns.ts';
import { badParameter, CODES, endpoint, envelope, TikTokError } from './envelope.ts';
import { IMAGE_COUNT, renderImage } from './images.ts';
import { createLimiter } from './limits.ts';
import { readGrant } from './oauth.ts';
import { cutPage, readParameters, type Parameters } from './parameters.ts';
import type { Node } from './portfolio.ts';
import { readReportRequest } from './report-request.ts';
import { runReport } from './report.ts';
import { renderVideo, VIDEO_COUNT } from './videos.ts';

/** The name of the setting for the maximum number of report rows; 0 means no limit. */
export const MAX_REPORT_ROWS = 'maxReportRows';

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
  const get = (path: string, run: (grant: Grant, parameters: Parameters) => unknown): void => {
    router.get(
      `/open_api/v1.3${path}`,
      endpoint(requestId, request => {
        const grant = readGrant(context, request);
        const parameters = readParameters(request);
        planned.throwNext();
        limit(grant, parameters.text('advertiser_id') ?? '', path);
        return run(grant, parameters);
      }),
    );
  };
  /** Adds the list of one type of object of an ad account. */
  const list = <Item>(
    path: string,
    sizes: Sizes,
    itemsOf: (account: Account) => readonly Item[],
    render: (account: Account, item: Item) => Record<string, unknown>,
  ): void =>
    get(path, (grant, parameters) => {
      const account = openAccount(accounts, grant, parameters.required('advertiser_id'));
      const { rows, pageInfo } = cutPage(parameters, sizes, itemsOf(account));
      const records = rows.map(item => render(account, item));
      return { list: pickFields(records, parameters), page_info: pageInfo };
    });
  const urls = (): ReturnType<typeof signedUrls> => signedUrls(Math.floor(context.clock.now() / 1000));

  get('/oauth2/advertiser/get/', (grant, parameters) => {
    const app = context.apps.authenticate(parameters.required('app_id'), parameters.required('secret'));
    if (app?.clientId !== grant.clientId)
      throw new TikTokError(CODES.badApp, 'App id or secret is incorrect.');
    const list = accounts.advertisers().filter(({ id }) => grant.resources.includes(id));
    return { list: list.map(({ id, name }) => ({ advertiser_id: id, advertiser_name: name })) };
  });
  get('/user/info/', grant => renderUser(grant.account));
  get('/advertiser/info/', (grant, parameters) => {
    parameters.required('advertiser_ids');
    const ids = parameters.strings('advertiser_ids') ?? [];
    if (ids.length === 0 || ids.length > 100)
      throw badParameter('advertiser_ids: Length must be between 1 and 100.');
    const found = ids.map(id => renderAdvertiser(openAccount(accounts, grant, id).advertiser));
    return { list: pickFields(found, parameters) };
  });
  list('/campaign/get/', ENTITIES, ({ portfolio }) => listed(portfolio.campaign), renderCampaign);
  list('/adgroup/get/', ENTITIES, ({ portfolio }) => listed(portfolio.adGroup), renderAdGroup);
  list('/ad/get/', ENTITIES, ({ portfolio }) => listed(portfolio.ad), renderAd);
  list('/dmp/custom_audience/list/', AUDIENCES, libraryOf(AUDIENCE_COUNT), renderAudience);
  list('/file/image/ad/search/', FILES, libraryOf(IMAGE_COUNT), (account, index) =>
    renderImage(account, index, urls()),
  );
  list('/file/video/ad/search/', FILES, libraryOf(VIDEO_COUNT), (account, index) =>
    renderVideo(account, index, urls()),
  );
  get('/report/integrated/get/', (grant, parameters) => {
    const advertiserId = parameters.required('advertiser_id');
    const request = readReportRequest(parameters);
    const account = openAccount(accounts, grant, advertiserId);
    return runReport(account, request, parameters, context.settings.number(MAX_REPORT_ROWS));
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

interface Sizes {
  readonly fallback: number;
  readonly max: number;
}

const ENTITIES: Sizes = { fallback: 10, max: 1000 };
const AUDIENCES: Sizes = { fallback: 10, max: 100 };
const FILES: Sizes = { fallback: 20, max: 100 };

function openAccount(accounts: Accounts, grant: Grant, advertiserId: string): Account {
  const account = grant.resources.includes(advertiserId) ? accounts.find(advertiserId) : undefined;
  if (!account)
    throw new TikTokError(CODES.noPermission, `No permission to operate advertiser ${advertiserId}`);
  return account;
}

/** Lists campaigns, ad groups or ads, newest first. */
function listed<N extends Node>(nodes: readonly N[]): N[] {
  return nodes.filter(({ isListed }) => isListed).toReversed();
}

/** Lists the indexes of a library, newest first. The list is empty for an ad account without ads. */
function libraryOf(count: number): (account: Account) => number[] {
  return ({ portfolio }) =>
    portfolio.ad.length > 0 ? Array.from({ length: count }, (_, place) => count - 1 - place) : [];
}

/** Returns records with only the requested fields. */
function pickFields(
  records: readonly Record<string, unknown>[],
  parameters: Parameters,
): readonly Record<string, unknown>[] {
  const fields = parameters.strings('fields');
  if (!fields) return records;
  return records.map(record =>
    Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name))),
  );
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
