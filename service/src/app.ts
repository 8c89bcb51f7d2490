import type { RequestListener } from 'node:http';
import { ConnectorAuthError, endpoints } from '@connector-auth/api';
import { adminEndpoints } from '@connector-auth/api/admin';
import { describeIssues } from '@connector-auth/connectors/kind';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { adminKeys } from './features/admin-keys/feature.ts';
import { agents } from './features/agents/feature.ts';
import { applications } from './features/applications/feature.ts';
import { audit } from './features/audit/feature.ts';
import { catalog } from './features/catalog/feature.ts';
import { changes } from './features/changes/feature.ts';
import { connectLinks } from './features/connect-links/feature.ts';
import { connectors } from './features/connectors/feature.ts';
import { operatorConsole } from './features/console/feature.ts';
import { customers } from './features/customers/feature.ts';
import { docs } from './features/docs/feature.ts';
import { execute } from './features/execute/feature.ts';
import { incidents } from './features/incidents/feature.ts';
import { keyRotation } from './features/key-rotation/feature.ts';
import { mcp } from './features/mcp/feature.ts';
import { oauthApps } from './features/oauth-apps/feature.ts';
import { oauth } from './features/oauth/feature.ts';
import { openapi } from './features/openapi/feature.ts';
import { organizations } from './features/organizations/feature.ts';
import { overview } from './features/overview/feature.ts';
import { search } from './features/search/feature.ts';
import { sync } from './features/sync/feature.ts';
import { tokens } from './features/tokens/feature.ts';
import { vendorQuotas } from './features/vendor-quotas/feature.ts';
import { webhooks } from './features/webhooks/feature.ts';
import type { BootstrapConfiguration } from './platform/config/configuration.ts';
import type { Job } from './platform/jobs/periodic-job.ts';
import { topics } from './platform/notifications/topics.ts';
import { openCore, type Resources, type Settings } from './shared/core.ts';
import { adminHandlersOf, handlersOf, type Feature } from './shared/feature.ts';
import { Admission, limitAddresses } from './shared/http/admission.ts';
import { renderErrors } from './shared/http/error-responses.ts';
import { openExchanges } from './shared/http/exchanges.ts';
import { mountForwardingProbe } from './shared/http/forwarding-probe.ts';
import { mountEndpoints, type Endpoints } from './shared/http/mount-endpoints.ts';
import { mountMetrics, mountProbes } from './shared/http/probes.ts';
import { securityHeaders } from './shared/http/security-headers.ts';
import { Idempotency } from './shared/idempotency/idempotency.ts';
import { operatorKeys } from './shared/idempotency/key-tables.ts';
import { runOnce } from './shared/idempotency/run-once.ts';
import { startIndexBuilder } from './shared/records/build-indexes.ts';

/** The assembled service. No background work runs until one of the `start` methods is called. */
export interface App {
  /** Creates the request handler for the public address. */
  handler(): RequestListener;
  /** Creates the request handler for the private address: the metrics, and what operators use if it is private. */
  privateHandler(): RequestListener;
  /**
   * Issues a set-up code, or returns null if the service is set up already. Only the start of the service calls
   * this.
   */
  issueSetUpCode(): Promise<string | null>;
  /**
   * Creates, updates or disables the application that the `BOOTSTRAP_…` variables own. Only the start of the
   * service calls this.
   */
  bootstrap(wanted: BootstrapConfiguration | null): Promise<void>;
  /** Starts the background work of all features in this process. */
  startJobs(): Promise<Job>;
  /** Builds the indexes that the record tables lack. Requests need not wait for it. */
  startIndexing(): Job;
  readonly startSync: ReturnType<typeof sync>['start'];
  readonly startRevocations: ReturnType<typeof incidents>['start'];
  /** Wakes the sync workers of every process. */
  requestSync(): Promise<void>;
  /** Fails the readiness probe, so that load balancers send requests to other processes. */
  beginDrain(): void;
  /** Ends long-polling requests with their current result. */
  beginShutdown(): void;
  /**
   * Resolves when no grant is being refreshed. If the process exits during a refresh, single-use tokens from
   * the vendor are lost.
   */
  idle(): Promise<void>;
  /** Closes everything that the app opened, but not the resources passed to it. */
  close(): Promise<void>;
}

/**
 * Creates the features, and mounts their routes. This is the composition root: `core` is what several features share, of
 * which each takes what its signature names, and what a feature calls of another is an argument.
 */
