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

/**
 * Encrypts, decrypts, verifies, uses and revokes connectors' credentials. All calls to vendors go through
 * this class.
 */
export class Credentials {
  readonly #options: CredentialsOptions;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  seal(row: ConnectorRef, grant: Grant): Uint8Array {
    return sealGrant(this.#options.sealer, row, grant);
  }

  open(stored: StoredConnector): Grant {
    return openGrant(this.#options.sealer, stored);
  }

  /** See {@link openConnection}. */
  connect(kind: Kind, stored: StoredConnector): Connection {
    return openConnection(this.#options, kind, stored);
  }

  /**
   * Verifies new credentials; see {@link verifyGrant}.
   * @throws ConnectorAuthError `credentials_refused`, or an error for a vendor failure.
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
   * Revokes the grant of a deleted connector at the vendor, if the vendor supports it. Does nothing if
   * another connector uses the same vendor account, because some vendors revoke all of an account's grants
   * together.
   */
  async revoke(kind: Kind, stored: StoredConnector): Promise<void> {
    const { db, apps } = this.#options;
    if (await isAccountShared(db, stored)) return;
    const choice = apps.choose(stored.organizationId, kind, stored.sealedApp);
    await revokeGrant(this.#options, kind, choice, this.open(stored));
  }
}
