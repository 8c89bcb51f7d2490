import { ConnectorAuthError, type ProblemCode } from '@connector-auth/api';
import { renewalTimeoutMs, type Grant } from '@connector-auth/connectors/kind';
import type { AuditLog } from '../../platform/audit-log/audit-log.ts';
import { aboutConnector, entryOfService } from '../../platform/audit-log/entry.ts';
import type { Sealer } from '../../platform/crypto/seal.ts';
import { retryWrite } from '../../platform/database/retry-write.ts';
import type { Log } from '../../platform/log/log.ts';
import { findConnector, replaceGrant, setStatus, type StoredConnector } from '../repositories/connectors.ts';
import { withLease, type LeaseStore } from './lease.ts';
import { logBreak } from './log-break.ts';
import { openGrant, sealGrant } from './sealed-grant.ts';
import { requireUsable } from './usable.ts';

/** Exceeds the timeout of a vendor refresh, so that the lease does not expire before the vendor responds. */
const leaseSeconds = renewalTimeoutMs / 1000 + 10;
/** Exceeds the duration of a lease, so that a waiting request can take over from a holder that died. */
const maxWaitMs = (leaseSeconds + 20) * 1000;

/**
 * Refreshes the grants of stored connectors. Refreshes each grant only once, regardless of how many requests
 * and processes find it stale.
 *
 * Requests in one process share a refresh. Across processes, the holder of a lease calls the vendor and the
 * others wait. The new grant is stored before its first use, and only if the stored version is still the one
 * that was refreshed. If the vendor rejects the grant, the connector becomes `needs_reauth`, unless a newer
 * version has been stored.
 *
 * | the holder | result |
 * |---|---|
 * | dies before the vendor acts | the old grant, which the next holder refreshes |
 * | dies after the vendor acts | a spent grant, which the vendor rejects for the next holder: `needs_reauth` |
 * | gets a new grant after its lease expired | the other holder's grant if one was stored, otherwise its own |
 */
export class GrantRefresher {
  readonly #leases: LeaseStore;
  readonly #sealer: Sealer;
  readonly #audit: Pick<AuditLog, 'record'>;
  readonly #log: Log;
  readonly #running = new Map<string, Promise<StoredConnector>>();

  constructor(leases: LeaseStore, sealer: Sealer, audit: Pick<AuditLog, 'record'>, log: Log) {
    this.#leases = leases;
    this.#sealer = sealer;
    this.#audit = audit;
    this.#log = log;
  }

  /**
   * Returns the connector with a newer grant than that of `stale`. The newer grant is either already stored
   * or comes from `renew`.
   * @throws ConnectorAuthError any error from `renew`; `reauthentication_required`, without a vendor call, if
   * the vendor already rejected the grant; `connector_not_found` if the connector was deleted;
   * `connector_disabled`; `connector_frozen`.
   */
  async renew(stale: StoredConnector, renew: (current: Grant) => Promise<Grant>): Promise<StoredConnector> {
    const name = `grant:${stale.organizationId}:${stale.id}`;
    let running = this.#running.get(name);
    if (running === undefined) {
      running = this.#renewOnce(name, stale, renew).finally(() => this.#running.delete(name));
      this.#running.set(name, running);
    }
    const renewed = await running;
    // The shared refresh may have started from an older grant than that of `stale`.
    return renewed.grantVersion > stale.grantVersion ? renewed : this.renew(stale, renew);
  }

  /** Resolves when no refresh is in progress. A process that exits earlier would lose a refreshed grant. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  async #renewOnce(
    name: string,
    stale: StoredConnector,
    renew: (current: Grant) => Promise<Grant>,
  ): Promise<StoredConnector> {
    const isNewer = async (): Promise<boolean> =>
      (await this.#reload(stale)).grantVersion > stale.grantVersion;
    const lease = { name, seconds: leaseSeconds, maxWaitMs, isDone: isNewer };
    const renewed = await withLease(this.#leases, lease, async () => {
      const current = await this.#reload(stale);
      if (current.grantVersion > stale.grantVersion) return current;
      return this.#replace(current, renew);
    });
    return renewed ?? this.#reload(stale);
  }

  async #replace(
    current: StoredConnector,
    renew: (current: Grant) => Promise<Grant>,
  ): Promise<StoredConnector> {
    const { db } = this.#leases;
    if (current.status === 'needs_reauth') throw alreadyRejectedError();
    let renewed: Grant;
    try {
      renewed = await renew(openGrant(this.#sealer, current));
      this.#record(current, 'ok');
    } catch (error) {
      this.#record(current, error instanceof ConnectorAuthError ? error.code : 'internal_error');
      if (!(error instanceof ConnectorAuthError) || error.code !== 'reauthentication_required') throw error;
      if (await setStatus(db, current, current.grantVersion, 'needs_reauth')) {
        logBreak(this.#log, { ...current, connectorId: current.id }, error.code);
      }
      const latest = await this.#reload(current);
      // The vendor rejected this grant because another lease holder had just refreshed it.
      if (latest.grantVersion > current.grantVersion) return latest;
      throw error;
    }
    const columns = {
      authMethod: renewed.method,
      sealedGrant: sealGrant(this.#sealer, current, current.grantVersion + 1, renewed),
      account: current.account,
    };
    // The stored grant is valid, whether this holder or another one stored it.
    await retryWrite(() => replaceGrant(db, current, current.grantVersion, columns));
    return retryWrite(() => this.#reload(current));
  }

  #record(connector: StoredConnector, outcome: 'ok' | ProblemCode): void {
    this.#audit.record(
      entryOfService('service', aboutConnector(connector), {
        action: 'grant.refreshed',
        entity: null,
        outcome,
        records: null,
      }),
    );
  }

  async #reload({ organizationId, id, customerId }: StoredConnector): Promise<StoredConnector> {
    const stored = await findConnector(this.#leases.db, { organizationId, customerId }, id);
    if (stored === null) {
      throw new ConnectorAuthError('connector_not_found', 'The connector was deleted during this request');
    }
    requireUsable(stored);
    return stored;
  }
}

function alreadyRejectedError(): ConnectorAuthError {
  return new ConnectorAuthError(
    'reauthentication_required',
    'The vendor no longer accepts the stored credentials: reconnect the connector',
  );
}
