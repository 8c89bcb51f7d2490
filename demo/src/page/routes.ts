import type { KindName } from '@connector-auth/api';
import type { SVGTemplateResult } from 'lit';
import { homeIcon, plugIcon, slidersIcon, tableIcon } from './icons.ts';

export interface Route {
  readonly page: keyof typeof pages;
  /** The source to open at once: `#connections/granola`. */
  readonly source: KindName | null;
}

interface PageEntry {
  readonly title: string;
  readonly lead: string;
  readonly icon: SVGTemplateResult;
}

/** The pages in the order of the navigation. Their keys are the URL's fragments. */
export const pages = {
  home: {
    title: 'Home',
    lead: 'Your ads, calls, and notes in one place.',
    icon: homeIcon,
  },
  connections: {
    title: 'Connections',
    lead: 'Bring the tools your team already uses into Fieldbook.',
    icon: plugIcon,
  },
  data: {
    title: 'Data',
    lead: 'Search everything imported from your sources.',
    icon: tableIcon,
  },
  playground: {
    title: 'Playground',
    lead: 'See the widget as it would look in your product, and copy the code.',
    icon: slidersIcon,
  },
} satisfies Record<string, PageEntry>;

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
  return { page: isPage(page) ? page : 'home', source: source as KindName | null };
}

function isPage(name: string): name is Route['page'] {
  return Object.hasOwn(pages, name);
}
