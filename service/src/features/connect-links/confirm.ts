import { ConnectorAuthError, type ConfirmConnectLinkResponse } from '@connector-auth/api';
import type { Call } from '../../shared/http/handler.ts';
import { linkEndedError } from '../../shared/tenancy/links.ts';
import type { ConnectLinksContext } from './context.ts';
import { linkUrl } from './link-url.ts';
import { requireLink } from './require-link.ts';
import { issueReturnCode, takeCode } from './store.ts';

/**
 * Confirms which customer is signed in where the browser of a code is. The return code works only in the browser that
 * opened the link, so that a signed-in person who is lured to another browser's code confirms nothing. Logs rejections.
 * @throws ConnectorAuthError `link_not_found`; `link_used`, `link_revoked` or `link_expired`; `link_code_invalid`;
 * `customer_not_allowed`.
 */
export async function confirmConnectLink(
  context: ConnectLinksContext,
  call: Call<'confirmConnectLink'>,
): Promise<ConfirmConnectLinkResponse> {
  try {
    return await confirm(context, call);
  } catch (error) {
    if (error instanceof ConnectorAuthError) {
      context.log.warn('link_rejected', {
        request_id: call.requestId,
        link_id: call.params.id,
        step: 'confirm',
        reason: error.code,
        address: call.address,
        organization_id: call.caller.organizationId,
        application_id: call.caller.applicationId,
      });
    }
    throw error;
  }
}

async function confirm(
  context: ConnectLinksContext,
  { caller, params, body, audit }: Call<'confirmConnectLink'>,
): Promise<ConfirmConnectLinkResponse> {
  const { db, publicUrl } = context;
  const link = await requireLink(context, { caller, audit }, params.id);
  if (link.status !== 'open' && link.status !== 'confirmed') throw linkEndedError(link.status);
  const visit = await takeCode(db, link, body.code);
  if (visit === null) {
    throw new ConnectorAuthError(
      'link_code_invalid',
      'The code is of another link, has expired or was already used: ask the user to open the link again',
    );
  }
  if (link.audience !== 'customer' || body.customer_name !== link.customerName) {
    throw new ConnectorAuthError(
      'customer_not_allowed',
      'The link is for another customer than the one that is signed in',
    );
  }
  if (link.userId !== null && body.user_id !== link.userId) {
    throw new ConnectorAuthError(
      'customer_not_allowed',
      'The link is for another person of the customer than the one who is signed in',
    );
  }
  const code = await issueReturnCode(db, { link, ...visit });
  return { return_url: linkUrl(publicUrl, link.id, `return=${code}`) };
}
