import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

/** The number of rows per page: one line of two columns. */
const pageSize = 2;
/** The number of pages per chapter. */
const chapterSize = 16;
/** The number of pages that fill the panel. They are always rendered, so that the first paint needs no observer. */
const firstPages = 5;

/** Delay before the neighbours of visible pages are rendered after the items changed, in milliseconds. */
const neighbourDelayMs = 500;

/** A page, a chapter, or (if neither is set) the placeholder for all chapters that are not rendered yet. */
interface Section extends HTMLElement {
  readonly list: VirtualList;
  readonly page?: number;
  readonly chapter?: number;
}

/** Renders the content of a row: a button or a checkbox, which may follow a heading. */
export type RowRenderer<Item> = (item: Item, tabIndex: number) => TemplateResult;

/**
 * Renders a list of any length. The list consists of chapters, which consist of pages of rows. Rows are
 * rendered only in visible pages and their neighbours, and pages only in visible chapters. The browser
 * remembers the height of the others (`contain-intrinsic-size: auto`). One placeholder has the estimated
 * height of the part that the user has not scrolled to yet. Each row exposes its position and the size of the
 * whole list to assistive technology.
 *
 * Tab reaches one row, the active one (a roving tabindex): the one that had focus last, initially the first.
 * It is always rendered.
 */
export class VirtualList implements ReactiveController {
  readonly #visiblePages = new Set<number>();
  readonly #visibleChapters = new Set<number>();
  readonly #observer = new IntersectionObserver(
    entries => {
      this.#handleIntersections(entries);
    },
    { rootMargin: '50%' },
  );
  #items: readonly unknown[] = [];
  /** The index of each page's first row. */
  #pages: readonly number[] = [];
  /** The number of chapters before the placeholder. */
  #chapterCount = 0;
  /** The index of the active row. */
  #active = 0;
  /** Set until the neighbours of visible pages are rendered, so that a keystroke in a search renders little. */
  #neighbourTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  /** Stops observing the list. Call it when the list is no longer rendered. */
  stop(): void {
    this.#observer.disconnect();
    clearTimeout(this.#neighbourTimer);
    this.host.removeController(this);
  }

  hostUpdated(): void {
    for (const section of this.host.renderRoot.querySelectorAll<Section>('.list > *, .chapter > *')) {
      if (section.list === this) this.#observer.observe(section);
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

  /** @param starts the items that start a new line because they start a group. */
  render<Item>(
    items: readonly Item[],
    row: RowRenderer<Item>,
    starts: ReadonlyMap<Item, unknown> = new Map<Item, unknown>(),
  ): TemplateResult {
    if (items !== this.#items) {
      this.#items = items;
      this.#pages = paginate(items, starts);
      this.#chapterCount = 0;
      clearTimeout(this.#neighbourTimer);
      this.#neighbourTimer = setTimeout(() => {
        this.#neighbourTimer = undefined;
        this.host.requestUpdate();
      }, neighbourDelayMs);
      this.#active = Math.max(0, Math.min(this.#active, items.length - 1));
    }
    const pages = this.#pages.length;
    const chapters = Math.ceil(pages / chapterSize);
    // The page before the first one that starts after the active row.
    const next = this.#pages.findIndex(first => first > this.#active);
    const active = next < 0 ? pages - 1 : next - 1;
    for (const page of [0, active, ...this.#visiblePages]) {
      this.#chapterCount = Math.max(this.#chapterCount, Math.floor((page + 1) / chapterSize) + 1);
    }
    this.#chapterCount = Math.min(this.#chapterCount, chapters);
    const rest = chapters - this.#chapterCount;
    return html`<div class="list" role="list" @focusin=${this.#handleFocus}>
      ${Array.from({ length: this.#chapterCount }, (_, chapter) => {
        const first = chapter * chapterSize;
        const isRendered =
          this.#visibleChapters.has(chapter) ||
          [0, active, ...this.#visiblePages].some(page => page >= first - 1 && page <= first + chapterSize);
        return html`<div class="chapter ${isRendered ? '' : 'offscreen'}" .list=${this} .chapter=${chapter}>
          ${
            isRendered
              ? Array.from({ length: Math.min(chapterSize, pages - first) }, (_, index) =>
                  this.#renderPage(first + index, active, row),
                )
              : nothing
          }
        </div>`;
      })}
      ${
        rest > 0
          ? // A new element is created each time, so that it is observed again.
            keyed(
              this.#chapterCount,
              html`<div class="placeholder" .list=${this} .style=${`--chapters:${rest}`}></div>`,
            )
          : nothing
      }
    </div>`;
  }

  #renderPage<Item>(page: number, active: number, row: RowRenderer<Item>): TemplateResult {
    const isRendered =
      page < firstPages ||
      page === active ||
      this.#visiblePages.has(page) ||
      (!this.#neighbourTimer && [-2, -1, 1, 2].some(distance => this.#visiblePages.has(page + distance)));
    const first = this.#pages[page] ?? 0;
    // `render` stored items of this type.
    const items = isRendered ? (this.#items.slice(first, this.#pages[page + 1]) as Item[]) : [];
    return html`<div class="rows ${isRendered ? '' : 'offscreen'}" .list=${this} .page=${page}>
      ${items.map((item, offset) => {
        const index = first + offset;
        return html`<div role="listitem" aria-setsize=${this.#items.length} aria-posinset=${index + 1}>
          ${row(item, index === this.#active ? 0 : -1)}
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
    return (row.parentElement as Section | null)?.list === this;
  }

  readonly #handleFocus = ({ target }: Event): void => {
    // The handler is bound only to this list.
    this.activate(this.indexOf(target as Element));
  };

  #handleIntersections(entries: readonly IntersectionObserverEntry[]): void {
    let isChanged = false;
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      // The observer observes only sections.
      const { page, chapter } = target as Section;
      if (page !== undefined) isChanged = toggle(this.#visiblePages, page, isIntersecting) || isChanged;
      else if (chapter !== undefined) {
        isChanged = toggle(this.#visibleChapters, chapter, isIntersecting) || isChanged;
      } else if (isIntersecting) {
        // The user scrolled into the placeholder, possibly far.
        const { top, height } = boundingClientRect;
        const rest = Math.ceil(this.#pages.length / chapterSize) - this.#chapterCount;
        this.#chapterCount += Math.max(1, Math.ceil(((innerHeight - top) / height) * rest));
        isChanged = true;
      }
    }
    if (isChanged) this.host.requestUpdate();
  }
}

/** Returns the index of the first item of each page. */
function paginate<Item>(items: readonly Item[], starts: ReadonlyMap<Item, unknown>): readonly number[] {
  const pages: number[] = [];
  let first = -pageSize;
  for (const [index, item] of items.entries()) {
    if (index - first < pageSize && !(starts.size && starts.has(item))) continue;
    pages.push(index);
    first = index;
  }
  return pages;
}

/** Adds a value to the set or removes it. Returns whether the set changed. */
function toggle(set: Set<number>, value: number, isMember: boolean): boolean {
  if (set.has(value) === isMember) return false;
  if (isMember) set.add(value);
  else set.delete(value);
  return true;
}
