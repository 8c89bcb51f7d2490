/** The path of the page that is shown, below `/console`, and its query. */
export interface Place {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Returns whether the page can be left. Asks the operator if something would be lost. */
export type MayLeave = () => true | Promise<boolean>;

const base = '/console';

/** Returns the URL of a page, for links. */
export function urlOfPage(path: string): string {
  return `${base}${path === '/' ? '' : path}`;
}

/** Reads and changes the browser's history. Links to pages of the console change the page without a reload. */
export class Router {
  readonly #window: Window;
  #onChange: (place: Place, isNewPage: boolean) => void = () => {};
  #mayLeave: MayLeave = () => true;
  /** The URL of the page that is shown. While the browser goes back, its own URL is already another one. */
  #shown = '';
  #isLeaving = false;

  constructor(window: Window) {
    this.#window = window;
  }

  /**
   * Starts to follow links and the browser's back button.
   * @param mayLeave is called before they leave the page.
   */
  start(onChange: (place: Place, isNewPage: boolean) => void, mayLeave: MayLeave, signal: AbortSignal): void {
    this.#onChange = onChange;
    this.#mayLeave = mayLeave;
    this.#shown = this.#window.location.href;
    this.#window.addEventListener('popstate', () => void this.#goBack(), { signal });
    this.#window.document.addEventListener('click', event => this.#followLink(event), { signal });
  }

  get place(): Place {
    const { pathname, search } = this.#window.location;
    const path = pathname.startsWith(base) ? pathname.slice(base.length).replace(/\/+$/, '') : '';
    return { path: path === '' ? '/' : path, query: Object.fromEntries(new URLSearchParams(search)) };
  }

  /** Shows another page. */
  go(path: string): void {
    this.#window.history.pushState(null, '', urlOfPage(path));
    this.#show(true);
  }

  /** Shows another page instead of this one, so that the back button skips this one. */
  replace(path: string): void {
    this.#window.history.replaceState(null, '', urlOfPage(path));
    this.#show(true);
  }

  /** Changes the query of this page without a navigation. */
  setQuery(query: Readonly<Record<string, string>>): void {
    const search = new URLSearchParams(query).toString();
    const { pathname } = this.#window.location;
    this.#window.history.replaceState(null, '', search === '' ? pathname : `${pathname}?${search}`);
    this.#show(false);
  }

  #show(isNewPage: boolean): void {
    this.#shown = this.#window.location.href;
    this.#onChange(this.place, isNewPage);
  }

  /** Follows the back button. The browser has already gone back, so it has to return if the operator must be asked. */
  async #goBack(): Promise<void> {
    const { history, location } = this.#window;
    const answer = this.#isLeaving || this.#mayLeave();
    this.#isLeaving = false;
    if (answer === true) return this.#show(true);
    if (location.href !== this.#shown) history.pushState(null, '', this.#shown);
    if (!(await answer)) return;
    this.#isLeaving = true;
    history.back();
  }

  #followLink(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find(target => target instanceof HTMLAnchorElement);
    if (!link || link.target !== '' || link.hasAttribute('download')) return;
    const { origin, pathname, search } = new URL(link.href);
    const isPage = pathname === base || pathname.startsWith(`${base}/`);
    if (origin !== this.#window.location.origin || !isPage) return;
    event.preventDefault();
    const path = `${pathname.slice(base.length) || '/'}${search}`;
    const answer = link.hasAttribute('data-leaves') || this.#mayLeave();
    if (answer === true) this.go(path);
    else void answer.then(isLeaving => isLeaving && this.go(path));
  }
}

/**
 * Returns the parameters of a path (`/organizations/:id`), or null if it does not match.
 */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decode(value);
    else if (part !== value) return null;
  }
  return params;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
