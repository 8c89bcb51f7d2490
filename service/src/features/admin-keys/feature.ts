import { LimitError } from '../../platform/concurrency/limit-error.ts';
import { createRateLimit } from '../../platform/concurrency/rate-limit.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import type { Needs, Settings } from '../../shared/core.ts';
import { adminKeyRoutes } from './admin-routes.ts';
import { createAuthenticateAdmin } from './authenticate.ts';
import { startSignInCleanup } from './cleanup.ts';
import { sessionCookie } from './session-cookie.ts';
import { issueSetUpCode } from './set-up.ts';

export function adminKeys(
  {
    db,
    anonymous,
    database,
    consoleUrl,
    clock,
    log,
  }: Needs<'db' | 'anonymous' | 'database' | 'consoleUrl' | 'clock' | 'log'>,
  { adminToken }: Pick<Settings, 'adminToken'>,
) {
  const cookie = sessionCookie(consoleUrl);
  const operators = {
    db: database.operators,
    adminToken,
    lookUps: limitLookUps(),
    wrongKeys: createRateLimit({ name: 'wrong-keys', events: 'wrong keys', burst: 10, perMinute: 10 }, clock),
    clock,
    log,
  };
  return {
    adminHandlers: adminKeyRoutes({ db, anonymous, operators, cookie }),
    start: () => startSignInCleanup(db, log),
    /** Authenticates the callers of operators' endpoints. */
    authenticate: createAuthenticateAdmin(operators, { ownOrigin: new URL(consoleUrl).origin, cookie }),
    issueSetUpCode: () => issueSetUpCode(db, adminToken !== null),
  };
}

/** Limits the concurrent look-ups of keys and sessions per address, which happen before the caller is known. */
function limitLookUps(): Semaphore {
  const maxConcurrent = 10;
  return new Semaphore(
    { maxConcurrent, maxQueued: 100 },
    () =>
      new LimitError(
        { name: 'address-operators', quota: maxConcurrent, windowSeconds: null },
        'This address has too many concurrent requests: wait for some of them to finish, then try again',
        1,
      ),
  );
}
