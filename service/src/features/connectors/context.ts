import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Notifications } from '../../platform/notifications/notifications.ts';
import type { Credentials } from '../../shared/credentials/credentials.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import type { Idempotency } from '../../shared/idempotency/idempotency.ts';
import type { CustomerOwner } from '../../shared/idempotency/key-tables.ts';
import type { SecretStore } from '../../shared/oauth-sessions/redeem.ts';
import type { SharedRateLimit } from '../../shared/vendor-limits/shared-rate-limit.ts';

export interface ConnectorsContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly credentials: Credentials;
  readonly secrets: SecretStore;
  readonly idempotency: Idempotency<CustomerOwner>;
  readonly notifications: Notifications;
  /** Limits how often a customer can submit credentials that the vendor rejects. */
  readonly rejectedCredentials: SharedRateLimit;
  /** Maximum number of connectors per customer. */
  readonly connectorsPerCustomer: number;
  /** Whether `SANDBOX_URL` is set. */
  readonly usesSandbox: boolean;
  readonly log: Log;
}
