import { randomUUID } from 'node:crypto';
import { ConnectorAuthError, type Connector } from '@connector-auth/api';
import { parseGrant, type Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { requireSource } from '../catalog/catalog.ts';
import type { Kinds } from '../catalog/kinds.ts';
import { customerIsGone, customerNameOf, requireLivingCustomer } from '../customers/customers.ts';
import { customerExists, ensureCustomer } from '../customers/store.ts';
import type { Idempotency, Keep } from '../idempotency/idempotency.ts';
import type { Tables } from '../storage/tables.ts';
import type { Caller } from '../tokens/caller.ts';
import { requireNamedKind, type KindNames } from './choose-kind.ts';
import { toRecord } from './connector.ts';
import { proveGrant, type ProvenGrant } from './prove.ts';
import { findConnector, insertConnector } from './store.ts';
import { sealGrant } from './stored-grant.ts';
import type { VendorAccess } from './vendor-access.ts';

export interface Creation extends KindNames {
  readonly customer_name?: string | undefined;
  readonly name: string;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly replication_config?: Readonly<Record<string, unknown>> | undefined;
}

export interface CreationContext {
  readonly access: VendorAccess;
  readonly kinds: Kinds;
  readonly idempotency: Idempotency;
}

/**
 * Creates a connector: checks the shape of its credentials, then the credentials at the vendor, and only then stores them.
 * Nothing is stored when it fails, not even the customer. With an idempotency key it happens once.
 * @throws ConnectorAuthError for what is wrong with the request; `credentials_refused`; the vendor's failure.
 */
export async function createConnector(
  context: CreationContext,
  caller: Caller,
  request: Creation,
  options: { readonly idempotencyKey: string | null; readonly signal: AbortSignal },
): Promise<Connector> {
  const { access, kinds, idempotency } = context;
  const customerName = customerNameOf(caller, request.customer_name);
  if (customerName === undefined)
    throw missing('customer_name', 'Name the customer: an application token implies none');
  const kind = requireNamedKind(kinds, request);
  requireSource(caller, kind);
  if (request.credentials === undefined) throw missing('credentials', 'Give the credentials');
  const given = parseGrant(kind, request.credentials, request.replication_config);
  await requireLivingCustomer(access.db, caller);

  const create = async (keep?: Keep<Connector>): Promise<Connector> => {
    const proven = await proveGrant(access, kind, given, options.signal);
    return access.db.transaction().execute(async transaction => {
      const connector = await store(
        { ...access, db: transaction },
        caller,
        customerName,
        kind,
        request.name,
        proven,
      );
      await keep?.(transaction, connector);
      return connector;
    });
  };
  if (options.idempotencyKey === null) return create();
  return idempotency.once(
    {
      organizationId: caller.organizationId,
      customerName,
      route: 'createConnector',
      key: options.idempotencyKey,
      body: request,
      signal: options.signal,
    },
    create,
  );
}

async function store(
  { db, sealer }: Pick<VendorAccess, 'db' | 'sealer'>,
  caller: Caller,
  customerName: string,
  kind: Kind,
  name: string,
  { grant, account }: ProvenGrant,
): Promise<Connector> {
  const { organizationId } = caller;
  const customerId = await customerIdOf(db, caller, customerName);
  const row = { organizationId, id: randomUUID() };
  await insertConnector(db, {
    ...row,
    customerId,
    kind: kind.key,
    name,
    authMethod: grant.method,
    sealedGrant: sealGrant(sealer, row, grant),
    account,
  });
  const stored = await findConnector(db, { organizationId, customerId }, row.id);
  if (stored === null) throw new Error('A connector was not there in the transaction that stored it');
  return toRecord(stored, kind);
}

/** The customer may have been deleted while the vendor was asked: their token must not bring them back. */
async function customerIdOf(db: Kysely<Tables>, caller: Caller, name: string): Promise<string> {
  if (caller.kind === 'application') return ensureCustomer(db, caller.organizationId, name);
  if (await customerExists(db, caller.organizationId, caller.customer.id)) return caller.customer.id;
  throw customerIsGone();
}

function missing(path: string, message: string): ConnectorAuthError {
  return new ConnectorAuthError('malformed_request', `${path}: ${message}`, { errors: [{ path, message }] });
}
