import type { SVGTemplateResult } from 'lit';
import { homeIcon, plugIcon, tableIcon } from './icons.ts';

export interface Route {
  readonly page: keyof typeof pages;
  /** The source to show: `#connections/gong`. */
  readonly source: string | null;
}

/** The pages in the order of the navigation. Their keys are the URL's fragments. */
export const pages = {
  home: { title: 'Home', icon: homeIcon },
  data: { title: 'Data', icon: tableIcon },
  connections: { title: 'Connections', icon: plugIcon },
} satisfies Record<string, { readonly title: string; readonly icon: SVGTemplateResult }>;

/**
 * The URL to which an OAuth redirect returns. Not a fragment route, because redirect URLs must not contain a
 * fragment.
 */
export const backFromVendor = '/?connections';

/** Returns the page that the URL names; `#home` if it names none. */
export function routeOf({ hash, search }: Pick<Location, 'hash' | 'search'>): Route {
  const isBack = hash === '' && search.startsWith(backFromVendor.slice(1));
  const [page = '', source = null] = isBack ? ['connections'] : hash.slice(1).split('/');
  // The widget reports a source that does not exist.
  return { page: isPage(page) ? page : 'home', source };
}

function isPage(name: string): name is Route['page'] {
  return Object.hasOwn(pages, name);
}
