import { ConnectorAuthError, type Clock, type ConnectorStatus } from '@connector-auth/api';
import {
  connect,
  type Connection,
  type Kind,
  type ResponseMemory,
  type Transport,
} from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Sealer } from '../../platform/crypto/seal.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Log } from '../../platform/log/log.ts';
import { setStatus, type StoredConnector } from '../repositories/connectors.ts';
import type { RequesterLimiter } from '../vendor-limits/fair-limiter.ts';
import { transportFor, type VendorResponses } from '../vendor-limits/response-memory.ts';
import { limiterFor } from '../vendor-limits/vendor-limiter.ts';
import type { GrantRefresher } from './grant-refresher.ts';
import { logBreak, logRecovery } from './log-break.ts';
import { appForGrant, withSettingHint, type OAuthApps, type OwnedApp } from './oauth-apps.ts';
import { StoredGrant } from './stored-grant.ts';

export interface ConnectionOptions {
  readonly db: Kysely<Tables>;
  readonly sealer: Sealer;
  readonly transport: Transport;
  readonly responses: VendorResponses;
  readonly limiter: RequesterLimiter;
  /** The clock of the limiter. Access tokens that another process got expire by it. */
  readonly clock: Clock;
  readonly apps: OAuthApps;
  readonly refresher: GrantRefresher;
  readonly log: Log;
}

/** What all uses of a connector's row share. Has its decrypted grant, so it must not be kept longer than the row. */
export interface RowConnection {
  readonly connection: Connection;
  readonly grant: StoredGrant;
  readonly app: OwnedApp | null;
}

export function connectRow(options: ConnectionOptions, kind: Kind, stored: StoredConnector): RowConnection {
  const transport = transportFor(options.transport, options.responses, stored);
  const limiter = limiterFor(options.limiter, stored);
  const grant = new StoredGrant(options, stored);
  const choice = options.apps.choose(stored.organizationId, kind, stored.sealedApp);
  const app = appForGrant(choice, grant.current);
  const { clock } = options;
  return { connection: connect({ kind, grants: grant, transport, limiter, clock, app }), grant, app };
}

/**
 * Opens a connection that authenticates with a stored connector's grant. Sets the connector's status to
 * `needs_reauth` when the vendor rejects the grant, and to `active` when the vendor accepts the grant again.
 * @param memory counts the responses; without it, each response is counted only until it is parsed.
 */
export function openConnection(
  options: ConnectionOptions,
  stored: StoredConnector,
  { connection, grant, app }: RowConnection,
  memory?: ResponseMemory,
): Connection {
  const { kind } = connection;
  let savedStatus: ConnectorStatus = stored.status;
  const saveStatus = async (status: 'active' | 'needs_reauth'): Promise<void> => {
    if (savedStatus === status) return;
    const isChanged = await setStatus(options.db, stored, grant.version, status);
    savedStatus = status;
    if (!isChanged) return;
    const affected = { ...stored, connectorId: stored.id };
    if (status === 'active') logRecovery(options.log, affected);
    else logBreak(options.log, affected, 'reauthentication_required');
  };
  return {
    kind,
    vendorFor: async call => {
      const vendor = await connection.vendorFor(memory ? { ...call, memory } : call);
      const send = vendor.send.bind(vendor);
      // The object belongs to this call.
      vendor.send = async (request, sendOptions) => {
        try {
          const response = await send(request, sendOptions);
          if (savedStatus !== 'active') await saveStatus('active');
          return response;
        } catch (error) {
          if (error instanceof ConnectorAuthError && error.code === 'reauthentication_required') {
            await saveStatus('needs_reauth');
          }
          throw withSettingHint(error, kind, app, grant.current);
        }
      };
      return vendor;
    },
  };
}
