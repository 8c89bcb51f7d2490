import type { Grant } from '../kind/grants.ts';
import type { Check } from '../kind/kind.ts';
import { asText, requestTo, valueAt, type Api } from './api.ts';

export interface CheckOptions {
  /** The entity and the action that the catalog names as the check. */
  readonly entity: string;
  readonly action?: string;
  /** The cheapest path that needs valid credentials, such as `/me`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  /**
   * Where the response has the stable id of the account, or a function that reads it from the body and the grant. It detects that
   * someone signs in to another account. Default: the account is unknown.
   */
  readonly account?: string | ((body: unknown, grant: Grant) => string | null);
}

/** Verifies credentials with one request. */
export function checkBy(api: Api, { entity, action = 'list', path, query, account }: CheckOptions): Check {
  return {
    entity,
    action,
    run: async vendor => {
      const { body } = await vendor.send(
        requestTo(api, vendor.grant, { path, ...(query && { values: query }) }),
      );
      if (account === undefined) return { account: null };
      if (typeof account === 'function') return { account: account(body, vendor.grant) };
      return { account: asText(valueAt(body, account)) };
    },
  };
}
