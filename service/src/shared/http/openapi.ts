import { readFileSync } from 'node:fs';
import { adminOpenApiDocument } from '@connector-auth/api/admin';
import { Router } from 'express';

/** Serves the contract for operators as an OpenAPI document, which is made at the first request. */
export function mountAdminOpenApi(consoleUrl: string): Router {
  const router = Router();
  const path = '/api/v1/admin/openapi.json';
  let text: string | null = null;
  router.get(path, (_request, response) => {
    text ??= JSON.stringify(adminOpenApiDocument(consoleUrl, packageVersion()));
    response.locals.route = path;
    response.set('Cache-Control', 'public, max-age=300').type('application/json').send(text);
  });
  return router;
}

/** Returns the version of the service. */
export function packageVersion(): string {
  // The relative path is the same from `src/shared/http` and `dist/shared/http`.
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  // oxlint-disable-next-line no-restricted-properties -- reads the package.json of this package
  return (JSON.parse(text) as { version: string }).version;
}
