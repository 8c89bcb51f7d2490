import type { AuditAction, ProblemCode } from '@connector-auth/api';
import type { Tables } from '../database/tables.ts';

export interface AuditActor {
  readonly type: Tables['audit_entries']['actor_type'];
  /** The id of the application, agent or admin key. */
  readonly id: string | null;
  /** Null for applications, whose names are read with the entries. */
  readonly name: string | null;
  readonly tokenId: string | null;
}

/** One administrative act or one use of a credential. Contains ids and counts, never values. */
export interface AuditEntry {
  readonly actor: AuditActor;
  readonly organizationId: string | null;
  /** Null are the id of a customer who was not looked up, and the name where only the id is known. */
  readonly customer: { readonly id: string | null; readonly name: string | null } | null;
  readonly connectorId: string | null;
  readonly kind: string | null;
  /** An entity that the kind declares, or `*`. */
  readonly entity: string | null;
  readonly action: AuditAction;
  /** The application that an administrative act is about. */
  readonly applicationId: string | null;
  /** The id of what an administrative act changed. */
  readonly targetId: string | null;
  readonly outcome: 'ok' | ProblemCode;
  readonly records: number | null;
  readonly requestId: string | null;
  readonly address: string | null;
}

/** What a handler adds to the entry of its request. */
export type AuditDetails = Partial<
  Pick<
    AuditEntry,
    | 'actor'
    | 'organizationId'
    | 'customer'
    | 'connectorId'
    | 'kind'
    | 'entity'
    | 'action'
    | 'applicationId'
    | 'targetId'
    | 'records'
  >
>;

/** Returns the details of a use of a connector. */
export function aboutConnector(stored: {
  readonly organizationId: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly id: string;
  readonly kind: string;
}): AuditDetails {
  return {
    organizationId: stored.organizationId,
    customer: { id: stored.customerId, name: stored.customerName },
    connectorId: stored.id,
    kind: stored.kind,
  };
}

/** Returns an entry about a connector that the service uses without a request. */
export function entryOfService(
  type: 'sync' | 'service',
  about: AuditDetails,
  result: Pick<AuditEntry, 'action' | 'entity' | 'outcome' | 'records'>,
): AuditEntry {
  return {
    actor: { type, id: null, name: null, tokenId: null },
    organizationId: null,
    customer: null,
    connectorId: null,
    kind: null,
    applicationId: null,
    targetId: null,
    requestId: null,
    address: null,
    ...about,
    ...result,
  };
}
