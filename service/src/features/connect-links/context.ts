import type { Log } from '../../platform/log/log.ts';
import type { LongPollContext } from '../../platform/notifications/long-poll.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import type { Idempotency } from '../../shared/idempotency/idempotency.ts';
import type { CustomerOwner } from '../../shared/idempotency/key-tables.ts';
import type { LinkSources } from './store.ts';

export interface ConnectLinksContext extends LongPollContext, LinkSources {
  readonly kinds: KindRegistry;
  readonly idempotency: Idempotency<CustomerOwner>;
  /** Public base URL, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Log;
}
