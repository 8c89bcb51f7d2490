import { json, Router, type ErrorRequestHandler, type Request } from 'express';
import { SandboxError } from '../simulator/sandbox-error.ts';
import type { SandboxControl } from './control.ts';
import { parseFault } from './faults.ts';

/** Serves the control API at `/_sandbox`, for tests that run the sandbox in another process. */
export function controlRoutes(control: SandboxControl): Router {
  const router = Router();
  // Only JSON is accepted, so a request from a web page requires a CORS preflight, which always fails.
  router.use(json({ limit: '100kb' }));

  router.get('/credentials', (_request, response) => void response.json({ vendors: control.vendors() }));

  router.get('/faults', (_request, response) => void response.json({ faults: control.faults.list() }));
  router.post('/faults', (request, response) => {
    response.status(201).json(control.faults.add(parseFault(request.body)));
  });
  router.delete('/faults', (request, response) => {
    control.faults.clear(queryText(request, 'vendor'));
    response.status(204).end();
  });
  router.delete('/faults/:id', (request, response) => {
    if (!control.faults.remove(request.params.id))
      throw new SandboxError(`no fault with id "${request.params.id}"`);
    response.status(204).end();
  });

  router.get('/requests', (request, response) => {
    const filter = ['vendor', 'method', 'path', 'operation'].flatMap(name => {
      const value = queryText(request, name);
      return value === undefined ? [] : [[name, value]];
    });
    const requests = control.requests.list(Object.fromEntries(filter));
    response.json({ requests, totals: control.requests.totals() });
  });
  router.delete('/requests', (_request, response) => {
    control.requests.clear();
    response.status(204).end();
  });

  router.get('/vendors/:vendor/settings', (request, response) => {
    response.json(control.vendor(request.params.vendor).settings.all());
  });
  router.patch('/vendors/:vendor/settings', (request, response) => {
    const { settings } = control.vendor(request.params.vendor);
    settings.set(objectBody(request));
    response.json(settings.all());
  });
  router.post('/vendors/:vendor/actions/:action', (request, response) => {
    const { vendor, action } = request.params;
    response.json({ result: control.vendor(vendor).act(action, objectBody(request)) ?? null });
  });

  router.post('/clock/advance', (request, response) => {
    const { ms } = objectBody(request);
    if (typeof ms !== 'number' || !(ms >= 0))
      throw new SandboxError('"ms" must be a number of milliseconds, at least 0');
    control.clock.advance(ms);
    response.json({ now: new Date(control.clock.now()).toISOString() });
  });
  router.post('/reset', (_request, response) => {
    control.reset();
    response.status(204).end();
  });

  router.use((request, response) => {
    response.status(404).json({ error: `unknown endpoint: ${request.method} ${request.originalUrl}` });
  });
  router.use(handleError);
  return router;
}

const handleError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof SandboxError) return void response.status(400).json({ error: error.message });
  if (isHttpError(error)) return void response.status(error.status).json({ error: error.message });
  return next(error);
};

function isHttpError(error: unknown): error is Error & { status: number } {
  return (
    error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500
  );
}

function objectBody(request: Request): Record<string, unknown> {
  const body: unknown = request.body ?? {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body };
  throw new SandboxError('the body must be a JSON object');
}

function queryText(request: Request, name: string): string | undefined {
  const value = request.query[name];
  return typeof value === 'string' ? value : undefined;
}
