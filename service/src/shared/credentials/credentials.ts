import { ConnectorAuthError, type Language, type ListAccountsResponse } from '@connector-auth/api';
import { type Connection, type Grant, type Kind, type ResponseMemory } from '@connector-auth/connectors/kind';
import type { Requester } from '../../platform/concurrency/fair-queue.ts';
import { SealError } from '../../platform/crypto/seal.ts';
import { findConnectorsOfAccounts, type StoredConnector } from '../repositories/connectors.ts';
import { findOrganization } from '../repositories/organizations.ts';
import { newCredentials } from '../vendor-limits/daily-quotas.ts';
import { transportFor } from '../vendor-limits/response-memory.ts';
import { limiterFor } from '../vendor-limits/vendor-limiter.ts';
import { listAccounts, listAccountsOfGrant } from './accounts.ts';
import { connectRow, openConnection, type ConnectionOptions, type RowConnection } from './connection.ts';
import { appForGrant, bindToApp, clientIdOf } from './oauth-apps.ts';
import { attemptRevocation, type RevocationAttempt } from './revoke.ts';
import { openGrant, sealGrant, type GrantOwner, type SealedGrant } from './sealed-grant.ts';
import { requireUsable } from './usable.ts';
import { verifyGrant, type VerifiedGrant } from './verify.ts';

export interface CredentialsOptions extends ConnectionOptions {
  /** The default sync interval, for organizations that have not set their own. */
  readonly syncIntervalMinutes: number;
}

/**
 * Encrypts, decrypts, verifies, uses and revokes connectors' credentials. All calls to vendors go through
 * this class.
 */
