import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { createControl, type RunningVendor, type SandboxControl } from './control/control.ts';
import { injectFault } from './control/fault-effects.ts';
import { createFaults } from './control/faults.ts';
import { controlRoutes } from './control/routes.ts';
import { renderLandingPage } from './landing-page.ts';
import { recordRequest } from './request-log/record-request.ts';
import { createRequestLog } from './request-log/request-log.ts';
import { createClock } from './simulator/clock.ts';
import { CONSENT_SETTINGS } from './simulator/consent.ts';
import { PAGE_HEADERS } from './simulator/html.ts';
import { createOAuthApps, type OAuthApp } from './simulator/oauth-apps.ts';
import { createRandom } from './simulator/random.ts';
import { sendReply } from './simulator/reply.ts';
import { createSettings } from './simulator/settings.ts';
import { createTokenStore } from './simulator/tokens.ts';
import type { Vendor } from './simulator/vendor.ts';
import { vendors as registeredVendors } from './vendors.ts';

export interface SandboxOptions {
  /** The seed of generated data; the documented credentials do not depend on it. */
  seed?: string;
  /** The time at which generated data ends. */
  now?: Date | string;
  /** Whether to simulate the vendors' rate limits; false by default. */
  rateLimits?: boolean;
  /** Additional OAuth apps by vendor key. */
  oauthApps?: Readonly<Record<string, readonly OAuthApp[]>>;
  /** The vendors to simulate; all by default. */
  vendors?: readonly Vendor[];
}

/** Creates the sandbox as an Express app, and the controls for it. Data is generated on demand. */
export function createSandbox(options: SandboxOptions = {}): { app: Express; control: SandboxControl } {
  const { seed = 'sandbox', now, rateLimits = false, oauthApps = {}, vendors = registeredVendors } = options;
  const clock = createClock(now);
  const faults = createFaults(vendors.map(vendor => vendor.key));
  const requests = createRequestLog();

  const running = vendors.map((vendor): RunningVendor => {
    const apps = [...(vendor.oauthApps ?? []), ...(oauthApps[vendor.key] ?? [])];
    const settings = createSettings({ ...(vendor.oauthApps && CONSENT_SETTINGS), ...vendor.settings });
    const tokens = createTokenStore(vendor.key, seed, clock);
    const random = createRandom(`${seed}/${vendor.key}`);
    const context = { random, clock, tokens, settings, apps: createOAuthApps(apps), rateLimits };
    return { vendor, settings, tokens, oauthApps: apps, simulation: vendor.simulate(context) };
  });
  const control = createControl(running, { faults, requests, clock });

  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.get('/', (_request, response) => {
    sendReply(response, { status: 200, headers: PAGE_HEADERS, body: renderLandingPage(control) });
  });
  app.get('/favicon.ico', (_request, response) => void response.status(204).end());
  app.use('/_sandbox', controlRoutes(control));
  app.use('/:host', (request, response, next) => {
    const { host } = request.params;
    const found = running.find(({ vendor }) => hasHost(vendor, host));
    if (!found) return void response.status(404).json({ error: `no simulator for the host "${host}"` });
    return serve(found, host, control)(request, response, next);
  });
  return { app, control };
}

/** Logs the request, injects a fault if one matches, and otherwise runs the vendor's router. */
function serve({ vendor, simulation }: RunningVendor, host: string, control: SandboxControl): RequestHandler {
  return (request, response, next) => {
    response.locals['host'] = host;
    recordRequest(control, { vendor: vendor.key, host }, request, response);
    const failInternally: ErrorRequestHandler = (error: unknown, _request, _response, done) => {
      if (response.headersSent) return done(error);
      // The error is a bug in the simulator. `sandbox_error` distinguishes it from the vendor's own errors.
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      response.status(500).json({ sandbox_error: `the ${vendor.name} simulator failed`, detail });
    };
    const handle = (): void => {
      simulation.router(request, response, (error: unknown) => {
        if (error) return failInternally(error, request, response, next);
        const what = `${request.method} ${request.path}`;
        return void response
          .status(404)
          .json({ sandbox_error: `the ${vendor.name} simulator does not implement ${what}` });
      });
    };
    const fault = control.faults.take({ vendor: vendor.key, method: request.method, path: request.path });
    if (fault) injectFault(fault, { dialect: vendor.dialect, request, response, handle });
    else handle();
  };
}

function hasHost(vendor: Vendor, host: string): boolean {
  return vendor.hosts.some(known => (typeof known === 'string' ? known === host : known.test(host)));
}
