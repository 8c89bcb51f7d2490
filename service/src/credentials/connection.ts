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
import type { Log } from '../log/log.ts';
import { setStatus, type ConnectorStatus, type StoredConnector } from '../repositories/connectors.ts';
import type { GrantRefresher } from './grant-refresher.ts';
import { appForGrant, withSetting, type OAuthApps } from './oauth-apps.ts';
import { StoredGrant } from './stored-grant.ts';

/** What it takes to use stored connectors at their vendors. */
export interface VendorAccess {
  readonly db: Kysely<Tables>;
  readonly sealer: Sealer;
  /** The way to the vendors, or to the sandbox. */
  readonly transport: Transport;
  /** The vendors' rate limits, for all connectors together. */
  readonly limiter: Limiter;
  /** The OAuth apps that grants are renewed with. */
  readonly apps: OAuthApps;
  readonly refresher: GrantRefresher;
  readonly log: Log;
}

/**
 * A connection with the grant of a stored connector. What the vendor says of the grant is noted at the connector: refused,
 * `needs_reauth`; accepted again, `active`.
 */
export function openConnection(access: VendorAccess, kind: Kind, stored: StoredConnector): Connection {
  const { transport, limiter } = access;
  const grant = new StoredGrant(access, stored);
  const choice = access.apps.choose(stored.organizationId, kind, stored.sealedApp);
  const app = appForGrant(choice, grant.current);
  const connection = connect({ kind, grants: grant, transport, limiter, app });
  let noted = stored.status;
  const note = async (status: ConnectorStatus): Promise<void> => {
    if (noted === status) return;
    await setStatus(access.db, stored, grant.version, status);
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
        send: async (request, options) => {
          try {
            const answer = await vendor.send(request, options);
            await note('active');
            return answer;
          } catch (error) {
            if (error instanceof ConnectorAuthError && error.code === 'reauthentication_required') {
              await note('needs_reauth');
            }
            throw withSetting(error, kind, app, grant.current);
          }
        },
      };
    },
  };
}
