import { Router, type Request, type Response } from 'express';
import type { GongCompany } from './company.ts';
import { GongError, nothingFound } from './errors.ts';
import { inventLibrary } from './library.ts';
import { takePage } from './paging.ts';
import { readBody, readDays, readIds, readObject, readText, readWindow, requireText } from './requests.ts';
import type { ApiParts } from './routes.ts';
import { inventAnsweredScorecards, inventScorecards } from './scorecards.ts';
import {
  aggregateActivity,
  coachingOf,
  dailyActivity,
  interactionStats,
  windowFields,
  type Days,
} from './stats.ts';
import { inventTrackers } from './trackers.ts';
import type { WireUser } from './users.ts';

/** Serves the endpoints for settings, the library, statistics and coaching. */
export function insightRoutes({ enter, requestId }: ApiParts): Router {
  const router = Router();

  router.get('/v2/settings/scorecards', (request, response) => {
    const company = enter(request, response, 'api:settings:scorecards:read');
    const scorecards = inventScorecards(company).filter(inWorkspace(request));
    if (scorecards.length === 0) throw nothingFound('scorecards');
    response.json({ requestId: requestId(), scorecards });
  });

  router.get('/v2/settings/trackers', (request, response) => {
    const company = enter(request, response, 'api:settings:trackers:read');
    const keywordTrackers = inventTrackers(company).filter(inWorkspace(request));
    if (keywordTrackers.length === 0) throw nothingFound('trackers');
    response.json({ requestId: requestId(), keywordTrackers });
  });

  router.get('/v2/library/folders', (request, response) => {
    const company = enter(request, response, 'api:library:read');
    const workspaceId = requireText(request.query, 'workspaceId');
    const folders = inventLibrary(company).filter(folder => folder.workspaceId === workspaceId);
    if (folders.length === 0) throw nothingFound('folders');
    response.json({ requestId: requestId(), folders: folders.map(({ wire }) => wire) });
  });

  router.get('/v2/library/folder-content', (request, response) => {
    const company = enter(request, response, 'api:library:read');
    const folderId = requireText(request.query, 'folderId');
    const folder = inventLibrary(company).find(({ wire }) => wire.id === folderId);
    if (!folder) throw new GongError(404, `Folder ${folderId} was not found`);
    const { id, name, createdBy, updated } = folder.wire;
    const { items, records } = takePage(folder.calls, {
      plural: 'calls',
      cursor: readText(request.query, 'cursor'),
      boundTo: ['folder', company.account.id, folderId],
      idOf: call => call.callId,
    });
    response.json({ requestId: requestId(), records, calls: items, id, name, createdBy, updated });
  });

  router.post('/v2/stats/activity/aggregate', (request, response) => {
    const company = enter(request, response, 'api:stats:user-actions');
    const { users, records, days } = userPage(request, company);
    const usersAggregateActivityStats = users.map(user => aggregateActivity(company, user, days));
    response.json({ requestId: requestId(), records, usersAggregateActivityStats, ...windowFields(days) });
  });

  router.post('/v2/stats/activity/day-by-day', (request, response) => {
    const company = enter(request, response, 'api:stats:user-actions');
    const { users, records, days } = userPage(request, company);
    const usersDetailedActivities = users.map(user => dailyActivity(company, user, days));
    response.json({ requestId: requestId(), records, usersDetailedActivities });
  });

  router.post('/v2/stats/interaction', (request, response) => {
    const company = enter(request, response, 'api:stats:interaction');
    const { users, records, days } = userPage(request, company);
    const peopleInteractionStats = users.map(user => interactionStats(company, user, days));
    response.json({ requestId: requestId(), records, peopleInteractionStats, ...windowFields(days) });
  });

  router.post('/v2/stats/activity/scorecards', (request, response) => {
    const company = enter(request, response, 'api:stats:scorecards');
    sendAnsweredScorecards(request, response, company, requestId());
  });

  // Gong's documentation and its clients disagree about the path.
  router.get(['/v2/coaching', '/v2/coaching/metrics'], (request, response) => {
    const company = enter(request, response, 'api:stats:user-actions');
    const managerId = requireText(request.query, 'manager-id');
    requireText(request.query, 'workspace-id');
    const [fromDateTime, toDateTime] = [requireText(request.query, 'from'), requireText(request.query, 'to')];
    readWindow({ fromDateTime, toDateTime });
    const team = company.users().filter(user => user.managerId === managerId);
    const coachingData = team.map(user => coachingOf(company, user, fromDateTime));
    response.json({ requestId: requestId(), coachingData, fromDateTime, toDateTime });
  });

  return router;
}

