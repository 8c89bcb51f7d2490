import { limitPerMinute, perMinute } from '../../platform/concurrency/rate-limit.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { connectLinkAdminRoutes } from './admin-routes.ts';
import { startLinkCleanup } from './cleanup.ts';
import { mintLinkToken } from './mint-token.ts';
import { mountLinkPages } from './page/routes.ts';
import { connectLinkRoutes } from './routes.ts';

type Need =
  | 'db'
  | 'anonymous'
  | 'kinds'
  | 'idempotency'
  | 'signingKeys'
  | 'signer'
  | 'longPolls'
  | 'audit'
  | 'publicUrl'
  | 'clock'
  | 'shareRateLimit'
  | 'log';

export function connectLinks({
  anonymous,
  signer,
  longPolls,
  audit,
  clock,
  shareRateLimit,
  ...needs
}: Needs<Need>) {
  const { db, publicUrl, log } = needs;
  const context = { ...needs, ...longPolls };
  return {
    handlers: connectLinkRoutes(context, shareRateLimit(perMinute('connect-links', 30))),
    adminHandlers: connectLinkAdminRoutes(context),
    pages: () =>
      mountLinkPages({
        ...needs,
        db: anonymous,
        audit,
        clock,
        limitByAddress: limitPerMinute('connect-link-visits', 60, clock),
        mintToken: visit => mintLinkToken({ signer, publicUrl }, visit),
      }),
    start: () => startLinkCleanup(db, log),
  } satisfies Feature;
}
