import type { ProblemCode } from '@connector-auth/api';
import type { Log } from '../../platform/log/log.ts';

/** The connector, and its entity if only the sync of one is affected. */
interface Affected {
  readonly organizationId: string;
  readonly customerId: string;
  readonly connectorId: string;
  readonly kind: string;
  readonly entity?: string;
}

/** Logs that a connector has stopped working: the vendor rejects its grant, or a sync fails repeatedly. */
export function logBreak(log: Log, affected: Affected, problem: ProblemCode): void {
  log.warn('connector_broken', { ...fieldsOf(affected), problem });
}

/** Logs that a connector works again. */
export function logRecovery(log: Log, affected: Affected): void {
  log.info('connector_recovered', fieldsOf(affected));
}

function fieldsOf({ organizationId, customerId, connectorId, kind, entity }: Affected) {
  return {
    organization_id: organizationId,
    customer_id: customerId,
    connector_id: connectorId,
    kind,
    ...(entity === undefined ? {} : { entity }),
  };
}
