import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { SignedToken, TokenSigner } from '../../shared/auth/token-signer.ts';
import { findConnector } from '../../shared/repositories/connectors.ts';
import { linkEndedError } from '../../shared/tenancy/links.ts';
import type { Visit } from './store.ts';

/**
 * Mints the widget token of a link's page for a confirmed visit. The token can connect the link's source or reconnect its
 * connector, once, and sees no other connector. It expires with the link at the latest.
 * @param visit as {@link findVisit} just returned it, so that no revocation since then is missed.
 * @throws ConnectorAuthError `link_used`; `link_expired`; `link_revoked`; `not_signed_in` if the visit is not confirmed,
 * or was confirmed too long ago.
 */
export async function mintLinkToken(
  context: { readonly db: Kysely<Tables>; readonly signer: TokenSigner; readonly publicUrl: string },
  { link, isConfirmed, tokenIssuedAtUs }: Visit,
): Promise<SignedToken> {
  const { db, signer, publicUrl } = context;
  if (link.status !== 'open' && link.status !== 'confirmed') throw linkEndedError(link.status);
  if (!isConfirmed) {
    throw new ConnectorAuthError(
      'not_signed_in',
      'No one has confirmed this browser recently: continue on the page of the link',
    );
  }
  const { organizationId, customerId, customerName, applicationId, kind, targetId } = link;
  const target = targetId && (await findConnector(db, { organizationId, customerId }, targetId));
  const current = target ? target.access : 'write';
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
      // A reconnected connector keeps its access, unless the creator may only connect for reading.
      access: link.access === 'read' ? 'read' : current,
      replicationDefaults: link.replicationDefaults,
    },
    Math.max(1, secondsLeft),
  );
}
