import type { Kysely } from 'kysely';
import type { Credentials } from '../credentials/credentials.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Log } from '../log/log.ts';
import type { Revocations } from '../revocations/revocations.ts';

export interface CustomersContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly credentials: Credentials;
  readonly revocations: Revocations;
  readonly log: Log;
}
