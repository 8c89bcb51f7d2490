import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Notifications } from '../../platform/notifications/notifications.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import type { Revocations } from '../../shared/revocations/revocations.ts';

export interface CustomersContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly revocations: Revocations;
  readonly notifications: Notifications;
  readonly log: Log;
}
