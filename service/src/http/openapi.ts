import { readFileSync } from 'node:fs';
import { openApiDocument } from '@connector-auth/api';
import { adminOpenApiDocument } from '@connector-auth/api/admin';
import { Router } from 'express';

/** Serves the contract as an OpenAPI document, and allows pages from any origin to read it. */
export function mountOpenApi(publicUrl: string): Router {
  const router = Router();
  const text = JSON.stringify(openApiDocument(publicUrl, packageVersion()));
  router.get('/openapi.json', (_request, response) => {
    response.locals.route = '/openapi.json';
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' });
    response.type('application/json').send(text);
  });
  return router;
}

/** Serves the contract for operators as an OpenAPI document. */
export function mountAdminOpenApi(consoleUrl: string): Router {
  const router = Router();
  const path = '/api/v1/admin/openapi.json';
  const text = JSON.stringify(adminOpenApiDocument(consoleUrl, packageVersion()));
  router.get(path, (_request, response) => {
    response.locals.route = path;
    response.set('Cache-Control', 'public, max-age=300').type('application/json').send(text);
  });
  return router;
}

/** Returns the version of the service. */
export function packageVersion(): string {
  // The relative path is the same from `src/http` and `dist/http`.
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
