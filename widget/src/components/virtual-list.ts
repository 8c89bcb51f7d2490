import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

/** The number of rows per page. An even number fills two columns. */
const pageSize = 4;
/** The number of pages per chapter. */
const chapterSize = 16;
/**
 * The number of pages that fill the panel. They are always rendered, so that keyboard users can reach the
 * list from any scroll position.
 */
const firstPages = 3;

/** A page, a chapter, or (if neither is set) the placeholder for all chapters that are not rendered yet. */
interface Section extends HTMLElement {
  readonly list: VirtualList;
  readonly page?: number;
  readonly chapter?: number;
}

/**
 * Renders a list of any length. The list consists of chapters, which consist of pages of rows. Rows are
 * rendered only in visible pages and their neighbours, and pages only in visible chapters. The browser
 * remembers the height of the others (`contain-intrinsic-size: auto`). One placeholder has the estimated
 * height of the part that the user has not scrolled to yet. Each row exposes its position and the size of the
 * whole list to assistive technology.
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
  /** The number of chapters before the placeholder. */
  #chapterCount = 0;

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  /** Stops observing the list. Call it when the list is no longer rendered. */
  stop(): void {
    this.#observer.disconnect();
    this.host.removeController(this);
  }

  hostUpdated(): void {
    for (const section of this.host.renderRoot.querySelectorAll<Section>('.list > *, .chapter > *')) {
      if (section.list === this) this.#observer.observe(section);
    }
  }

  /** Renders the page of the row at `index` with the next update. */
  show(index: number): void {
    this.#visiblePages.add(Math.max(0, Math.floor(index / pageSize)));
    this.host.requestUpdate();
  }

  render<Item>(items: readonly Item[], row: (item: Item) => TemplateResult): TemplateResult {
    const pages = Math.ceil(items.length / pageSize);
    const chapters = Math.ceil(pages / chapterSize);
    if (items !== this.#items) {
      this.#items = items;
      this.#chapterCount = 0;
    }
    for (const page of [0, ...this.#visiblePages]) {
      this.#chapterCount = Math.max(this.#chapterCount, Math.floor((page + 1) / chapterSize) + 1);
    }
    this.#chapterCount = Math.min(this.#chapterCount, chapters);
    const rest = chapters - this.#chapterCount;
    return html`<div class="list" role="list">
      ${Array.from({ length: this.#chapterCount }, (_, chapter) => {
        const first = chapter * chapterSize;
        const isRendered =
          this.#visibleChapters.has(chapter) ||
          [0, ...this.#visiblePages].some(page => page >= first - 1 && page <= first + chapterSize);
        return html`<div class="chapter ${isRendered ? '' : 'offscreen'}" .list=${this} .chapter=${chapter}>
          ${
            isRendered
              ? Array.from({ length: Math.min(chapterSize, pages - first) }, (_, index) =>
                  this.#renderPage(first + index, items, row),
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

  #renderPage<Item>(
    page: number,
    items: readonly Item[],
    row: (item: Item) => TemplateResult,
  ): TemplateResult {
    const first = page * pageSize;
    const isRendered =
      page < firstPages || [page - 1, page, page + 1].some(near => this.#visiblePages.has(near));
    return html`<div class="rows ${isRendered ? '' : 'offscreen'}" .list=${this} .page=${page}>
      ${
        isRendered
          ? items
              .slice(first, first + pageSize)
              .map(
                (item, index) =>
                  html`<div role="listitem" aria-setsize=${items.length} aria-posinset=${first + index + 1}>
                    ${row(item)}
                  </div>`,
              )
          : nothing
      }
    </div>`;
  }

  #handleIntersections(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      // The observer observes only sections.
      const { page, chapter } = target as Section;
      if (page !== undefined) toggle(this.#visiblePages, page, isIntersecting);
      else if (chapter !== undefined) toggle(this.#visibleChapters, chapter, isIntersecting);
      else if (isIntersecting) {
        // The user scrolled into the placeholder, possibly far.
        const { top, height } = boundingClientRect;
        const rest = Math.ceil(this.#items.length / pageSize / chapterSize) - this.#chapterCount;
        this.#chapterCount += Math.max(1, Math.ceil(((innerHeight - top) / height) * rest));
      }
    }
    // Keeps the focused row rendered, however far the user scrolls.
    const focused = this.host.renderRoot.querySelector<Section>('.chapter > :focus-within');
    if (focused?.list === this && focused.page !== undefined) this.#visiblePages.add(focused.page);
    this.host.requestUpdate();
  }
}

function toggle(set: Set<number>, value: number, isMember: boolean): void {
  if (isMember) set.add(value);
  else set.delete(value);
}
