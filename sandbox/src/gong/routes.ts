import { Router, type Request, type Response } from 'express';
import type { Call } from './calls.ts';
import type { GongCompany } from './company.ts';
import { GongError, nothingFound } from './errors.ts';
import { writeExtensiveCall } from './extensive.ts';
import { takePage } from './paging.ts';
import {
  badRequest,
  readBody,
  readContentSelector,
  readIds,
  readObject,
  readText,
  readWindow,
  type Fields,
} from './requests.ts';
import { hasTranscript, writeTranscript } from './transcripts.ts';

/** The dependencies of the API routes. */
export interface ApiParts {
  /**
   * Authenticates the request and counts it towards the rate limit; throws a `GongError` if it is
   * unauthorized or rate limited.
   */
  readonly enter: (request: Request, response: Response, ...scopes: readonly string[]) => GongCompany;
  readonly requestId: () => string;
}

/** Serves the endpoints for users, calls, transcripts and workspaces. */
export function apiRoutes({ enter, requestId }: ApiParts): Router {
  const router = Router();

  router.get('/v2/users', (request, response) => {
    const company = enter(request, response, 'api:users:read');
    const { items, records } = takePage(company.users(), {
      plural: 'users',
      cursor: readText(request.query, 'cursor'),
      boundTo: ['users', company.account.id],
      idOf: user => user.id,
    });
    response.json({ requestId: requestId(), records, users: items });
  });

  router.get('/v2/users/:id', (request, response) => {
    const company = enter(request, response, 'api:users:read');
    const id = readId(request);
    const user = company.users().find(each => each.id === id);
    if (!user) throw new GongError(404, `User ${id} was not found`);
    response.json({ requestId: requestId(), user });
  });

  router.get('/v2/calls', (request, response) => {
    const company = enter(request, response, 'api:calls:read:basic');
    const { items, records } = callPage(company, request.query, readText(request.query, 'cursor'), 'calls');
    response.json({ requestId: requestId(), records, calls: items.map(call => call.wire) });
  });

  router.get('/v2/calls/:id', (request, response) => {
    const company = enter(request, response, 'api:calls:read:basic');
    const id = readId(request);
    const call = company.findCall(id);
    if (!call) throw new GongError(404, `Call ${id} was not found`);
    response.json({ requestId: requestId(), call: call.wire });
  });

  router.post('/v2/calls/extensive', (request, response) => {
    const body = readBody(request);
    const selector = readContentSelector(body);
    const company = enter(request, response, 'api:calls:read:extensive');
    if (selector.media) enter(request, response, 'api:calls:read:media-url');
    const filter = readObject(body, 'filter') ?? {};
    const { items, records } = callPage(company, filter, readText(body, 'cursor'), 'calls');
    const calls = items.map(call => writeExtensiveCall(call, company, selector));
    response.json({ requestId: requestId(), records, calls });
  });

  router.post('/v2/calls/transcript', (request, response) => {
    const company = enter(request, response, 'api:calls:read:transcript');
    const body = readBody(request);
    const filter = readObject(body, 'filter') ?? {};
    const { items, records } = callPage(company, filter, readText(body, 'cursor'), 'transcripts');
    const callTranscripts = items.map(call => writeTranscript(call, company));
    response.json({ requestId: requestId(), records, callTranscripts });
  });

  router.get('/v2/workspaces', (request, response) => {
    const company = enter(request, response, 'api:workspaces:read');
    if (company.workspaces.length === 0) throw nothingFound('workspaces');
    response.json({ requestId: requestId(), workspaces: company.workspaces });
  });

  return router;
}

/** Returns one page of the calls that match the filter. */
function callPage(
  company: GongCompany,
  filter: Fields,
  cursor: string | undefined,
  plural: 'calls' | 'transcripts',
): ReturnType<typeof takePage<Call>> {
  const { fromMs, toMs } = readWindow(filter);
  const callIds = readIds(filter, 'callIds');
  const workspaceId = readText(filter, 'workspaceId');
  const matching = company
    .calls()
    .filter(
      call =>
        call.filterMs >= fromMs &&
        call.filterMs < toMs &&
        (!callIds || callIds.has(call.wire.id)) &&
        (workspaceId === undefined || call.wire.workspaceId === workspaceId) &&
        (plural === 'calls' || hasTranscript(call)),
    );
  const filterKey = [String(fromMs), String(toMs), [...(callIds ?? [])], workspaceId ?? null];
  return takePage(matching, {
    plural,
    cursor,
    boundTo: [plural, company.account.id, filterKey],
    idOf: call => call.wire.id,
  });
}

function readId(request: Request<{ id: string }>): string {
  const { id } = request.params;
  if (!/^\d{1,20}$/.test(id)) throw badRequest('The id must be a number');
  return id;
}
