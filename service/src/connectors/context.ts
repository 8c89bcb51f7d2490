import type { Kysely } from 'kysely';
import type { RateLimit } from '../concurrency/rate-limit.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { CustomerOwner } from '../idempotency/key-tables.ts';
import type { Log } from '../log/log.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { SecretStore } from '../oauth-sessions/redeem.ts';

export interface ConnectorsContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly credentials: Credentials;
  readonly secrets: SecretStore;
  readonly idempotency: Idempotency<CustomerOwner>;
  readonly notifications: Notifications;
  /** Limits how often a customer can submit credentials that the vendor rejects. */
  readonly rejectedCredentials: RateLimit;
  /** Maximum number of connectors per customer. */
  readonly connectorsPerCustomer: number;
  /** Whether `SANDBOX_URL` is set. */
  readonly usesSandbox: boolean;
  readonly log: Log;
}
