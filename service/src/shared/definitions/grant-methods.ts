import type { KindRegistry } from './registry.ts';

/** How the grants of an auth method are obtained and revoked. */
export interface GrantMethod {
  /** Key of the connector kind. */
  readonly kind: string;
  readonly method: string;
  /** Whether the vendor's API can revoke its grants. */
  readonly isRevocable: boolean;
  /** Whether OAuth sessions produce its grants. */
  readonly isConsent: boolean;
}

/** Returns the auth methods of all kinds. */
export function grantMethods(kinds: KindRegistry): GrantMethod[] {
  return kinds.all.flatMap(({ key, authMethods }) =>
    authMethods.map(({ id, consent, revocation }) => ({
      kind: key,
      method: id,
      isRevocable: revocation.request !== undefined,
      isConsent: consent !== undefined,
    })),
  );
}
