import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';

/** The number of rows per page. The first page is always rendered, fills a panel, and needs no observer. */
const pageSize = 8;

interface Page extends HTMLElement {
  readonly list: VirtualList;
  readonly page: number;
}

/** Renders the content of a row: a button or a checkbox, which may follow a heading. */
export type RowRenderer<Item> = (item: Item, tabIndex: number) => TemplateResult;

/**
 * Renders a list of any length. The list consists of pages, whose rows are rendered only in visible pages and their
 * neighbours. The browser remembers the height of the others (`contain-intrinsic-size: auto`). Each row exposes its
 * position and the size of the whole list to assistive technology.
 *
 * Tab reaches one row, the active one (a roving tabindex): the one that had focus last, initially the first.
 * It is always rendered.
 */
export class VirtualList implements ReactiveController {
  readonly #visiblePages = new Set<number>();
  readonly #observer = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) {
      // The observer observes only pages.
      const { page } = target as Page;
      if (isIntersecting) this.#visiblePages.add(page);
      else this.#visiblePages.delete(page);
    }
    this.host.requestUpdate();
  });
  #items: readonly unknown[] = [];
  /** The index of the active row. */
  #active = 0;

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  /** Stops observing the list. Call it when the list is no longer rendered. */
  stop(): void {
    this.#observer.disconnect();
    this.host.removeController(this);
  }

  hostUpdated(): void {
    for (const page of this.host.renderRoot.querySelectorAll<Page>('.list > *')) {
      if (page.list === this) this.#observer.observe(page);
    }
  }

  /** Activates the row at `index`, so that the next update renders it. */
  activate(index: number): void {
    if (this.#active === index) return;
    this.#active = index;
    this.host.requestUpdate();
  }

  /** Moves focus to the row at `index`, once it is rendered. */
  async focus(index: number): Promise<void> {
    this.activate(index);
    if (!this.#controlAt(index)) await this.host.updateComplete;
    // After a click into the search field, Safari would not draw the focus ring.
    this.#controlAt(index)?.focus({ focusVisible: true });
  }

  /** Returns the index of the row that contains an element, or -1 if it is not in this list. */
  indexOf(element: Element): number {
    const row = element.closest<HTMLElement>('[role="listitem"]');
    return row && this.#contains(row) ? Number(row.ariaPosInSet) - 1 : -1;
  }

  render<Item>(items: readonly Item[], row: RowRenderer<Item>): TemplateResult {
    if (items !== this.#items) {
      this.#items = items;
      this.#active = Math.max(0, Math.min(this.#active, items.length - 1));
    }
    const active = Math.floor(this.#active / pageSize);
    return html`<div class="list" role="list" @focusin=${this.#handleFocus}>
      ${Array.from({ length: Math.ceil(items.length / pageSize) }, (_, page) => {
        const isNear = [page - 1, page, page + 1].some(each => this.#visiblePages.has(each));
        const isRendered = page === 0 || page === active || isNear;
        const first = page * pageSize;
        return html`<div class="rows ${isRendered ? '' : 'offscreen'}" .list=${this} .page=${page}>
          ${(isRendered ? items.slice(first, first + pageSize) : []).map(
            (item, offset) =>
              html`<div role="listitem" aria-setsize=${items.length} aria-posinset=${first + offset + 1}>
                ${row(item, first + offset === this.#active ? 0 : -1)}
              </div>`,
          )}
        </div>`;
      })}
    </div>`;
  }

  #controlAt(index: number): HTMLElement | null | undefined {
    const rows = this.host.renderRoot.querySelectorAll<HTMLElement>(`[aria-posinset="${index + 1}"]`);
    return [...rows].find(row => this.#contains(row))?.querySelector<HTMLElement>('button, input');
  }

  #contains(row: HTMLElement): boolean {
    // The parent of every row is a page.
    return (row.parentElement as Page | null)?.list === this;
  }

  readonly #handleFocus = ({ target }: Event): void => {
    // The handler is bound only to this list.
    this.activate(this.indexOf(target as Element));
  };
}
