import type { Grant, Grants } from '@connector-auth/connectors/kind';
import type { Sealer } from '../../platform/crypto/seal.ts';
import type { StoredConnector } from '../repositories/connectors.ts';
import type { GrantRefresher } from './grant-refresher.ts';
import { openGrant } from './sealed-grant.ts';

/** The grant of a stored connector. Decrypted once and refreshed through the {@link GrantRefresher}. */
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

  get current(): Grant {
    return this.#grant;
  }

  get version(): number {
    return this.#stored.grantVersion;
  }

  read(): Promise<Grant> {
    return Promise.resolve(this.#grant);
  }

  async renew(stale: Grant, renew: (current: Grant) => Promise<Grant>): Promise<Grant> {
    if (this.#grant !== stale) return this.#grant;
    const renewed = await this.#refresher.renew(this.#stored, renew);
    // Another call on this connection may have stored a newer grant in the meantime.
    if (renewed.grantVersion > this.version) {
      // The connection keeps the settings that it was opened with.
      this.#stored = { ...renewed, settings: this.#grant.settings };
      this.#grant = openGrant(this.#sealer, this.#stored);
    }
    return this.#grant;
  }
}
