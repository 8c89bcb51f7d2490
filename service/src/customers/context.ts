import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Log } from '../log/log.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Revocations } from '../revocations/revocations.ts';

export interface CustomersContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly revocations: Revocations;
  readonly notifications: Notifications;
  readonly log: Log;
}
