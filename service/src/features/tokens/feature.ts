import { ConnectorAuthError, type TokenKind } from '@connector-auth/api';
import { addressKey, perMinute } from '../../platform/concurrency/rate-limit.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { mintApplicationToken, mintCustomerToken, type MintContext, type MintedToken } from './mint.ts';

export function tokens({
  shareAnonymousRateLimit,
  log,
  ...mint
}: MintContext & Needs<'shareAnonymousRateLimit' | 'log'>) {
  // Both limits count every request, including failed ones.
  const byAddress = shareAnonymousRateLimit(perMinute('address', 120));
  // Counts requests per client id and address, so that requests from one address cannot exhaust a client's limit for
  // other addresses.
  const byClient = shareAnonymousRateLimit(perMinute('client', 30));
  const logMinted = (kind: TokenKind, minted: MintedToken, requestId: string): void =>
    log.info('token_minted', {
      request_id: requestId,
      kind,
      token_id: minted.tokenId,
      application_id: minted.applicationId,
      organization_id: minted.organizationId,
      customer_id: minted.customerId,
    });

  return {
    handlers: {
      createApplicationToken: async ({ headers, body, address, requestId, reportLimit, reportRejection }) => {
        const client = {
          id: body.client_id,
          secret: body.client_secret,
          organizationId: headers['x-organization-id'],
          allowedData: body.allowed_data,
        };
        let minted: MintedToken;
        try {
          const from = addressKey(address);
          reportLimit(await byAddress.take(from));
          reportLimit(await byClient.take(`${from} ${client.id}`));
          minted = await mintApplicationToken(mint, client);
        } catch (error) {
          if (error instanceof ConnectorAuthError) {
            reportRejection({
              event: 'token_rejected',
              reason: error.code,
              client_id: maskUnlessGenerated(client.id),
            });
          }
          throw error;
        }
        logMinted('application', minted, requestId);
        return {
          access_token: minted.token,
          token_type: 'bearer',
          expires_in: minted.expiresInSeconds,
          organization_id: minted.organizationId,
        };
      },

      createScopedToken: async ({ caller, body, requestId }) => {
        const minted = await mintCustomerToken(mint, caller, body);
        logMinted('scoped', minted, requestId);
        return {
          token: minted.token,
          token_type: 'bearer',
          expires_in: minted.expiresInSeconds,
          customer_name: body.customer_name,
        };
      },

      createWidgetToken: async ({ caller, body, requestId }) => {
        const minted = await mintCustomerToken(mint, caller, body);
        logMinted('widget', minted, requestId);
        return {
          token: minted.token,
          token_type: 'bearer',
          expires_in: minted.expiresInSeconds,
          customer_name: body.customer_name,
          allowed_origin: body.allowed_origin,
        };
      },
    },
  } satisfies Feature;
}

/**
 * Returns a client id for the log. Masks all but those that the service generated, because secrets are pasted into the
 * wrong field.
 */
function maskUnlessGenerated(clientId: string): string {
  if (/^ca_app_[\w-]{16}$/.test(clientId)) return clientId;
  return `${clientId.slice(0, Math.min(4, clientId.length / 4))}… (${clientId.length} characters)`;
}
