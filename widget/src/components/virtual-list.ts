import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';

/** The number of rows per page. The first page is always rendered, fills a panel, and needs no observer. */
const pageSize = 8;
/** The number of rows per chapter. */
const chapterSize = 16 * pageSize;

/** The element of a page or a chapter. */
interface Part extends HTMLElement {
  readonly list: VirtualList;
  readonly key: string;
}

/** Renders the content of a row: a button or a checkbox, which may follow a heading. */
export type RowRenderer<Item> = (item: Item, tabIndex: number) => TemplateResult;

/**
 * Renders a list of any length. The list consists of chapters, which consist of pages. The content of a chapter or page
 * is rendered only if it or a neighbour is visible. If the items are new, as after each keystroke of a search, neighbours
 * follow with the next update. The browser remembers the height of what is not rendered
 * (`contain-intrinsic-size: auto`). Each row exposes its position and the size of the whole list to assistive technology.
 *
 * Tab reaches one row, the active one (a roving tabindex): the one that had focus last, initially the first.
 * It is always rendered.
 */
export class VirtualList implements ReactiveController {
  /** The keys of the visible pages and chapters. */
  readonly #visible = new Set<string>();
  readonly #observer = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) {
      // The observer observes only pages and chapters.
      const { key } = target as Part;
      if (isIntersecting === this.#visible.has(key)) continue;
      if (isIntersecting) this.#visible.add(key);
      else this.#visible.delete(key);
      this.host.requestUpdate();
    }
  });
  #items: readonly unknown[] = [];
  /** Whether the items differ from those of the last update. */
  #isNew = true;
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
    for (const part of this.host.renderRoot.querySelectorAll<Part>('.rows')) {
      if (part.list === this) this.#observer.observe(part);
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
    this.#isNew = items !== this.#items;
    if (this.#isNew) {
      this.#items = items;
      this.#active = Math.max(0, Math.min(this.#active, items.length - 1));
    }
    return html`<div class="list" role="list" @focusin=${this.#handleFocus}>
      ${this.#divide(chapterSize, 0, items.length, (start, end) =>
        this.#divide(pageSize, start, end, (start, end) =>
          items
            .slice(start, end)
            .map(
              (item, offset) =>
                html`<div role="listitem" aria-setsize=${items.length} aria-posinset=${start + offset + 1}>
                  ${row(item, start + offset === this.#active ? 0 : -1)}
                </div>`,
            ),
        ),
      )}
    </div>`;
  }

  /** Renders the rows from `from` to `to` in parts of `size` rows. Omits the content of parts that are out of view. */
  #divide(
    size: number,
    from: number,
    to: number,
    content: (start: number, end: number) => readonly TemplateResult[],
  ): readonly TemplateResult[] {
    const key = (start: number) => `${size} ${start}`;
    return Array.from({ length: Math.ceil((to - from) / size) }, (_, index) => {
      const start = from + index * size;
      const end = Math.min(start + size, to);
      const isRendered =
        !start ||
        (start <= this.#active && this.#active < end) ||
        // The last chapter can have fewer pages, and the style sheet assumes the height of a full one.
        (size === chapterSize && end === to) ||
        (this.#isNew ? [start] : [start - size, start, end]).some(each => this.#visible.has(key(each)));
      return html`<div class="rows ${isRendered ? '' : 'offscreen'}" .list=${this} .key=${key(start)}>
        ${isRendered ? content(start, end) : nothing}
      </div>`;
    });
  }

  #controlAt(index: number): HTMLElement | null | undefined {
    const rows = this.host.renderRoot.querySelectorAll<HTMLElement>(`[aria-posinset="${index + 1}"]`);
    return [...rows].find(row => this.#contains(row))?.querySelector<HTMLElement>('button, input');
  }

  #contains(row: HTMLElement): boolean {
    // The parent of every row is a page.
    return (row.parentElement as Part | null)?.list === this;
  }

  readonly #handleFocus = ({ target }: Event): void => {
    // The handler is bound only to this list.
    this.activate(this.indexOf(target as Element));
  };
}
