import { readFileSync } from 'node:fs';
import { openApiDocument } from '@connector-auth/api';
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

function packageVersion(): string {
  // The relative path is the same from `src/http` and `dist/http`.
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
