import {
  confirmGuest,
  confirmVisit,
  findVisit,
  issueCode,
  openVisit,
  type Visit,
} from '../src/features/connect-links/store.ts';
import type { Database } from '../src/platform/database/database.ts';
import type { TestService } from './test-service.ts';

/** A browser that opened a connect link. Does what the link's page does with the browser's cookie. */
export interface LinkBrowser {
  /** Returns the browser's visit. Throws if it has ended. */
  visit(): Promise<Visit>;
  /** Returns a new code for the helper. */
  code(): Promise<string>;
  /** Returns whether the return code of a confirmation confirmed the visit. */
  goBack(returnUrl: string): Promise<boolean>;
  /** Returns whether the link for a guest is now bound to this browser. */
  accept(): Promise<boolean>;
}

/** Opens a link of a service in a new browser. Returns null if the link is over or its secret is wrong. */
export async function openLink(
  { kysely }: Database,
  { signingKeys }: Pick<TestService, 'signingKeys'>,
  url: string,
): Promise<LinkBrowser | null> {
  const sources = { db: kysely, signingKeys };
  const { pathname, hash } = new URL(url);
  const id = pathname.split('/').at(-1) ?? '';
  const { browserKey = null } = (await openVisit(sources, { id, secret: hash.slice(1) })) ?? {};
  if (browserKey === null) return null;
  const visit = async (): Promise<Visit> => {
    const found = await findVisit(sources, { id, browserKey });
    if (found === null) throw new Error('The visit has ended');
    return found;
  };
  return {
    visit,
    code: async () => issueCode(kysely, await visit()),
    goBack: async returnUrl =>
      confirmVisit(kysely, await visit(), new URL(returnUrl).hash.slice('#return='.length)),
    accept: async () => confirmGuest(kysely, await visit()),
  };
}
