import type { SealContext, Sealer } from '../../platform/crypto/seal.ts';
import { installationWide } from '../../platform/crypto/sealed-columns.ts';

/** Identifies one attempt to process a request with an idempotency key. */
export interface AttemptRef {
  readonly route: string;
  readonly attempt: string;
}

/** A table with the idempotency keys of one kind of caller. */
export interface KeyTable<Owner, Stored extends string | Uint8Array = string | Uint8Array> {
  readonly name: string;
  /** Returns the columns that identify the caller whose key it is. */
  readonly ownerColumns: (owner: Owner) => Readonly<Record<string, string>>;
  readonly responseColumn: string;
  encode(response: string, attempt: AttemptRef): Stored;
  decode(stored: Stored, attempt: AttemptRef): string;
}

/** Each customer has its own set of keys. */
export interface CustomerOwner {
  readonly organizationId: string;
  readonly customerName: string;
}

export const customerKeys: KeyTable<CustomerOwner, string> = {
  name: 'idempotency_keys',
  ownerColumns: ({ organizationId, customerName }) => ({
    organization_id: organizationId,
    customer_name: customerName,
  }),
  responseColumn: 'answer',
  encode: response => response,
  decode: stored => stored,
};

/** Each admin key has its own set of keys, and so has `ADMIN_TOKEN`. */
export interface OperatorOwner {
  readonly caller: string;
}

/** Encrypts the responses, which may contain new secrets. */
export function operatorKeys(sealer: Sealer): KeyTable<OperatorOwner, Uint8Array> {
  const contextOf = ({ route, attempt }: AttemptRef): SealContext => ({
    table: 'admin_idempotency_keys',
    column: 'sealed_answer',
    organizationId: installationWide,
    row: attempt,
    owner: { customerId: null, kind: route, version: null },
  });
  return {
    name: 'admin_idempotency_keys',
    ownerColumns: ({ caller }) => ({ caller }),
    responseColumn: 'sealed_answer',
    encode: (response, attempt) => sealer.seal(response, contextOf(attempt)),
    decode: (stored, attempt) => sealer.open(stored, contextOf(attempt)),
  };
}
