import type { Grant, Grants } from '@connector-auth/connectors/kind';
import type { Sealer } from '../crypto/seal.ts';
import type { StoredConnector } from '../repositories/connectors.ts';
import type { GrantRefresher } from './grant-refresher.ts';
import { openGrant } from './sealed-grant.ts';

/** The grant of a stored connector in use: opened once, renewed in the database. */
export class StoredGrant implements Grants {
  readonly #sealer: Sealer;
  readonly #refresher: GrantRefresher;
  #stored: StoredConnector;
  #grant: Grant;

  constructor(
    { sealer, refresher }: { readonly sealer: Sealer; readonly refresher: GrantRefresher },
    stored: StoredConnector,
  ) {
    this.#sealer = sealer;
    this.#refresher = refresher;
    this.#stored = stored;
    this.#grant = openGrant(sealer, stored);
  }

  /** The grant in use. */
  get current(): Grant {
    return this.#grant;
  }

  /** Version of the grant in use. */
  get version(): number {
    return this.#stored.grantVersion;
  }

  read(): Promise<Grant> {
    return Promise.resolve(this.#grant);
  }

  async renew(stale: Grant, renew: (current: Grant) => Promise<Grant>): Promise<Grant> {
    if (this.#grant !== stale) return this.#grant;
    const renewed = await this.#refresher.renew(this.#stored, renew);
    // Another call of this connection may have taken over a newer one meanwhile.
    if (renewed.grantVersion > this.version) {
      this.#stored = renewed;
      this.#grant = openGrant(this.#sealer, renewed);
    }
    return this.#grant;
  }
}
