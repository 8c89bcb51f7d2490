import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { MountOptions } from '../http/mount-endpoints.ts';
import type { Idempotency } from './idempotency.ts';
import type { OperatorOwner } from './key-tables.ts';

/**
 * Returns a function that runs each request of an operator with an idempotency key once. The response is stored after
 * the change, so a process that dies in between leaves a change that a repeated request does not know of.
 */
export function runOnce(
  db: Kysely<Tables>,
  idempotency: Idempotency<OperatorOwner>,
): NonNullable<MountOptions['runOnce']> {
  return async ({ caller, idempotencyKey, params, body, signal }, endpoint, work) => {
    if (idempotencyKey === null || caller.kind !== 'admin') return work();
    const key = await idempotency.reserve<unknown>({
      caller: caller.keyId ?? caller.name,
      route: `${endpoint.method} ${endpoint.path}`,
      key: idempotencyKey,
      body: { params: params ?? null, body: body ?? null },
      signal,
    });
    if (key.status === 'completed') return key.response;
    let response: unknown;
    try {
      response = await work();
    } catch (error) {
      await key.release();
      throw error;
    }
    await key.commit(db, response);
    return response;
  };
}
