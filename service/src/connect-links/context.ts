import type { Kysely } from 'kysely';
import type { KeyRing } from '../crypto/key-ring.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { CustomerOwner } from '../idempotency/key-tables.ts';
import type { LongPollContext } from '../notifications/long-poll.ts';

export interface ConnectLinksContext extends LongPollContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly idempotency: Idempotency<CustomerOwner>;
  /** Derive the secrets of links. */
  readonly signingKeys: KeyRing;
  /** Public base URL, without a trailing slash. */
  readonly publicUrl: string;
}
