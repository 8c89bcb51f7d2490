import type { StoredLink, Visit } from '../store.ts';
import type { Obstacle, Purpose } from './messages.ts';

/**
 * What a browser sees of a link.
 *
 * | view | until |
 * |---|---|
 * | `opening` | the script has sent the secret, and the browser has a cookie |
 * | `asking` | the person continues: a customer to the helper, which confirms who they are |
 * | `connecting` | the widget has stored a connector |
 * | `done`, `obstacle` | nothing |
 */
export type View =
  /** Says nothing about the link, and whether it exists. */
  | { readonly name: 'opening' }
  | { readonly name: 'asking'; readonly link: StoredLink; readonly helperUrl: string | null }
  | { readonly name: 'connecting'; readonly link: StoredLink }
  | { readonly name: 'done'; readonly link: StoredLink }
  | { readonly name: 'obstacle'; readonly obstacle: Obstacle; readonly link: StoredLink | null };

/** @param visit null if the browser has not opened the link. */
export function viewOf(visit: Visit | null): View {
  if (visit === null) return { name: 'opening' };
  const { link, isConfirmed } = visit;
  const obstacle = (obstacle: Obstacle): View => ({ name: 'obstacle', obstacle, link });
  switch (link.status) {
    case 'used':
      return isConfirmed ? { name: 'done', link } : obstacle('used');
    case 'revoked':
    case 'expired':
      return obstacle(link.status);
    case 'open':
    case 'confirmed':
      if (isConfirmed) return { name: 'connecting', link };
      if (link.audience === 'guest')
        return link.status === 'open' ? { name: 'asking', link, helperUrl: null } : obstacle('taken');
      return link.organization.helperUrl === null
        ? obstacle('unavailable')
        : { name: 'asking', link, helperUrl: link.organization.helperUrl };
  }
}

export function purposeOf({ kind, targetId }: StoredLink): Purpose {
  if (targetId !== null) return 'reconnect';
  return kind === null ? 'createAny' : 'create';
}