export async function createApp(resources: Resources, settings: Settings): Promise<App> {
  const { database, databaseUrl, signingKeys, clock, log, metrics, validateResponses = false } = resources;
  const core = await openCore(resources, settings);
  const { db, kinds, tables, audit: auditLog, publicUrl, consoleUrl } = core;
  const admission = new Admission(settings.requestLimits);
  let isDraining = false;

  // These are called by others, or by the start of the service.
  const tenants = organizations(core);
  const sources = catalog(core);
  const connections = connectors(core, settings);
  const links = connectLinks(core);
  const actions = execute(core, settings, search(core, settings));
  const syncing = sync(core, settings);
  const revoking = incidents(core);
  const operators = adminKeys(core, settings);
  const allowedAgents = agents(core);
  // To leave out any other feature, replace its line: `leftOut(vendorQuotas),`.
  const all = [
    tokens(core),
    tenants,
    customers(core),
    sources,
    connections,
    oauth(core, settings),
    oauthApps(core),
    links,
    allowedAgents,
    actions,
    changes(core, settings),
    mcp(
      core,
      admission,
      { ...sources.handlers, ...connections.handlers, ...links.handlers, ...actions.handlers },
      allowedAgents.verifyToken,
    ),
    syncing,
    revoking,
    keyRotation(core),
    audit(core, settings),
    operators,
    applications(core),
    overview(core, settings),
    vendorQuotas(core),
    webhooks(core),
    openapi(core),
    operatorConsole(core),
    docs(core, settings),
  ] as const;
  const features: readonly Feature[] = all;

  const renderError = renderErrors(log, (issues, language) => describeIssues(kinds.all, issues, language));

  /** Serves endpoints, and these routes in this order, at the address with this URL. */
  const serve = ({
    url,
    trustedProxies,
    endpoints,
    routes,
    unknownRoute,
  }: {
    readonly url: string;
    readonly trustedProxies: number;
    readonly endpoints: readonly Endpoints[];
    readonly routes: readonly RequestHandler[];
    readonly unknownRoute: string;
  }): RequestListener => {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    for (const route of routes) app.use(route);
    app.use(() => {
      throw new ConnectorAuthError('route_not_found', unknownRoute);
    });
    const errors: ErrorRequestHandler = (error, request, response, _next) =>
      renderError(error, request, response);
    app.use(errors);
    const { isLocal } = settings;
    const headers = securityHeaders(url);
    return openExchanges({ log, metrics, headers, trustedProxies, isLocal, renderError }, endpoints, app);
  };
  const routesOf = (part: 'callerRoutes' | 'pages' | 'operatorPages') =>
    features.flatMap(feature => feature[part]?.() ?? []);
  const metricsRoute = () => mountMetrics(metrics, settings.metrics.token?.reveal() ?? null);
  const runAdminRequestOnce = runOnce(db, new Idempotency(db, operatorKeys(core.sealer), signingKeys));
  const adminEndpointRoutes = (admission: Admission) =>
    mountEndpoints(adminEndpoints, adminHandlersOf(all), {
      authenticate: operators.authenticate,
      admission,
      audit: { log: auditLog, isRequired: true },
      ownOrigin: new URL(consoleUrl).origin,
      runOnce: runAdminRequestOnce,
      validateResponses,
    });

  return {
    handler: () => {
      const hasConsole = settings.console.access === 'public';
      const served = [
        mountEndpoints(endpoints, handlersOf(all), {
          authenticate: core.authenticate,
          admission,
          audit: { log: auditLog, isRequired: false },
          ownOrigin: null,
          mostCalled: 'execute',
          validateResponses,
        }),
        ...(hasConsole ? [adminEndpointRoutes(admission)] : []),
      ];
      const routes = [
        ...routesOf('callerRoutes'),
        mountProbes({
          ping: () => database.ping(),
          unreadyReason: () => (isDraining ? 'it is stopping' : (clock.unreadyReason?.() ?? null)),
        }),
        mountForwardingProbe(signingKeys, clock),
        limitAddresses(admission),
        ...(settings.metrics.isServedWithApi ? [metricsRoute()] : []),
        ...routesOf('pages'),
        ...(hasConsole ? routesOf('operatorPages') : []),
      ];
      return serve({
        url: publicUrl,
        trustedProxies: settings.trustedProxies,
        endpoints: served,
        routes,
        unknownRoute: 'Unknown endpoint; /openapi.json lists all endpoints',
      });
    },
    privateHandler: () => {
      const { private: url } = resources.urls;
      if (url === null) throw new Error('There is no private address');
      // The private address trusts no proxy.
      const address = { url, trustedProxies: 0 };
      if (settings.console.access !== 'private') {
        const unknownRoute = 'This address serves only /metrics';
        return serve({ ...address, endpoints: [], routes: [metricsRoute()], unknownRoute });
      }
      const admission = new Admission(settings.requestLimits);
      return serve({
        ...address,
        endpoints: [adminEndpointRoutes(admission)],
        routes: [metricsRoute(), limitAddresses(admission), ...routesOf('operatorPages')],
        unknownRoute: 'This address serves only /metrics, /console and /api/v1/admin',
      });
    },
    issueSetUpCode: async () => (settings.console.access === 'off' ? null : operators.issueSetUpCode()),
    bootstrap: tenants.bootstrap,
    startJobs: async () => {
      const jobs: Job[] = [];
      const close = async () => void (await Promise.all(jobs.map(job => job.close())));
      try {
        for (const { start } of features) if (start) jobs.push(await start());
      } catch (error) {
        await close();
        throw error;
      }
      return { close };
    },
    startIndexing: () => startIndexBuilder({ database, databaseUrl, tables, log }, metrics.registry),
    startSync: syncing.start,
    startRevocations: revoking.start,
    requestSync: () => core.notifications.notify(topics.syncDue),
    beginDrain: () => {
      isDraining = true;
    },
    beginShutdown: core.beginShutdown,
    idle: core.idle,
    close: core.close,
  };
}
