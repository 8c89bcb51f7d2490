import type { Needs, Settings } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { CachedConnectors } from '../../shared/repositories/cached-connectors.ts';
import { executeAction, limitExecutes, type Search } from './execute.ts';

export function execute(
  needs: Needs<'database' | 'db' | 'kinds' | 'credentials' | 'responses' | 'idempotency'>,
  { maxConcurrentExecutes }: Pick<Settings, 'maxConcurrentExecutes'>,
  search: Search,
) {
  const context = {
    ...needs,
    cached: new CachedConnectors(needs.db, needs.database.connectorChanges),
    search,
    concurrency: limitExecutes(maxConcurrentExecutes),
  };
  return {
    handlers: {
      execute: ({ caller, params, body, ...call }) =>
        executeAction(context, caller, params.id, { ...call, operation: body }),
    },
  } satisfies Feature;
}
