import type { KindRegistry } from '../definitions/registry.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { CustomerOwner } from '../idempotency/key-tables.ts';
import type { Log } from '../log/log.ts';
import type { LongPollContext } from '../notifications/long-poll.ts';
import type { LinkSources } from './store.ts';

export interface ConnectLinksContext extends LongPollContext, LinkSources {
  readonly kinds: KindRegistry;
  readonly idempotency: Idempotency<CustomerOwner>;
  /** Public base URL, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Log;
}
