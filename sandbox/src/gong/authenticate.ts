import type { Request, Response } from 'express';
import { readBasicAuth } from '../simulator/oauth-apps.ts';
import { vendorHost, type VendorContext } from '../simulator/vendor.ts';
import { GONG_ACCESS_KEYS, gongAccount, type GongAccount } from './accounts.ts';
import { GongError } from './errors.ts';

/** The API host for access keys. Tokens work only on the customer's own host. */
const GENERIC_API_HOST = 'api.gong.io';

/** Authenticates API requests. */
export interface GongAuthenticator {
  /**
   * Returns the authenticated account; throws a `GongError` for an invalid credential, a wrong host, or a
   * credential with none of `scopes`.
   */
  authenticate(request: Request, response: Response, ...scopes: readonly string[]): GongAccount;
  /** The access keys that an action has revoked. */
  readonly revokedKeys: Set<string>;
}

/** Creates an authenticator that accepts access keys (HTTP Basic) and OAuth tokens (Bearer). */
export function createAuthenticator({
  tokens,
  settings,
}: Pick<VendorContext, 'tokens' | 'settings'>): GongAuthenticator {
  const revokedKeys = new Set<string>();
  const unauthorized = (): GongError => new GongError(401, 'The access key or token is not valid');

  const byAccessKey = ({ user, password }: { user: string; password: string }): GongAccount => {
    const pair = GONG_ACCESS_KEYS.find(
      known => known.accessKey === user && known.accessKeySecret === password,
    );
    if (!pair || pair.rejection === 'revoked' || revokedKeys.has(pair.accessKey)) throw unauthorized();
    if (pair.account === undefined) throw new GongError(403, 'Request origin is not in the trusted IP list');
    return gongAccount(pair.account);
  };

  return {
    revokedKeys,
    authenticate: (request, response, ...scopes) => {
      const header = request.get('authorization');
      const host = vendorHost(response);
      const basic = readBasicAuth(header);
      if (basic) {
        const account = byAccessKey(basic);
        if (host !== GENERIC_API_HOST && host !== account.apiHost) throw unauthorized();
        return account;
      }
      const [, token = ''] = /^Bearer (\S+)$/i.exec(header ?? '') ?? [];
      const reading = tokens.read('access', token);
      if (reading?.state !== 'live') throw unauthorized();
      const account = gongAccount(reading.grant.account);
      const isGenericAllowed = host === GENERIC_API_HOST && settings.flag('genericHostTakesTokens');
      if (host !== account.apiHost && !isGenericAllowed) throw unauthorized();
      if (scopes.length > 0 && !scopes.some(scope => reading.grant.scopes.includes(scope))) {
        throw new GongError(403, `The token is missing the scope ${scopes.join(' or ')}`);
      }
      return account;
    },
  };
}
