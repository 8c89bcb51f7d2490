import { Router, type Request, type RequestHandler } from 'express';
import { businessOf } from '../invented/businesses.ts';
import { fingerprint } from '../request-log/request-log.ts';
import type { Clock } from '../simulator/clock.ts';
import { memoize } from '../simulator/memoize.ts';
import { createTokenBucket } from '../simulator/rate-limit.ts';
import { sendReply, type Reply } from '../simulator/reply.ts';
import type { Dialect, Simulation, Vendor, VendorContext } from '../simulator/vendor.ts';
import { GRANOLA_ACCOUNTS, GRANOLA_KEYS } from './accounts.ts';
import { granolaActions } from './actions.ts';
import { GranolaError } from './requests.ts';
import { granolaRoutes, type Caller } from './routes.ts';
import { inventWorkspace } from './workspace.ts';

const dialect: Dialect = {
  rateLimited: (retryAfterSeconds): Reply => ({
    status: 429,
    headers: retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) },
    body: {},
  }),
  failure: status => {
    if (status === 503) return { status, body: null };
    return {
      status,
      body: { code: CODES[status] ?? 'INTERNAL_ERROR', message: `Simulated failure ${status}` },
    };
  },
};

const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
};

/** Simulates Granola: meeting notes, with API keys. */
export const granola: Vendor = {
  key: 'granola',
  name: 'Granola',
  hosts: ['public-api.granola.ai'],
  dialect,
  simulate,
};

function simulate({ random, clock, rateLimits }: VendorContext): Simulation {
  const revokedKeys = new Set<string>();
  const workspace = memoize(
    (account: string) => {
      const known = GRANOLA_ACCOUNTS.find(({ id }) => id === account);
      if (!known) throw new Error(`unknown account: ${account}`);
      return inventWorkspace(known, random.fork(account), clock);
    },
    account => account,
  );

  const authenticate = (request: Request): Caller => {
    const [, key] = /^Bearer (grn_\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
    const known = GRANOLA_KEYS.find(candidate => candidate.key === key);
    if (!known || known.rejection === 'revoked' || revokedKeys.has(known.key)) {
      throw new GranolaError(401, 'UNAUTHORIZED', 'API key is missing or not valid');
    }
    if (known.account === undefined) {
      throw new GranolaError(403, 'FORBIDDEN', 'Your plan does not include API access');
    }
    const opened = workspace(known.account);
    const person = known.memberIndex === undefined ? undefined : opened.members[known.memberIndex];
    return { workspace: opened, personEmail: person?.email ?? null };
  };

  const router = Router();
  if (rateLimits) router.use(limitRate(clock));
  router.use(granolaRoutes(authenticate));
  return {
    router,
    credentials: () =>
      GRANOLA_KEYS.map(({ key, account, title, description, rejection }) => ({
        title,
        description,
        works: rejection === undefined,
        ...businessOf(account),
        values: { api_key: key },
      })),
    actions: granolaActions({ random, clock, workspace, revokedKeys }),
  };
}

/** Rate-limits each key to a burst of 25 requests, then 5 per second. */
function limitRate(clock: Clock): RequestHandler {
  const bucket = createTokenBucket(clock, { burst: 25, perSecond: 5 });
  return (request, response, next) => {
    const waitSeconds = bucket.take(fingerprint(request.get('authorization') ?? ''));
    if (waitSeconds === 0) return next();
    return sendReply(response, dialect.rateLimited(Math.ceil(waitSeconds), request));
  };
}
