import { createHash } from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import { Router } from 'express';
import type { KindRegistry } from '../../shared/definitions/registry.ts';

/**
 * Serves the connector kinds' icons. A browser treats an SVG that is opened directly as a document, so the
 * Content-Security-Policy forbids scripts and external resources.
 */
export function mountIcons(kinds: KindRegistry): Router {
  const router = Router();
  router.get('/icons/:file', (request, response) => {
    response.locals.route = '/icons/{kind}.svg';
    const key = /^(.+)\.svg$/.exec(request.params.file)?.[1];
    const kind = key === undefined ? null : kinds.byKey(key);
    if (kind === null) throw new ConnectorAuthError('route_not_found', 'No such icon');
    response.set({
      'Content-Type': 'image/svg+xml',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=86400',
      ETag: `"${createHash('sha256').update(kind.icon).digest('base64url').slice(0, 22)}"`,
    });
    if (request.fresh) return void response.status(304).end();
    response.send(kind.icon);
  });
  return router;
}
