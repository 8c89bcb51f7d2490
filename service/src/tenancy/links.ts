import { ConnectorAuthError } from '@connector-auth/api';
import type { LinkStatus } from '../repositories/connect-links.ts';

/** Returns the error for a link that cannot be used, or no longer. */
export function linkEndedError(status: LinkStatus): ConnectorAuthError {
  switch (status) {
    case 'used':
      return new ConnectorAuthError('link_used', 'A source was already connected with this link');
    case 'expired':
      return new ConnectorAuthError('link_expired', 'The link has expired: ask for a new one');
    case 'revoked':
    case 'open':
    case 'confirmed':
      return new ConnectorAuthError('link_revoked', 'The link was revoked: ask for a new one');
  }
}
