import type { KindRegistry } from '../definitions/registry.ts';
import type { QueuedMethod } from '../repositories/grant-revocations.ts';

/** Returns all auth methods, and whether their grants can be revoked. */
export function queuedMethods(kinds: KindRegistry): QueuedMethod[] {
  return kinds.all.flatMap(({ key, authMethods }) =>
    authMethods.map(({ id, consent, revocation }) => ({
      kind: key,
      method: id,
      isRevocable: revocation.request !== undefined,
      isConsent: consent !== undefined,
    })),
  );
}
