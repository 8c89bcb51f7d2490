import { agentScopeNames, ConnectorAuthError, type ConfirmAgentSignInResponse } from '@connector-auth/api';
import { revokedError } from '../../../shared/auth/denylist.ts';
import type { Needs } from '../../../shared/core.ts';
import { kindsWith } from '../../../shared/definitions/known-kinds.ts';
import { kindKeys } from '../../../shared/definitions/resolve-kind.ts';
import type { Call } from '../../../shared/http/handler.ts';
import { authorizeMinting } from '../../../shared/repositories/applications.ts';
import { ensureCustomer, lockCustomer } from '../../../shared/repositories/customers.ts';
import { takeCode } from './store.ts';

/**
 * Confirms which person signs in where the browser of a code is, and creates the customer if it does not exist. The return
 * code works only in the browser that the client sent here, so that a person who is lured to another browser's code confirms
 * nothing.
 * @throws ConnectorAuthError `sign_in_invalid`; `unknown_connector_type`; `token_invalid` if the token was revoked.
 */
export async function confirmAgentSignIn(
  { db, kinds, publicUrl, log }: Needs<'db' | 'kinds' | 'publicUrl' | 'log'>,
  { caller, params, body, audit, requestId, address }: Call<'confirmAgentSignIn'>,
): Promise<ConfirmAgentSignInResponse> {
  const { applicationId, organizationId } = caller;
  const { customer_name: customerName, allowed_sources: sources = null } = body;
  audit({ customer: { id: null, name: customerName } });
  const allowedSources = sources && kindKeys(await kindsWith(db, kinds, sources), sources);
  const code = await db.transaction().execute(async transaction => {
    const customerId = await ensureCustomer(
      transaction,
      organizationId,
      customerName,
      body.customer_display_name,
    );
    audit({ customer: { id: customerId, name: customerName } });
    // In the order in which the deletion of the customer locks them: it also ends the code.
    const isPresent = await lockCustomer(transaction, organizationId, customerId);
    const confirmation = {
      applicationId,
      customerId,
      userId: body.user.id,
      userName: body.user.name,
      allowedScopes: agentScopeNames.filter(name => body.allowed_scopes?.includes(name) ?? true),
      allowedSources,
      allowedData: body.allowed_data ?? [],
    };
    const signIn = { organizationId, id: params.id };
    const code = isPresent ? await takeCode(transaction, signIn, body.code, confirmation) : null;
    if (code === null) {
      log.warn('agent_sign_in_rejected', {
        request_id: requestId,
        step: 'confirm',
        address,
        organization_id: organizationId,
        application_id: applicationId,
      });
      // The transaction must not leave a new customer behind.
      throw new ConnectorAuthError(
        'sign_in_invalid',
        'The code is of another sign-in, has expired or was already used: ask the person to connect the agent again',
      );
    }
    // Another process may have revoked the caller's token a moment ago, and the confirmation must not outlive it.
    if ((await authorizeMinting(transaction, caller)) === null) throw revokedError();
    return code;
  });
  return { return_url: `${publicUrl}/agents/sign-in/${params.id}?return=${code}` };
}
