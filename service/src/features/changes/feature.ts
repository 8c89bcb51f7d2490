import { limitWaitingRequests } from '../../platform/notifications/long-poll.ts';
import type { Needs, Settings } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { limitReads, listChanges, type ChangesContext } from './feed.ts';
import { createHorizonGauge, startFeedUpkeep } from './upkeep.ts';

export function changes(
  {
    database,
    longPolls,
    changeCursors: cursors,
    metrics,
    log,
    ...needs
  }: Needs<
    'database' | 'db' | 'kinds' | 'tables' | 'longPolls' | 'changeCursors' | 'horizon' | 'metrics' | 'log'
  >,
  { changesRetentionDays }: Pick<Settings, 'changesRetentionDays'>,
) {
  const context: ChangesContext = {
    ...needs,
    ...longPolls,
    waitingRequests: limitWaitingRequests('application'),
    search: database.search,
    cursors,
    reads: limitReads(database.searchConnections),
  };
  const gauge = createHorizonGauge(metrics);
  return {
    handlers: { listChanges: call => listChanges(context, call) },
    start: () => startFeedUpkeep({ ...context, log, gauge }, changesRetentionDays),
  } satisfies Feature;
}
