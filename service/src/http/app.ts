import { ConnectorAuthError } from '@connector-auth/api';
import type { Kind, Limiter, Transport } from '@connector-auth/connectors/kind';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { mountIcons } from '../catalog/icons.ts';
import { indexKinds } from '../catalog/kinds.ts';
import { catalogRoutes } from '../catalog/routes.ts';
import { connectorRoutes } from '../connectors/routes.ts';
import type { VendorAccess } from '../connectors/vendor-access.ts';
import { customerRoutes } from '../customers/routes.ts';
import { mountDocs } from '../docs/routes.ts';
import { executeRoutes } from '../execute/routes.ts';
import { Idempotency } from '../idempotency/idempotency.ts';
import type { Log } from '../log.ts';
import type { Database } from '../storage/database.ts';
import type { KeyRing } from '../storage/keys.ts';
import type { Sealer } from '../storage/seal.ts';
import { createSecretVerifier } from '../tokens/client-secret.ts';
import { tokenRoutes } from '../tokens/routes.ts';
import { createTokenSigner } from '../tokens/token-signer.ts';
import { logAccess } from './access-log.ts';
import type { Handlers } from './handler.ts';
import { createRateLimit } from './limits.ts';
import { measured, type Metrics } from './metrics.ts';
import { mountEndpoints } from './mount.ts';
import { mountOpenApi } from './openapi.ts';
import { mountProbes } from './probes.ts';
import { renderRefusals } from './refusals.ts';

/** What the service is made of. */
export interface Dependencies {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly signingKeys: KeyRing;
  readonly kinds: readonly Kind[];
  /** The way to the vendors, or to the sandbox. */
  readonly transport: Transport;
  readonly limiter: Limiter;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The service's public base URL, without a slash at its end. */
  readonly publicUrl: string;
  /** How many reverse proxies stand in front: the caller's address is so many entries from the end of `X-Forwarded-For`. */
  readonly trustedProxies?: number;
  readonly clock?: () => Date;
  /** Compares every answer with the contract: for tests. */
  readonly verifyAnswers?: boolean;
}

/** The service as an Express app: every endpoint of the contract, the probes, the icons and the reference. */
export function createApp(dependencies: Dependencies): Express {
  const { database, log, metrics, publicUrl } = dependencies;
  const clock = dependencies.clock ?? (() => new Date());
  const kinds = indexKinds(dependencies.kinds);
  const signer = createTokenSigner(dependencies.signingKeys, clock);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', dependencies.trustedProxies ?? 0);
  app.use(logAccess(log, metrics));
  app.use(hardened(publicUrl));
  app.use(
    mountEndpoints(handlersOf(dependencies, { kinds, signer, clock }), {
      signer,
      ownOrigin: new URL(publicUrl).origin,
      verifyAnswers: dependencies.verifyAnswers ?? false,
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

function handlersOf(
  { database, sealer, transport, limiter, metrics, publicUrl, signingKeys }: Dependencies,
  {
    kinds,
    signer,
    clock,
  }: Pick<Parameters<typeof tokenRoutes>[0], 'kinds' | 'signer'> & { clock: () => Date },
): Handlers {
  const db = database.kysely;
  const access: VendorAccess = { db, sealer, transport: measured(transport, metrics), limiter };
  return {
    ...tokenRoutes(
      { db, signer, kinds, secrets: createSecretVerifier() },
      {
        byAddress: createRateLimit({ burst: 120, perMinute: 120 }, clock),
        byClient: createRateLimit({ burst: 30, perMinute: 30 }, clock),
      },
    ),
    ...customerRoutes(db),
    ...catalogRoutes(db, kinds, publicUrl),
    ...connectorRoutes({ access, kinds, idempotency: new Idempotency(db, signingKeys) }),
    ...executeRoutes(access, kinds),
  };
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