export class Credentials {
  readonly #options: CredentialsOptions;
  readonly #byRow = new WeakMap<StoredConnector, RowConnection>();

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /** @param version the version under which the grant will be stored. */
  seal(owner: GrantOwner, version: number, grant: Grant): Uint8Array {
    return sealGrant(this.#options.sealer, owner, version, grant);
  }

  open(stored: SealedGrant): Grant {
    return openGrant(this.#options.sealer, stored);
  }

  /**
   * Returns a connector's settings. Returns null if its kind has none, or if an earlier version stored them in a grant
   * that can no longer be decrypted.
   */
  settingsOf(kind: Kind, stored: StoredConnector): Grant['settings'] | null {
    if (kind.settings === undefined || stored.settings !== null) return stored.settings;
    try {
      return this.open(stored).settings;
    } catch {
      // One unreadable grant must not hide all connectors of a list.
      return null;
    }
  }

  /**
   * Opens a connection; see {@link openConnection}. Decrypts the grant of each row once.
   * @throws ConnectorAuthError `connector_disabled`, `connector_frozen`.
   */
  connect(kind: Kind, stored: StoredConnector, memory?: ResponseMemory): Connection {
    requireUsable(stored);
    let shared = this.#byRow.get(stored);
    if (shared === undefined) {
      shared = connectRow(this.#options, kind, stored);
      this.#byRow.set(stored, shared);
    }
    return openConnection(this.#options, stored, shared, memory);
  }

  /**
   * Binds new credentials to their OAuth app and verifies them; see {@link bindToApp} and
   * {@link verifyGrant}.
   * @throws ConnectorAuthError `oauth_app_required`, `credentials_refused`, or an error for a vendor failure.
   */
  async verify(
    organizationId: string,
    kind: Kind,
    grant: Grant,
    verification: Omit<Parameters<typeof verifyGrant>[3], 'choice'>,
  ): Promise<VerifiedGrant> {
    const choice = await this.#options.apps.choiceOf(organizationId, kind);
    const bound = bindToApp(kind, choice, grant);
    const requester = { organizationId, customerId: newCredentials };
    const transport = transportFor(this.#options.transport, this.#options.responses, requester);
    const limiter = limiterFor(this.#options.limiter, requester);
    return verifyGrant({ transport, limiter, clock: this.#options.clock }, kind, bound, {
      ...verification,
      choice,
    });
  }

  /** Lists the accounts that a connector's grant can see; see {@link listAccounts}. */
  async listAccounts(
    kind: Kind,
    stored: StoredConnector,
    { language, signal }: { readonly language: Language; readonly signal: AbortSignal },
  ): Promise<ListAccountsResponse> {
    const connection = this.connect(kind, stored);
    return listAccounts(kind, this.open(stored), {
      language,
      syncsPerDay: await this.#syncsPerDay(stored.organizationId),
      open: () => connection.vendorFor({ repeatable: true, signal }),
    });
  }

  /** Lists the accounts of a grant that no connector has yet; see {@link listAccountsOfGrant}. */
  async listAccountsOfGrant(
    owner: Requester,
    kind: Kind,
    grant: Grant,
    options: Omit<Parameters<typeof listAccountsOfGrant>[3], 'choice' | 'syncsPerDay'>,
  ): Promise<ListAccountsResponse> {
    const { transport, responses, limiter, apps } = this.#options;
    const choice = await apps.choiceOf(owner.organizationId, kind);
    const vendor = {
      transport: transportFor(transport, responses, owner),
      limiter: limiterFor(limiter, owner),
      clock: this.#options.clock,
    };
    const syncsPerDay = await this.#syncsPerDay(owner.organizationId);
    return listAccountsOfGrant(vendor, kind, grant, { ...options, choice, syncsPerDay });
  }

  async #syncsPerDay(organizationId: string): Promise<number> {
    const { sync_interval_minutes: minutes } = await findOrganization(this.#options.db, organizationId);
    return (24 * 60) / (minutes ?? this.#options.syncIntervalMinutes);
  }

  /**
   * Returns the accounts that a grant can access, and the grant, which may have been refreshed. Null if the vendor no longer
   * accepts it: it has ended, or cannot be used for a reason that may pass.
   * @throws ConnectorAuthError if the vendor does not report the accounts.
   */
  async accountsOf(
    kind: Kind,
    organizationId: string,
    grant: Grant,
    signal: AbortSignal,
  ): Promise<Pick<VerifiedGrant, 'accounts' | 'grant'> | null> {
    // The settings can limit the accounts of a connector to some of those that the grant can access.
    const all = { ...grant, settings: {} };
    try {
      return await this.verify(organizationId, kind, all, {
        knownAs: null,
        signal,
        // Otherwise, a grant that was refreshed would count as verified without its accounts.
        saveRenewed: () => Promise.resolve(),
      });
    } catch (error) {
      const cause = error instanceof ConnectorAuthError ? error.cause : null;
      if (cause instanceof ConnectorAuthError && cause.code === 'reauthentication_required') return null;
      throw error;
    }
  }

  /**
   * Returns whether a connector, in any organization, uses or may use one of these accounts with this OAuth app. Revoking a
   * grant for them could end the connector's too: Google revokes all grants that a user has given to an app.
   */
  async isInUse(kind: Kind, clientId: string, accounts: readonly string[]): Promise<boolean> {
    const others = await findConnectorsOfAccounts(this.#options.db, kind.key, accounts);
    return others.some(other => {
      try {
        return (clientIdOf(this.open(other)) ?? clientId) === clientId;
      } catch (error) {
        if (error instanceof SealError) return true;
        throw error;
      }
    });
  }

  /**
   * Sends one request to revoke a grant at the vendor; see {@link attemptRevocation}. The grant can be one whose
   * connector no longer exists.
   */
  async attemptRevocation(
    kind: Kind,
    owner: Requester,
    grant: Grant,
    signal?: AbortSignal,
  ): Promise<RevocationAttempt> {
    const { transport, responses, limiter, apps } = this.#options;
    const choice = await apps.choiceOf(owner.organizationId, kind);
    const vendor = {
      transport: transportFor(transport, responses, owner),
      limiter: limiterFor(limiter, owner),
      clock: this.#options.clock,
    };
    return attemptRevocation(vendor, kind, { grant, app: appForGrant(choice, grant) }, signal);
  }
}
