import { limitKeyOf } from '../../shared/auth/caller.ts';
import type { Handlers } from '../../shared/http/handler.ts';
import { customerNameOf } from '../../shared/tenancy/customers.ts';
import type { SharedRateLimit } from '../../shared/vendor-limits/shared-rate-limit.ts';
import { listSessionAccounts, type AccountsContext } from './accounts.ts';
import { initiateOAuth, requireInitiationRight, type InitiationContext } from './initiate.ts';
import { cancelSession, readSessionStatus } from './status.ts';

type Names = 'initiateOAuth' | 'getOAuthSession' | 'listSessionAccounts' | 'cancelOAuthSession';

/** Rate limits for starting an OAuth flow. */
export interface InitiationLimits {
  readonly byCustomer: SharedRateLimit;
  readonly byOrganization: SharedRateLimit;
}

export function oauthRoutes(
  context: InitiationContext & AccountsContext,
  limits: InitiationLimits,
): Pick<Handlers, Names> {
  return {
    initiateOAuth: async ({ caller, body, reportLimit, audit }) => {
      // Checked before the limits, so that a token without the right cannot use them up.
      requireInitiationRight(caller, body);
      const customerName = customerNameOf(caller, body.customer_name);
      // Checks the customer's limit first, so that a rejected request does not count against the
      // organization's limit.
      if (customerName !== undefined) {
        reportLimit(await limits.byCustomer.take(limitKeyOf(caller, customerName)));
      }
      reportLimit(await limits.byOrganization.take(caller.organizationId));
      return initiateOAuth(context, { caller, audit }, body);
    },

    getOAuthSession: ({ caller, params, query, headers, language, signal }) =>
      readSessionStatus(context, caller, params.session_id, {
        waitSeconds: query.wait ?? 0,
        verifier: headers['x-oauth-verifier'],
        language,
        signal,
      }),

    listSessionAccounts: ({ caller, params, headers, ...call }) =>
      listSessionAccounts(context, caller, params.session_id, {
        ...call,
        verifier: headers['x-oauth-verifier'],
        secretId: headers['x-oauth-secret-id'],
      }),

    cancelOAuthSession: ({ caller, params, audit }) =>
      cancelSession(context, { caller, audit }, params.session_id),
  };
}
