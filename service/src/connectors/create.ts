import { randomUUID } from 'node:crypto';
import { ConnectorAuthError, type Connector } from '@connector-auth/api';
import { parseGrant, parseSettings, type Grant, type Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { requireSource, type Caller } from '../auth/caller.ts';
import type { VerifiedGrant } from '../credentials/verify.ts';
import type { Tables } from '../database/tables.ts';
import { requireKind, type KindNames } from '../definitions/resolve-kind.ts';
import { searchableEntities } from '../definitions/searchable-entities.ts';
import type { SaveResponse } from '../idempotency/idempotency.ts';
import { notifySyncDue } from '../notifications/sync-due.ts';
import { invalidSecretError, redeemSecret } from '../oauth-sessions/redeem.ts';
import { findConnector, insertConnector } from '../repositories/connectors.ts';
import { findCustomer } from '../repositories/customers.ts';
import { addEntities } from '../repositories/sync-state.ts';
import { tenantOf } from '../tenancy/connectors.ts';
import { customerNameOf, lockCustomerOf, requireExistingCustomer } from '../tenancy/customers.ts';
import { toRecord } from './connector-response.ts';
import type { ConnectorsContext } from './context.ts';

export interface Creation extends KindNames {
  readonly customer_name?: string | undefined;
  readonly name: string;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly server_side_oauth_secret_id?: string | undefined;
  readonly replication_config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Creates a connector: checks the shape of its credentials, then the credentials at the vendor, and only then stores them.
 * Nothing is stored when it fails, not even the customer. With an idempotency key it happens once; with a secret id of server-side
 * OAuth instead of credentials it happens once too, and whoever sends it again is given the same connector.
 * @throws ConnectorAuthError for what is wrong with the request; `secret_id_invalid`; `credentials_refused`; the vendor's failure.
 */
export async function createConnector(
  context: ConnectorsContext,
  caller: Caller,
  request: Creation,
  options: { readonly idempotencyKey: string | null; readonly signal: AbortSignal },
): Promise<Connector> {
  const { db, kinds, idempotency } = context;
  const customerName = customerNameOf(caller, request.customer_name);
  if (customerName === undefined)
    throw missing('customer_name', 'Name the customer: an application token implies none');
  const kind = requireKind(kinds, request);
  requireSource(caller, kind);
  const create = chooseWay(context, caller, { ...request, customerName, kind }, options.signal);
  await requireExistingCustomer(db, caller);
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

/** What is to be created, once it is known for whom and of which kind. */
interface Subject extends Creation {
  readonly customerName: string;
  readonly kind: Kind;
}

type Create = (keep?: SaveResponse<Connector>) => Promise<Connector>;

/** How the connector comes about: from credentials, or from the secret id of a consent. */
function chooseWay(
  context: ConnectorsContext,
  caller: Caller,
  subject: Subject,
  signal: AbortSignal,
): Create {
  const { credentials, server_side_oauth_secret_id: secretId } = subject;
  if (credentials !== undefined && secretId !== undefined)
    throw missing('credentials', 'Provide credentials or server_side_oauth_secret_id, not both');
  if (credentials !== undefined) {
    const given = parseGrant(subject.kind, credentials, subject.replication_config);
    return keep => create(context, caller, subject, { grant: given, signal, keep });
  }
  if (secretId === undefined)
    throw missing('credentials', 'Provide credentials or server_side_oauth_secret_id');
  const settings = parseSettings(subject.kind, subject.replication_config);
  return keep => createFromSecret(context, caller, subject, { secretId, settings, signal, keep });
}

async function create(
  { db, credentials, notifications }: ConnectorsContext,
  caller: Caller,
  subject: Subject,
  given: {
    readonly grant: Grant;
    readonly signal: AbortSignal;
    readonly keep: SaveResponse<Connector> | undefined;
    /** Keeps a grant that is renewed on the way. */
    readonly keepGrant?: (renewed: Grant) => Promise<void>;
    /** What else belongs into the transaction. */
    readonly use?: (transaction: Kysely<Tables>, connectorId: string) => Promise<void>;
  },
): Promise<Connector> {
  const { kind, customerName, name } = subject;
  const { grant, signal, keepGrant: keep } = given;
  const verified = await credentials.verify(caller.organizationId, kind, grant, {
    knownAs: null,
    signal,
    keep,
  });
  const connector = await db.transaction().execute(async transaction => {
    const stored = await store(
      { db: transaction, credentials },
      caller,
      { customerName, kind, name },
      verified,
    );
    await given.use?.(transaction, stored.id);
    await given.keep?.(transaction, stored);
    return stored;
  });
  await notifySyncDue(notifications);
  return connector;
}

async function createFromSecret(
  context: ConnectorsContext,
  caller: Caller,
  subject: Subject,
  given: {
    readonly secretId: string;
    readonly settings: Grant['settings'];
    readonly signal: AbortSignal;
    readonly keep: SaveResponse<Connector> | undefined;
  },
): Promise<Connector> {
  const { db, secrets } = context;
  const { kind } = subject;
  const { organizationId } = caller;
  const customerId =
    caller.kind === 'application'
      ? await findCustomer(db, organizationId, subject.customerName)
      : caller.customer.id;
  const presentation = { organizationId, customerId, kind, secretId: given.secretId, targetId: null };
  let made: Connector | null = null;
  const id = await redeemSecret(secrets, presentation, async ({ grant, keep, use }) => {
    made = await create(context, caller, subject, {
      ...given,
      grant: { ...grant, settings: given.settings },
      keepGrant: keep,
      use,
    });
    return made.id;
  });
  if (made !== null) return made;
  // It was sent before: the connector that came of it.
  const stored = await findConnector(db, tenantOf(caller), id);
  if (stored === null) throw invalidSecretError('the connector that was made with it is gone');
  const connector = await toRecord(db, kind, stored);
  await given.keep?.(db, connector);
  return connector;
}

async function store(
  { db, credentials }: Pick<ConnectorsContext, 'db' | 'credentials'>,
  caller: Caller,
  { customerName, kind, name }: Pick<Subject, 'customerName' | 'kind' | 'name'>,
  { grant, account }: VerifiedGrant,
): Promise<Connector> {
  const { organizationId } = caller;
  // They may have been deleted while the vendor was asked.
  const customerId = await lockCustomerOf(db, caller, customerName);
  const row = { organizationId, id: randomUUID() };
  await insertConnector(db, {
    ...row,
    customerId,
    kind: kind.key,
    name,
    authMethod: grant.method,
    sealedGrant: credentials.seal(row, grant),
    account,
  });
  await addEntities(db, row, searchableEntities(kind));
  const stored = await findConnector(db, { organizationId, customerId }, row.id);
  if (stored === null) throw new Error('A connector was not there in the transaction that stored it');
  return toRecord(db, kind, stored);
}

function missing(path: string, message: string): ConnectorAuthError {
  return new ConnectorAuthError('malformed_request', `${path}: ${message}`, { errors: [{ path, message }] });
}
