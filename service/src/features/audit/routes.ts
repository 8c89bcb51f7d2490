import { ConnectorAuthError, type ActivityEntry } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import { listEntriesOfConnector, type StoredEntry } from '../../platform/audit-log/store.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import type { Handlers } from '../../shared/http/handler.ts';
import { requireConnector } from '../../shared/tenancy/connectors.ts';
import { readPage } from './position.ts';

export function activityRoutes(context: {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
}): Pick<Handlers, 'listConnectorActivity'> {
  return {
    listConnectorActivity: async ({ caller, params, query, audit }) => {
      if (caller.link !== null) {
        throw new ConnectorAuthError(
          'action_not_allowed',
          'The token of a connect link cannot read activity',
        );
      }
      const { stored } = await requireConnector(context, { caller, audit }, params.id, 'view');
      const { rows, meta } = await readPage(query, position =>
        listEntriesOfConnector(context.db, stored, position),
      );
      return { data: rows.map(toActivity), meta };
    },
  };
}

const actors: Readonly<Record<StoredEntry['actor_type'], ActivityEntry['actor']>> = {
  application: 'integrator',
  customer_token: 'customer',
  agent: 'customer',
  admin_key: 'operator',
  sync: 'sync',
  service: 'sync',
};

function toActivity(entry: StoredEntry): ActivityEntry {
  return {
    id: String(entry.id),
    at: entry.at.toISOString(),
    actor: actors[entry.actor_type],
    action: entry.action,
    entity: entry.entity,
    outcome: entry.outcome,
    records: entry.records,
  };
}
