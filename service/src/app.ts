import { ConnectorAuthError, systemClock, type Clock } from '@connector-auth/api';
import type { Kind, Limiter, Transport } from '@connector-auth/connectors/kind';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { createSecretVerifier } from './auth/client-secret.ts';
import { createTokenSigner } from './auth/token-signer.ts';
import { mountIcons } from './catalog/icons.ts';
import { catalogRoutes } from './catalog/routes.ts';
import { createRateLimit } from './concurrency/rate-limit.ts';
import { Semaphore } from './concurrency/semaphore.ts';
import type { OAuthAppConfiguration } from './config/configuration.ts';
import { connectorRoutes } from './connectors/routes.ts';
import type { VendorAccess } from './credentials/connection.ts';
import type { GrantRefresher } from './credentials/grant-refresher.ts';
import { OAuthApps } from './credentials/oauth-apps.ts';
import type { KeyRing } from './crypto/key-ring.ts';
import type { Sealer } from './crypto/seal.ts';
import { customerRoutes } from './customers/routes.ts';
import type { Database } from './database/database.ts';
import { createKindRegistry } from './definitions/registry.ts';
import { mountDocs } from './docs/routes.ts';
import { executeRoutes } from './execute/routes.ts';
import { logAccess } from './http/access-log.ts';
import { renderRefusals } from './http/error-responses.ts';
import type { Handlers } from './http/handler.ts';
import { measured, type Metrics } from './http/metrics.ts';
import { mountEndpoints } from './http/mount-endpoints.ts';
import { mountOpenApi } from './http/openapi.ts';
import { mountProbes } from './http/probes.ts';
import { Idempotency } from './idempotency/idempotency.ts';
import type { Log } from './log/log.ts';
import type { Notifications } from './notifications/notifications.ts';
import { oauthAppRoutes } from './oauth-apps/routes.ts';
import { mountConsentPages } from './oauth/browser-routes.ts';
import { callbackPath } from './oauth/consent.ts';
import { browserCookies } from './oauth/cookie.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { createLimitedSearch } from './search/limited-search.ts';
import { tokenRoutes } from './tokens/routes.ts';

/** What the service is made of. */
export interface Dependencies {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly signingKeys: KeyRing;
  readonly kinds: readonly Kind[];
  /** The way to the vendors, or to the sandbox. */
  readonly transport: Transport;
  readonly limiter: Limiter;
  /** The platform's OAuth apps, by environment prefix. */
  readonly oauthApps: ReadonlyMap<string, OAuthAppConfiguration>;
  /** Where vendors' pages are instead of where they really are; null: nowhere. */
  readonly sandboxUrl: string | null;
  readonly notifications: Notifications;
  /** Aborted when the service ends: requests that are held open are answered then. */
  readonly closing: AbortSignal;
  readonly refresher: GrantRefresher;
  /** Minutes between two synchronisations, for organizations that have no interval of their own. */
  readonly syncIntervalMinutes: number;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The service's public base URL, without a slash at its end. */
  readonly publicUrl: string;
  /** How many reverse proxies stand in front: the caller's address is so many entries from the end of `X-Forwarded-For`. */
  readonly trustedProxies?: number;
  readonly clock?: Clock;
  /** Compares every answer with the contract: for tests. */
  readonly verifyAnswers?: boolean;
}

/** The service as an Express app: every endpoint of the contract, the probes, the icons and the reference. */
export function createApp(dependencies: Dependencies): Express {
  const { database, log, metrics, publicUrl } = dependencies;
  const clock = dependencies.clock ?? systemClock;
  const kinds = createKindRegistry(dependencies.kinds);
  const signer = createTokenSigner(dependencies.signingKeys, clock);
  const access = accessOf(dependencies);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', dependencies.trustedProxies ?? 0);
  app.use(logAccess(log, metrics));
  app.use(hardened(publicUrl));
  app.use(
    mountEndpoints(handlersOf(dependencies, { kinds, signer, clock, access }), {
      signer,
      ownOrigin: new URL(publicUrl).origin,
      verifyAnswers: dependencies.verifyAnswers ?? false,
    }),
  );
  app.use(
    mountConsentPages({
      ...dependencies,
      ...access,
      kinds,
      cookies: browserCookies(publicUrl),
      clock,
    }),
  );
  app.use(mountProbes({ metrics, isReady: () => database.ping() }));
  app.use(mountOpenApi(publicUrl));
  app.use(mountIcons(kinds));
  app.use(mountDocs(dependencies.kinds));
  app.use(() => {
    throw new ConnectorAuthError(
      'route_not_found',
      'There is no such endpoint; /openapi.json lists all there are',
    );
  });
  app.use(renderRefusals(log));
  return app;
}

/** The way to the vendors with stored connectors; every request on it is counted. */
export function accessOf({
  database,
  transport,
  metrics,
  oauthApps,
  sealer,
  limiter,
  refresher,
  log,
}: Omit<Dependencies, 'publicUrl' | 'syncIntervalMinutes'>): VendorAccess {
  return {
    db: database.kysely,
    sealer,
    transport: measured(transport, metrics),
    limiter,
    apps: new OAuthApps(sealer, oauthApps),
    refresher,
    log,
  };
}

function handlersOf(
  {
    database,
    publicUrl,
    signingKeys,
    notifications,
    closing,
    syncIntervalMinutes,
    kinds: searchable,
  }: Dependencies,
  {
    kinds,
    signer,
    clock,
    access,
  }: Pick<Parameters<typeof tokenRoutes>[0], 'kinds' | 'signer'> & {
    clock: Clock;
    access: VendorAccess;
  },
): Handlers {
  const { db, sealer, apps } = access;
  return {
    ...tokenRoutes(
      { db, signer, kinds, secrets: createSecretVerifier() },
      {
        byAddress: createRateLimit({ burst: 120, perMinute: 120 }, clock),
        byClient: createRateLimit({ burst: 30, perMinute: 30 }, clock),
      },
    ),
    ...organizationRoutes({ db, notifications, syncIntervalMinutes }),
    ...customerRoutes(access, kinds),
    ...catalogRoutes(db, kinds, apps, publicUrl),
    ...connectorRoutes({ access, kinds, notifications, idempotency: new Idempotency(db, signingKeys) }),
    ...oauthRoutes(
      { db, sealer, kinds, apps, notifications, closing, publicUrl, held: heldRequests() },
      {
        byCustomer: createRateLimit({ burst: 30, perMinute: 30 }, clock),
        byOrganization: createRateLimit({ burst: 600, perMinute: 600 }, clock),
      },
    ),
    ...oauthAppRoutes({ db, kinds, apps, callbackUrl: `${publicUrl}${callbackPath}` }),
    ...executeRoutes(access, kinds, createLimitedSearch(database, searchable, signingKeys)),
  };
}

/** Status requests that are held open, by customer. */
function heldRequests(): Semaphore {
  const maxConcurrent = 20;
  return new Semaphore({ maxConcurrent, maxQueued: 0 }, () =>
    rateLimited(
      `${maxConcurrent} requests of this customer are held open already; ask without wait, or try again in 5 s`,
    ),
  );
}

function rateLimited(message: string): ConnectorAuthError {
  return new ConnectorAuthError('rate_limited', message, { retryAfterSeconds: 5 });
}

/** Headers for answers that are data: nothing in them runs, is framed, sniffed or told to others. */
function hardened(publicUrl: string): express.RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: publicUrl.startsWith('https:'),
  });
}
