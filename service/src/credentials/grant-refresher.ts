import { ConnectorAuthError } from '@connector-auth/api';
import { renewalTimeoutMs, type Grant } from '@connector-auth/connectors/kind';
import type { Sealer } from '../crypto/seal.ts';
import { retryWrite } from '../database/retry-write.ts';
import { findConnector, replaceGrant, setStatus, type StoredConnector } from '../repositories/connectors.ts';
import { withLease, type LeaseStore } from './lease.ts';
import { openGrant, sealGrant } from './sealed-grant.ts';

/** Longer than the vendor may take, so that its answer finds the lease still held. */
const leaseSeconds = renewalTimeoutMs / 1000 + 10;
/** Longer than a lease, so that the work of a holder that died is taken over. */
const maxWaitMs = (leaseSeconds + 20) * 1000;

/**
 * Renews grants of stored connectors: each once, however many requests in however many processes find it stale.
 *
 * Within a process all of them share one renewal; among processes a lease decides who asks the vendor, and the others wait for what
 * comes of it. The new grant is stored before anyone uses it, only over the version it was made from. A vendor that refuses the
 * grant makes the connector `needs_reauth`, only at the version that was refused.
 *
 * | a holder that | leaves |
 * |---|---|
 * | dies before the vendor acted | the old grant, which the next holder renews |
 * | dies after the vendor acted | a spent grant, which the vendor refuses to the next holder: `needs_reauth` |
 * | wakes after its lease, with a new grant | the other's grant, if there is one; else its own, which is the only one that works |
 */
export class GrantRefresher {
  readonly #leases: LeaseStore;
  readonly #sealer: Sealer;
  readonly #running = new Map<string, Promise<StoredConnector>>();

  constructor(leases: LeaseStore, sealer: Sealer) {
    this.#leases = leases;
    this.#sealer = sealer;
  }

  /**
   * The connector with a grant newer than the one given: what is stored already, or what `renew` makes of it.
   * @throws ConnectorAuthError what `renew` throws; `reauthentication_required` also without asking, when the vendor refused the
   * grant before; `connector_not_found` when it was deleted meanwhile.
   */
  async renew(stale: StoredConnector, renew: (current: Grant) => Promise<Grant>): Promise<StoredConnector> {
    const name = `grant:${stale.organizationId}:${stale.id}`;
    let running = this.#running.get(name);
    if (running === undefined) {
      running = this.#renewOnce(name, stale, renew).finally(() => this.#running.delete(name));
      this.#running.set(name, running);
    }
    const renewed = await running;
    // The renewal that was running may have begun from an older grant than ours.
    return renewed.grantVersion > stale.grantVersion ? renewed : this.renew(stale, renew);
  }

  /** Resolves when no renewal runs: a process that ends before would lose what a vendor gave it. */
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
    } catch (error) {
      if (!(error instanceof ConnectorAuthError) || error.code !== 'reauthentication_required') throw error;
      await setStatus(db, current, current.grantVersion, 'needs_reauth');
      const latest = await this.#reload(current);
      // Refused because another had just renewed it.
      if (latest.grantVersion > current.grantVersion) return latest;
      throw error;
    }
    const columns = {
      authMethod: renewed.method,
      sealedGrant: sealGrant(this.#sealer, current, renewed),
      account: current.account,
    };
    // Whether ours was stored or somebody was faster: what is stored now is the one to use.
    await retryWrite(() => replaceGrant(db, current, current.grantVersion, columns));
    return retryWrite(() => this.#reload(current));
  }

  async #reload({ organizationId, id, customerId }: StoredConnector): Promise<StoredConnector> {
    const stored = await findConnector(this.#leases.db, { organizationId, customerId }, id);
    if (stored !== null) return stored;
    throw new ConnectorAuthError('connector_not_found', 'The connector was deleted meanwhile');
  }
}

function alreadyRejectedError(): ConnectorAuthError {
  return new ConnectorAuthError(
    'reauthentication_required',
    'The vendor no longer accepts the stored credentials: connect again',
  );
}