function userPage(
  request: Request,
  company: GongCompany,
): { users: readonly WireUser[]; records: unknown; days: Days } {
  const body = readBody(request);
  const filter = readObject(body, 'filter') ?? {};
  const days = readDays(filter);
  const userIds = readIds(filter, 'userIds');
  const { items, records } = takePage(
    company.users().filter(user => !userIds || userIds.has(user.id)),
    {
      plural: 'users',
      cursor: readText(body, 'cursor'),
      boundTo: [request.path, company.account.id, days, [...(userIds ?? [])]],
      idOf: user => user.id,
    },
  );
  return { users: items, records, days };
}

/** Sends answered scorecards. Supports filters by date-time, and by the dates of calls and reviews. */
function sendAnsweredScorecards(
  request: Request,
  response: Response,
  company: GongCompany,
  requestId: string,
): void {
  const body = readBody(request);
  const filter = readObject(body, 'filter') ?? {};
  const { fromMs, toMs } = readWindow(filter);
  const days = ['callFromDate', 'callToDate', 'reviewFromDate', 'reviewToDate'].map(name =>
    readText(filter, name),
  );
  const [callFrom = '', callTo = '9', reviewFrom = '', reviewTo = '9'] = days;
  const ids = ['scorecardIds', 'reviewedUserIds', 'reviewerUserIds', 'callIds'].map(name =>
    readIds(filter, name),
  );
  const [scorecardIds, reviewedUserIds, reviewerUserIds, callIds] = ids;
  const matching = inventAnsweredScorecards(company).filter(({ call, answered }) => {
    const calledOn = new Date(call.filterMs).toISOString().slice(0, 10);
    const reviewedOn = String(answered['reviewTime']).slice(0, 10);
    return (
      call.filterMs >= fromMs &&
      call.filterMs < toMs &&
      calledOn >= callFrom &&
      calledOn < callTo &&
      reviewedOn >= reviewFrom &&
      reviewedOn < reviewTo &&
      (!scorecardIds || scorecardIds.has(answered.scorecardId)) &&
      (!reviewedUserIds || reviewedUserIds.has(answered.reviewedUserId)) &&
      (!reviewerUserIds || reviewerUserIds.has(answered.reviewerUserId)) &&
      (!callIds || callIds.has(answered.callId))
    );
  });
  const filterKey = [String(fromMs), String(toMs), days, ids.map(set => [...(set ?? [])])];
  const { items, records } = takePage(matching, {
    plural: 'answered scorecards',
    cursor: readText(body, 'cursor'),
    boundTo: ['answered scorecards', company.account.id, filterKey],
    idOf: ({ answered }) => answered.answeredScorecardId,
  });
  response.json({ requestId, records, answeredScorecards: items.map(({ answered }) => answered) });
}

/** Returns a filter for the requested workspace. Company-wide items belong to every workspace. */
function inWorkspace(request: Request): (item: Readonly<Record<string, unknown>>) => boolean {
  const workspaceId = readText(request.query, 'workspaceId');
  return item =>
    workspaceId === undefined || item['workspaceId'] === null || item['workspaceId'] === workspaceId;
}
