import type { AdminApplication } from '@connector-auth/api/admin';

export type Secret = AdminApplication['secrets'][number];

/** What an operator can conclude from the uses of an application's secrets. */
export type SecretState =
  /** The application depends on it. */
  | 'only'
  /** Nothing has used it yet. */
  | 'unused'
  /** It was used within an hour, or no other secret was used since then. */
  | 'in-use'
  /** It was not used for an hour, and another secret was used since then. */
  | 'replaced'
  /** It was never used, and a newer secret is in use. */
  | 'superseded';

/** Application tokens expire after 15 minutes, so a busy backend uses its secret several times in this time. */
const quietMs = 60 * 60_000;

/** Returns whether a secret is still needed. */
export function stateOf(secret: Secret, all: readonly Secret[], now: number): SecretState {
  const others = all.filter(({ id }) => id !== secret.id);
  if (others.length === 0) return 'only';
  const used = secret.last_used_at;
  const uses = others.flatMap(({ last_used_at: at }) => (at === null ? [] : [at]));
  if (used === null) {
    const isNewest = others.every(({ created_at: at }) => at < secret.created_at);
    return isNewest || uses.length === 0 ? 'unused' : 'superseded';
  }
  const isQuiet = now - Date.parse(used) >= quietMs;
  return isQuiet && uses.some(at => Date.parse(at) > Date.parse(used)) ? 'replaced' : 'in-use';
}

/** Returns a short name of a secret, from the end of its id. */
export function shortIdOf({ id }: Pick<Secret, 'id'>): string {
  return `…${id.slice(-6)}`;
}

/** Returns when any secret of an application was last used, or null. */
export function lastUseOf({ secrets }: AdminApplication): string | null {
  const uses = secrets.flatMap(({ last_used_at: at }) => (at === null ? [] : [at])).sort();
  return uses.at(-1) ?? null;
}
