import { SandboxError } from '../simulator/sandbox-error.ts';
import type { Simulation, VendorContext } from '../simulator/vendor.ts';
import { GONG_ACCESS_KEYS, GONG_ACCOUNTS, GONG_SCOPES, type GongAccount } from './accounts.ts';
import type { GongCompany } from './company.ts';
import { issueTokens } from './oauth.ts';

type Input = Readonly<Record<string, unknown>>;

/** Gong's actions. `account` defaults to `lumen`. */
export function gongActions(
  context: VendorContext,
  parts: { companyOf(account: GongAccount): GongCompany; revokedKeys: Set<string> },
): NonNullable<Simulation['actions']> {
  let changes = 0;
  return {
    /** Input `{account?}`. Adds a call that is newer than all others, and returns it. */
    'add-call': input => {
      const at = context.clock.dataNow.getTime() + ++changes * 60_000;
      return parts.companyOf(readAccount(input)).addCall(at).wire;
    },
    /** Input `{account?, scopes?, clientId?}`. Returns the token response of a completed OAuth flow. */
    'mint-tokens': input => {
      const { id } = readAccount(input);
      return issueTokens(context, {
        account: id,
        clientId: readClientId(input, context),
        scopes: readScopes(input),
        resources: [],
      });
    },
    /** Expires all access tokens issued so far; refresh tokens stay valid. */
    'expire-access-tokens': () => context.tokens.expireAccessTokens(),
    /** Input `{account?}`. Revokes all the account's tokens, as happens when its admin removes the app. */
    'revoke-consent': input => context.tokens.revokeAccount(readAccount(input).id),
    /** Input `{accessKey}`. Revokes the key, so that requests with it return 401. */
    'revoke-key': input => void parts.revokedKeys.add(readAccessKey(input)),
    /** Input `{accessKey}`. Restores a revoked key. */
    'restore-key': input => void parts.revokedKeys.delete(readAccessKey(input)),
  };
}

function readAccount({ account = 'lumen' }: Input): GongAccount {
  const found = GONG_ACCOUNTS.find(({ id }) => id === account);
  if (found) return found;
  throw new SandboxError(`"account" must be one of ${GONG_ACCOUNTS.map(({ id }) => id).join(', ')}`);
}

function readScopes({ scopes = Object.keys(GONG_SCOPES) }: Input): string[] {
  const known = Object.keys(GONG_SCOPES);
  if (Array.isArray(scopes) && scopes.every(scope => known.includes(scope))) return scopes;
  throw new SandboxError(`"scopes" must be a list of ${known.join(', ')}`);
}

function readClientId({ clientId }: Input, { apps }: VendorContext): string {
  const app = clientId === undefined ? apps.list()[0] : apps.list().find(each => each.clientId === clientId);
  if (app) return app.clientId;
  throw new SandboxError('"clientId" must be the client id of a registered app');
}

function readAccessKey({ accessKey }: Input): string {
  if (GONG_ACCESS_KEYS.some(pair => pair.accessKey === accessKey)) return String(accessKey);
  throw new SandboxError('"accessKey" must be one of the documented keys');
}
