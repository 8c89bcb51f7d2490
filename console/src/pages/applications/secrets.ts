import type { AdminApplication } from '@connector-auth/api/admin';

export type Secret = AdminApplication['secrets'][number];

/** What an operator can conclude from the uses of an application's secrets. */
export type SecretState =
  /** The application depends on it. */
  | 'only'
  /** Nothing has used it yet. */
  | 'unused'
  /** It was used within a day. */
  | 'in-use'
  /** Only another secret was used within a day. */
  | 'replaced';

/** A backend that still used the secret would have used it by then. */
const quietMs = 24 * 60 * 60_000;

/** Returns whether a secret is still needed. */
export function stateOf(secret: Secret, all: readonly Secret[], now: number): SecretState {
  const others = all.filter(({ id }) => id !== secret.id);
  if (others.length === 0) return 'only';
  const wasUsed = ({ last_used_at: at }: Secret) => at !== null && now - Date.parse(at) < quietMs;
  if (wasUsed(secret)) return 'in-use';
  if (others.some(wasUsed)) {
    const isNewest = others.every(({ created_at: at }) => at < secret.created_at);
    return isNewest && secret.last_used_at === null ? 'unused' : 'replaced';
  }
  return secret.last_used_at === null ? 'unused' : 'in-use';
}

/** Returns when any secret of an application was last used, or null. */
export function lastUseOf({ secrets }: AdminApplication): string | null {
  const uses = secrets.flatMap(({ last_used_at: at }) => (at === null ? [] : [at])).sort();
  return uses.at(-1) ?? null;
}
