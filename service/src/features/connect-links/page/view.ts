import type { StoredLink, Visit } from '../store.ts';
import type { Obstacle, Purpose } from './messages/messages.ts';

/**
 * What a browser shows of a link.
 *
 * | view | until |
 * |---|---|
 * | `opening` | the script has sent the secret, and the browser has a cookie |
 * | `asking` | the person continues |
 * | `leaving` | a customer's browser loads the page of the helper, which confirms the visit |
 * | `connecting` | the widget has stored a connector |
 * | `done`, `obstacle` | nothing |
 */
export type View =
  /** Does not depend on the link, and whether it exists. */
  | { readonly name: 'opening' }
  | {
      readonly name: 'asking';
      readonly link: StoredLink;
      /** Null for a guest, whose browser is confirmed by the form itself. */
      readonly helperUrl: string | null;
    }
  | { readonly name: 'leaving'; readonly link: StoredLink; readonly target: string }
  | { readonly name: 'connecting'; readonly link: StoredLink }
  | { readonly name: 'done'; readonly link: StoredLink }
  | { readonly name: 'obstacle'; readonly obstacle: Obstacle; readonly link: StoredLink | null };

export type ViewOf<Name extends View['name']> = Extract<View, { readonly name: Name }>;

/** @param visit null if this browser has not opened the link. */
export function viewOf(visit: Visit | null): Exclude<View, ViewOf<'leaving'>> {
  if (visit === null) return { name: 'opening' };
  const { link, isConfirmed } = visit;
  const { status, audience, organization } = link;
  if (status === 'used' && isConfirmed) return { name: 'done', link };
  if (status === 'used' || status === 'revoked' || status === 'expired')
    return { name: 'obstacle', obstacle: status, link };
  if (isConfirmed) return { name: 'connecting', link };
  if (audience === 'guest')
    return status === 'open'
      ? { name: 'asking', link, helperUrl: null }
      : { name: 'obstacle', obstacle: 'taken', link };
  return organization.helperUrl === null
    ? { name: 'obstacle', obstacle: 'unavailable', link }
    : { name: 'asking', link, helperUrl: organization.helperUrl };
}

export function linkOf(view: View): StoredLink | null {
  return view.name === 'opening' ? null : view.link;
}

export function purposeOf({ kind, targetId }: StoredLink): Purpose {
  if (targetId !== null) return 'reconnect';
  return kind === null ? 'createAny' : 'create';
}

/** Returns the key of the source that is to be connected, or that was; null as long as the person can choose. */
export function shownKindOf({ kind, connectedKind }: StoredLink): string | null {
  return kind ?? connectedKind;
}
