import type { Connection, Grant, Kind } from '@connector-auth/connectors/kind';
import type { Log } from '../log/log.ts';
import { isAccountShared, type ConnectorRef, type StoredConnector } from '../repositories/connectors.ts';
import { openConnection, type ConnectionOptions } from './connection.ts';
import { revokeGrant } from './revoke.ts';
import { openGrant, sealGrant } from './sealed-grant.ts';
import { verifyGrant, type VerifiedGrant } from './verify.ts';

export interface CredentialsOptions extends ConnectionOptions {
  readonly log: Log;
}

/** The credentials of connectors: seals, opens, verifies, uses and revokes them. Features need nothing else to reach a vendor. */
export class Credentials {
  readonly #options: CredentialsOptions;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /** Seals a grant for the row of its connector. */
  seal(row: ConnectorRef, grant: Grant): Uint8Array {
    return sealGrant(this.#options.sealer, row, grant);
  }

  /** Opens the grant of a stored connector. */
  open(stored: StoredConnector): Grant {
    return openGrant(this.#options.sealer, stored);
  }

  /** Connects to the vendor with the grant of a stored connector; see `connection.ts`. */
  connect(kind: Kind, stored: StoredConnector): Connection {
    return openConnection(this.#options, kind, stored);
  }

  /**
   * Verifies new credentials at the vendor; see `verify.ts`.
   * @throws ConnectorAuthError `credentials_refused`, or the vendor's failure.
   */
  async verify(
    organizationId: string,
    kind: Kind,
    grant: Grant,
    verification: Omit<Parameters<typeof verifyGrant>[3], 'choice'>,
  ): Promise<VerifiedGrant> {
    const choice = await this.#options.apps.choiceOf(organizationId, kind);
    return verifyGrant(this.#options, kind, grant, { ...verification, choice });
  }

  /**
   * Revokes the grant of a deleted connector at the vendor, where the vendor has a way to. A grant of an account that another
   * connector stands for is left alone: some vendors end all grants of an account together.
   */
  async revoke(kind: Kind, stored: StoredConnector): Promise<void> {
    const { db, apps } = this.#options;
    if (await isAccountShared(db, stored)) return;
    const choice = apps.choose(stored.organizationId, kind, stored.sealedApp);
    await revokeGrant(this.#options, kind, choice, this.open(stored));
  }
}
