import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

/** Rows in a page: even, so that a page fills two columns. */
const pageSize = 4;
/** Pages in a chapter. */
const chapterSize = 16;
/** As many as fill the panel: these are always drawn, so that the keyboard finds the list wherever the page is. */
const firstPages = 3;

/** A page or a chapter of a list, or (neither) the place of the chapters that are not there yet. */
interface Part extends HTMLElement {
  readonly pages: Pages;
  readonly page?: number;
  readonly chapter?: number;
}

/**
 * Draws a list of any length by chapters of pages of rows. Only pages in sight and their neighbours have rows, and only
 * chapters in sight have pages: what is away keeps the height that the browser remembers of it
 * (`contain-intrinsic-size: auto`). What nobody has scrolled to yet is one place as high as it would be.
 * Rows that are not drawn count all the same for assistive technology: each row knows its place among all.
 */
export class Pages implements ReactiveController {
  readonly #pagesInSight = new Set<number>();
  readonly #chaptersInSight = new Set<number>();
  readonly #observer = new IntersectionObserver(
    entries => {
      this.#look(entries);
    },
    { rootMargin: '50%' },
  );
  #items: readonly unknown[] = [];
  /** So many chapters are there one by one. */
  #there = 0;

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  /** The list is not drawn any more. */
  stop(): void {
    this.#observer.disconnect();
    this.host.removeController(this);
  }

  hostUpdated(): void {
    for (const part of this.host.renderRoot.querySelectorAll<Part>('.list > *, .chapter > *')) {
      if (part.pages === this) this.#observer.observe(part);
    }
  }

  /** Has the page of the row at `index` drawn with the next update. */
  show(index: number): void {
    this.#pagesInSight.add(Math.max(0, Math.floor(index / pageSize)));
    this.host.requestUpdate();
  }

  /** The rows for `items`, as far as they are drawn. */
  render<Item>(items: readonly Item[], row: (item: Item) => TemplateResult): TemplateResult {
    const pages = Math.ceil(items.length / pageSize);
    const chapters = Math.ceil(pages / chapterSize);
    if (items !== this.#items) {
      this.#items = items;
      this.#there = 0;
    }
    for (const page of [0, ...this.#pagesInSight]) {
      this.#there = Math.max(this.#there, Math.floor((page + 1) / chapterSize) + 1);
    }
    this.#there = Math.min(this.#there, chapters);
    const rest = chapters - this.#there;
    return html`<div class="list" role="list">
      ${Array.from({ length: this.#there }, (_, chapter) => {
        const first = chapter * chapterSize;
        const isThere =
          this.#chaptersInSight.has(chapter) ||
          [0, ...this.#pagesInSight].some(page => page >= first - 1 && page <= first + chapterSize);
        return html`<div class="chapter ${isThere ? '' : 'away'}" .pages=${this} .chapter=${chapter}>
          ${
            isThere
              ? Array.from({ length: Math.min(chapterSize, pages - first) }, (_, index) =>
                  this.#renderPage(first + index, items, row),
                )
              : nothing
          }
        </div>`;
      })}
      ${
        rest > 0
          ? // Another one each time, which is looked at anew.
            keyed(this.#there, html`<div class="rest" .pages=${this} .style=${`--chapters:${rest}`}></div>`)
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
    const isThere =
      page < firstPages || [page - 1, page, page + 1].some(near => this.#pagesInSight.has(near));
    return html`<div class="rows ${isThere ? '' : 'away'}" .pages=${this} .page=${page}>
      ${
        isThere
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

  #look(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      // Only parts are observed.
      const { page, chapter } = target as Part;
      if (page !== undefined) setHas(this.#pagesInSight, page, isIntersecting);
      else if (chapter !== undefined) setHas(this.#chaptersInSight, chapter, isIntersecting);
      else if (isIntersecting) {
        // Somebody has scrolled beyond what is there, maybe far.
        const { top, height } = boundingClientRect;
        const rest = Math.ceil(this.#items.length / pageSize / chapterSize) - this.#there;
        this.#there += Math.max(1, Math.ceil(((innerHeight - top) / height) * rest));
      }
    }
    // The row that has the focus keeps it, wherever one scrolls.
    const held = this.host.renderRoot.querySelector<Part>('.chapter > :focus-within');
    if (held?.pages === this && held.page !== undefined) this.#pagesInSight.add(held.page);
    this.host.requestUpdate();
  }
}

function setHas(set: Set<number>, value: number, isIn: boolean): void {
  if (isIn) set.add(value);
  else set.delete(value);
}
