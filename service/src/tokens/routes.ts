import { addressKey, type RateLimit } from '../concurrency/rate-limit.ts';
import type { Handlers } from '../http/handler.ts';
import { mintApplicationToken, mintCustomerToken, type MintContext } from './mint.ts';

/** Rate limits for token requests. Both limits count every request, including failed ones. */
export interface TokenLimits {
  readonly byAddress: RateLimit;
  /**
   * Counts requests per client id and address, so that requests from one address cannot exhaust a client's
   * limit for other addresses.
   */
  readonly byClient: RateLimit;
}

export function tokenRoutes(
  mint: MintContext,
  limits: TokenLimits,
): Pick<Handlers, 'createApplicationToken' | 'createScopedToken' | 'createWidgetToken'> {
  return {
    createApplicationToken: async ({ body, address }) => {
      const from = addressKey(address);
      limits.byAddress.take(from);
      limits.byClient.take(`${from} ${body.client_id}`);
      const minted = await mintApplicationToken(mint, { id: body.client_id, secret: body.client_secret });
      return {
        access_token: minted.token,
        token_type: 'bearer',
        expires_in: minted.expiresInSeconds,
        organization_id: minted.organizationId,
      };
    },

    createScopedToken: async ({ caller, body }) => {
      const minted = await mintCustomerToken(mint, caller, {
        customerName: body.customer_name,
        allowedSources: body.allowed_sources,
        allowedActions: body.allowed_actions,
      });
      return {
        token: minted.token,
        token_type: 'bearer',
        expires_in: minted.expiresInSeconds,
        customer_name: body.customer_name,
      };
    },

    createWidgetToken: async ({ caller, body }) => {
      const minted = await mintCustomerToken(mint, caller, {
        customerName: body.customer_name,
        allowedSources: body.allowed_sources,
        allowedActions: body.allowed_actions,
        allowedOrigin: body.allowed_origin,
      });
      return {
        token: minted.token,
        token_type: 'bearer',
        expires_in: minted.expiresInSeconds,
        customer_name: body.customer_name,
        allowed_origin: body.allowed_origin,
      };
    },
  };
}
