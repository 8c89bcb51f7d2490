import type { IncomingMessage } from 'node:http';
import { ConnectorAuthError, isLoopbackPage } from '@connector-auth/api';

/**
 * Rejects requests whose `Host` is not on localhost, for a service that serves only this machine. Otherwise, a page could
 * let its own name resolve to this machine, and read what needs no token, such as the metrics (DNS rebinding).
 */
export function requireLocalHost({ headers: { host = '' } }: IncomingMessage): void {
  if (isLoopbackPage(URL.parse(`http://${host}`)?.hostname ?? '')) return;
  const message =
    'Must be localhost, because all addresses and URLs of the service are: set PUBLIC_URL to the URL by which others reach it';
  throw ConnectorAuthError.invalid('malformed_request', [{ path: 'Host', message }]);
}
