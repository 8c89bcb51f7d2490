import { ConnectorAuthError, isLoopbackPage } from '@connector-auth/api';
import type { RequestHandler } from 'express';

/**
 * Rejects requests whose `Host` is not on localhost, for a service that serves only this machine. Otherwise, a page could
 * let its own name resolve to this machine, and read what needs no token, such as the metrics (DNS rebinding).
 */
export const requireLocalHost: RequestHandler = ({ headers: { host = '' } }, _response, next) => {
  if (isLoopbackPage(URL.parse(`http://${host}`)?.hostname ?? '')) return next();
  const message =
    'Must be localhost, because all addresses and URLs of the service are: set PUBLIC_URL to the URL by which others reach it';
  throw ConnectorAuthError.invalid('malformed_request', [{ path: 'Host', message }]);
};
