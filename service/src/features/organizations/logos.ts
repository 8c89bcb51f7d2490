import { ConnectorAuthError, uuid } from '@connector-auth/api';
import { Router } from 'express';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { findLogo } from '../../shared/repositories/organizations.ts';

/**
 * Serves the organizations' logos. The Content-Security-Policy keeps a logo that is opened directly from doing
 * anything.
 */
export function mountLogos(db: Kysely<Tables>): Router {
  const router = Router();
  // The path of `logoPath`.
  router.get('/logos/:organization/:version', async (request, response) => {
    response.locals.route = '/logos/{organization}/{version}';
    const { organization, version } = request.params;
    const id = uuid.safeParse(organization);
    const logo = id.success ? await findLogo(db, id.data, version) : null;
    if (logo === null) throw new ConnectorAuthError('route_not_found', 'No such logo');
    response
      .set({
        'Content-Type': logo.type,
        'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'public, max-age=31536000, immutable',
      })
      .end(logo.bytes);
  });
  return router;
}
