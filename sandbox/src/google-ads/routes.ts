import { json, Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { localTime } from '../advertising/calendar.ts';
import { nameOperation } from '../request-log/record-request.ts';
import { memoize } from '../simulator/memoize.ts';
import { sendReply, type Reply } from '../simulator/reply.ts';
import type { VendorContext } from '../simulator/vendor.ts';
import { openCustomer, readCaller, type Caller } from './access.ts';
import type { Customer } from './customers.ts';
import { badJson, fail, failureReply, GoogleAdsError, GoogleError, googleReply } from './failure.ts';
import { createLimiter } from './limits.ts';
import { MUTATE_SERVICES } from './mutate-services.ts';
import { mutate } from './mutate.ts';
import type { Today } from './performance.ts';
import { createSearch, type SearchScope } from './search-service.ts';
import type { World } from './world.ts';

/**
 * The supported API versions. The version before `oldest` returns `UNSUPPORTED_VERSION`; other versions
 * return 404.
 */
const VERSIONS = { oldest: 22, newest: 25 };

const JSON_TYPE = { 'Content-Type': 'application/json; charset=UTF-8' };

interface Call {
  readonly request: Request<Record<string, string>>;
  readonly caller: Caller;
  readonly version: number;
}

/** Serves the API: accessible customers, search and mutate. */
export function apiRoutes(
  context: VendorContext,
  worldOf: (customer: Customer) => World,
  requestId: () => string,
): Router {
  const router = Router();
  const search = createSearch(context);
  const limit = createLimiter(context);
  const todayOf = memoize(
    ({ timeZone }: Customer): Today => localTime(context.clock.dataNow, timeZone),
    ({ timeZone }) => timeZone,
  );

  /** Wraps an endpoint. `run` returns the response body or throws an API error. */
  const endpoint =
    (run: (call: Call) => unknown): RequestHandler<Record<string, string>> =>
    (request, response) => {
      const version = Number(request.params['version']?.slice(1));
      const id = requestId();
      const body = run({ request, caller: readCaller(context, request), version });
      sendReply(response, { status: 200, headers: { ...JSON_TYPE, 'request-id': id }, body });
    };
  const open = ({ request, caller }: Call): Customer =>
    openCustomer(caller, String(request.params['customerId']), request.get('login-customer-id'));
  const scopeOf = (call: Call, isFollowUp: boolean): SearchScope => {
    const customer = open(call);
    // Requests for follow-up pages do not count towards the limits.
    if (!isFollowUp) limit(call.caller, customer);
    return { customer, world: worldOf(customer), version: call.version, today: todayOf(customer) };
  };

  router.use('/:version', checkVersion);
  router.use(json({ limit: '64mb', type: () => true, strict: false }));
  router.get(
    '/:version/customers\\:listAccessibleCustomers',
    named('listAccessibleCustomers'),
    endpoint(({ caller }) => {
      const names = caller.user.customerIds.map(id => `customers/${id}`);
      return names.length > 0 ? { resourceNames: names } : {};
    }),
  );
  router.post(
    '/:version/customers/:customerId/googleAds\\:search',
    named('search'),
    endpoint(call => {
      const { pageToken, page_token: alias } = Object(call.request.body) as Record<string, unknown>;
      return search(scopeOf(call, Boolean(pageToken ?? alias)), call.request.body);
    }),
  );
  for (const [name, service] of Object.entries(MUTATE_SERVICES)) {
    router.post(
      `/:version/customers/:customerId/${name}\\:mutate`,
      named(`mutate ${name}`),
      endpoint(call => {
        const customer = open(call);
        limit(call.caller, customer);
        return mutate(service, worldOf(customer), call.request.body);
      }),
    );
  }
  router.use(errorHandler(requestId));
  return router;
}

function named(operation: string): RequestHandler<Record<string, string>> {
  return (_request, response, next) => {
    nameOperation(response, operation);
    next();
  };
}

const checkVersion: RequestHandler<Record<string, string>> = (request, response, next) => {
  const [, digits] = /^v(\d+)$/.exec(request.params['version'] ?? '') ?? [];
  const version = Number(digits ?? 0);
  if (version >= VERSIONS.oldest && version <= VERSIONS.newest) return next();
  if (version === VERSIONS.oldest - 1) {
    return next(
      fail(
        'requestError',
        'UNSUPPORTED_VERSION',
        `Version v${version} is deprecated. Requests to this version will be blocked.`,
      ),
    );
  }
  return sendReply(response, notFoundPage(request.originalUrl));
};

/** Renders the 404 page that Google's front end returns. */
function notFoundPage(url: string): Reply {
  const path = url.replace(/^\/[^/]+/, '').replaceAll(/[<>&"]/g, '');
  return {
    status: 404,
    headers: { 'Content-Type': 'text/html; charset=UTF-8' },
    body: `<!DOCTYPE html>\n<html lang=en>\n<title>Error 404 (Not Found)!!1</title>\n<p><b>404.</b> <ins>That’s an error.</ins>\n<p>The requested URL <code>${path}</code> was not found on this server.\n`,
  };
}

function errorHandler(requestId: () => string): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const reply = describeError(error, versionName(request.originalUrl), requestId());
    if (!reply) return next(error);
    return sendReply(response, reply);
  };
}

/** Extracts the API version from a URL, for the type name of a failure. */
export function versionName(url: string): string {
  return /\/(v\d+)\//.exec(url)?.[1] ?? `v${VERSIONS.newest}`;
}

function describeError(error: unknown, version: string, requestId: string): Reply | undefined {
  if (error instanceof GoogleAdsError) return failureReply(error.entry, version, requestId);
  if (error instanceof GoogleError) return googleReply(error);
  if (error instanceof SyntaxError)
    return googleReply(badJson('', 'Invalid JSON payload received. Unexpected token.'));
  return undefined;
}
