import { ConnectorAuthError, type AuditAction, type Endpoint, type ProblemCode } from '@connector-auth/api';
import type { AuditLog } from '../../platform/audit-log/audit-log.ts';
import type { AuditActor, AuditDetails, AuditEntry } from '../../platform/audit-log/entry.ts';

/** How the requests to the endpoints of one contract are audited. */
export interface EndpointAudit {
  readonly log: AuditLog;
  /** Whether changes are rejected while they cannot be recorded. Changes that revoke something never are. */
  readonly isRequired: boolean;
}

type Caller = Express.Locals['caller'];
type Details = { -readonly [Name in keyof AuditDetails]: AuditDetails[Name] };

/** The entry of one request, which its handler can complete. Recorded once the request has its outcome. */
export class RequestAudit {
  readonly #audit: EndpointAudit;
  readonly #endpoint: Endpoint;
  readonly #request: Pick<AuditEntry, 'requestId' | 'address'>;
  readonly #details: Details = {};
  #caller: Caller;

  constructor(audit: EndpointAudit, endpoint: Endpoint, request: Pick<AuditEntry, 'requestId' | 'address'>) {
    this.#audit = audit;
    this.#endpoint = endpoint;
    this.#request = request;
  }

  /** Records that an operator's key was not accepted. Tokens that were not accepted are in the log only. */
  reject(error: unknown): void {
    const isOfOperator = this.#endpoint.callers.includes('admin');
    if (isOfOperator) this.#recordFailure(this.#endpoint.audit ?? 'session.started', error);
  }

  setCaller(caller: Caller): void {
    this.#caller = caller;
    if (caller !== undefined && caller.kind !== 'admin') {
      this.#details.organizationId = caller.organizationId;
      if (caller.kind !== 'application') this.#details.customer = caller.customer;
    }
  }

  /** @throws ConnectorAuthError `audit_unavailable` if the request changes something and cannot be recorded. */
  requireWritable(): void {
    const { audit, access = 'write', isRevoking = false } = this.#endpoint;
    const isChange = audit !== null && access === 'write';
    if (this.#audit.isRequired && isChange && !isRevoking) this.#audit.log.requireWritable();
  }

  /** Adds the objects whose ids are in the path: the last one is the target. */
  addPath(params: Readonly<Record<string, string>> = {}): void {
    const { organization_id: organizationId, application_id: applicationId } = params;
    if (organizationId !== undefined) this.#details.organizationId = organizationId;
    if (applicationId !== undefined) this.#details.applicationId = applicationId;
    const [, target] = Object.entries(params).findLast(([name]) => /(^|_)id$/.test(name)) ?? [];
    if (target === undefined) return;
    const isConnector = this.#endpoint.path.includes('/connectors/{');
    // A token's connector is added once it is found, so that others cannot fill the activity of its customer.
    if (isConnector && this.#caller?.kind === 'admin') this.#details.connectorId = target;
    else this.#details.targetId = target;
  }

  readonly add = (details: AuditDetails): void => void Object.assign(this.#details, details);

  /** @param result the response, whose id is the target if the request created something. */
  succeed(result: unknown): void {
    const created = typeof result === 'object' && result !== null && 'id' in result ? result.id : null;
    if (typeof created === 'string') this.#details.targetId ??= created;
    const { audit, method, access = 'write', callers, isRevoking = false } = this.#endpoint;
    if (audit === null) return;
    const isOfOperator = callers.includes('admin') && access === 'write';
    // It may have replaced a leaked credential or lowered access. What integrators create is too much for the log.
    const isEdit = method === 'PUT' || method === 'PATCH';
    const entry = this.#entry(audit, 'ok');
    if (isOfOperator || isRevoking || isEdit) this.#audit.log.recordChange(entry);
    else this.#audit.log.record(entry);
  }

  fail(error: unknown): void {
    const { audit } = this.#endpoint;
    if (audit !== null) this.#recordFailure(audit, error);
  }

  #recordFailure(action: AuditAction, error: unknown): void {
    const outcome = codeOf(error);
    if (this.#caller === undefined && !wrongCredentials.has(outcome)) return;
    const entry = this.#entry(action, outcome);
    if (isRejection(error)) this.#audit.log.recordRejection(rejectionKeyOf(this.#caller), entry);
    else this.#audit.log.record(entry);
  }

  #entry(action: AuditAction, outcome: AuditEntry['outcome']): AuditEntry {
    return {
      actor: actorOf(this.#caller),
      organizationId: null,
      customer: null,
      connectorId: null,
      kind: null,
      entity: null,
      action,
      applicationId: null,
      targetId: null,
      outcome,
      records: null,
      ...this.#details,
      ...this.#request,
    };
  }
}

/**
 * What requests without a caller are recorded for. Other errors could use up the limit of rejections, and so hide
 * wrong keys.
 */
const wrongCredentials: ReadonlySet<string> = new Set<ProblemCode>([
  'admin_key_invalid',
  'setup_code_invalid',
]);

/** Returns whether a request failed before it reached a vendor. Every use of a credential is recorded. */
function isRejection(error: unknown): boolean {
  // From 499, the service, the vendor or a caller that disconnected ended a request that may have used one.
  return error instanceof ConnectorAuthError && error.vendor === null && error.status < 499;
}

/** Returns the key that limits rejections: all requests without a caller have the same. */
function rejectionKeyOf(caller: Caller): string {
  if (caller === undefined) return 'no caller';
  if (caller.kind === 'admin') return `admin ${caller.keyId}`;
  if (caller.kind === 'application') return caller.applicationId;
  return `${caller.organizationId} ${caller.customer.id}`;
}

function codeOf(error: unknown): ProblemCode {
  return error instanceof ConnectorAuthError ? error.code : 'internal_error';
}

function actorOf(caller: Caller): AuditActor {
  // Only operators sign in with a request that has no caller yet.
  if (caller === undefined) return { type: 'admin_key', id: null, name: null, tokenId: null };
  if (caller.kind === 'admin') {
    const { keyId, name, session } = caller;
    return { type: 'admin_key', id: keyId, name, tokenId: session?.id ?? null };
  }
  if (caller.agent !== null) {
    return { type: 'agent', id: caller.agent.id, name: caller.agent.name, tokenId: null };
  }
  const type = caller.kind === 'application' ? 'application' : 'customer_token';
  return { type, id: caller.applicationId, name: null, tokenId: caller.tokenId };
}
