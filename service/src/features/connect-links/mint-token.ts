import { ConnectorAuthError } from '@connector-auth/api';
import type { SignedToken, TokenSigner } from '../../shared/auth/token-signer.ts';
import { linkEndedError } from '../../shared/tenancy/links.ts';
import { accessOf, type Visit } from './store.ts';

/**
 * Mints the widget token of a link's page for a confirmed visit. The token can connect the link's source or reconnect its
 * connector, once, and sees no other connector. It expires with the link at the latest.
 * @param visit as {@link findVisit} just returned it, so that no revocation since then is missed.
 * @throws ConnectorAuthError `link_used`; `link_expired`; `link_revoked`; `not_signed_in` if the visit is not confirmed,
 * or was confirmed too long ago.
 */
export async function mintLinkToken(
  { signer, publicUrl }: { readonly signer: TokenSigner; readonly publicUrl: string },
  { link, isConfirmed, tokenIssuedAtUs }: Visit,
): Promise<SignedToken> {
  if (link.status !== 'open' && link.status !== 'confirmed') throw linkEndedError(link.status);
  if (!isConfirmed) {
    throw new ConnectorAuthError(
      'not_signed_in',
      'No one has confirmed this browser recently: continue on the page of the link',
    );
  }
  const { organizationId, customerId, customerName, applicationId, kind, targetId } = link;
  const secondsLeft = Math.floor((link.expiresAt.getTime() * 1000 - tokenIssuedAtUs) / 1_000_000);
  return signer.sign(
    {
      kind: 'widget',
      linkId: link.id,
      allowedOrigin: new URL(publicUrl).origin,
      applicationId,
      organizationId,
      issuedAtUs: tokenIssuedAtUs,
      customer: { id: customerId, name: customerName },
      allowedSources: kind === null ? link.allowedSources : [kind],
      allowedActions: [],
      allowedManagement: [targetId === null ? 'create' : 'reconnect'],
      allowedData: [],
      access: accessOf(link),
      replicationDefaults: link.replicationDefaults,
    },
    Math.max(1, secondsLeft),
  );
}
