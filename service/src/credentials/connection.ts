import { ConnectorAuthError } from '@connector-auth/api';
import {
  connect,
  type Connection,
  type Kind,
  type Limiter,
  type Transport,
} from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Sealer } from '../crypto/seal.ts';
import type { Tables } from '../database/tables.ts';
import { setStatus, type ConnectorStatus, type StoredConnector } from '../repositories/connectors.ts';
import type { GrantRefresher } from './grant-refresher.ts';
import { appForGrant, withSettingHint, type OAuthApps } from './oauth-apps.ts';
import { StoredGrant } from './stored-grant.ts';

/** What stored credentials are used with. */
export interface ConnectionOptions {
  readonly db: Kysely<Tables>;
  readonly sealer: Sealer;
  /** Sends requests to the vendors, or to the sandbox. */
  readonly transport: Transport;
  /** Enforces the vendors' rate limits, for all connectors together. */
  readonly limiter: Limiter;
  /** The OAuth apps that grants are refreshed with. */
  readonly apps: OAuthApps;
  readonly refresher: GrantRefresher;
}

/**
 * A connection with the grant of a stored connector. What the vendor says of the grant is noted at the connector: refused,
 * `needs_reauth`; accepted again, `active`.
 */
export function openConnection(options: ConnectionOptions, kind: Kind, stored: StoredConnector): Connection {
  const { transport, limiter } = options;
  const grant = new StoredGrant(options, stored);
  const choice = options.apps.choose(stored.organizationId, kind, stored.sealedApp);
  const app = appForGrant(choice, grant.current);
  const connection = connect({ kind, grants: grant, transport, limiter, app });
  let noted = stored.status;
  const note = async (status: ConnectorStatus): Promise<void> => {
    if (noted === status) return;
    await setStatus(options.db, stored, grant.version, status);
    noted = status;
  };
  return {
    kind,
    vendorFor: async call => {
      const vendor = await connection.vendorFor(call);
      return {
        ...vendor,
        // Spreading would fix it at what it is now.
        get grant() {
          return vendor.grant;
        },
        send: async (request, sendOptions) => {
          try {
            const answer = await vendor.send(request, sendOptions);
            await note('active');
            return answer;
          } catch (error) {
            if (error instanceof ConnectorAuthError && error.code === 'reauthentication_required') {
              await note('needs_reauth');
            }
            throw withSettingHint(error, kind, app, grant.current);
          }
        },
      };
    },
  };
}
