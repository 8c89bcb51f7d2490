import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

/** Rows in a page: even, so that a page fills two columns. */
export const pageSize = 4;

/** As many as fill the panel: these are always drawn, so that the keyboard finds the list wherever the page is. */
const firstPages = 3;

/** A page of a list, or the place of those that are not there yet. */
interface PageElement extends HTMLElement {
  readonly pages: Pages;
  /** Undefined for the latter. */
  readonly page: number | undefined;
}

/**
 * Draws a list of any length page by page. Only pages in sight and their neighbours have rows; the browser remembers
 * how high the others were (`contain-intrinsic-size: auto`). What nobody has scrolled to yet is one place as high as its
 * pages would be.
 * Rows that are not drawn count all the same for assistive technology: each row knows its place among all.
 */
export class Pages implements ReactiveController {
  readonly #inSight = new Set<number>();
  readonly #observer = new IntersectionObserver(
    entries => {
      this.#look(entries);
    },
    { rootMargin: '50%' },
  );
  #items: readonly unknown[] = [];
  /** So many pages are there one by one: up to the farthest that was in sight, and a few. */
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
    for (const page of this.host.renderRoot.querySelectorAll<PageElement>('.list > *')) {
      if (page.pages === this) this.#observer.observe(page);
    }
  }

  /** Has the page of the row at `index` drawn with the next update. */
  show(index: number): void {
    this.#inSight.add(Math.max(0, Math.floor(index / pageSize)));
    this.host.requestUpdate();
  }

  /** The rows for `items`, as far as they are drawn. */
  render<Item>(items: readonly Item[], row: (item: Item) => TemplateResult): TemplateResult {
    const count = Math.ceil(items.length / pageSize);
    if (items !== this.#items) {
      this.#items = items;
      this.#there = 0;
    }
    this.#there = Math.min(
      count,
      Math.max(firstPages, this.#there, ...[...this.#inSight].map(page => page + 3)),
    );
    const rest = count - this.#there;
    return html`<div class="list" role="list">
      ${Array.from({ length: this.#there }, (_, page) => {
        const first = page * pageSize;
        const isDrawn = page < firstPages || [page - 1, page, page + 1].some(near => this.#inSight.has(near));
        return html`<div class="rows ${isDrawn ? '' : 'away'}" .pages=${this} .page=${page}>
          ${
            isDrawn
              ? items
                  .slice(first, first + pageSize)
                  .map(
                    (item, index) =>
                      html`<div
                        role="listitem"
                        aria-setsize=${items.length}
                        aria-posinset=${first + index + 1}
                      >
                        ${row(item)}
                      </div>`,
                  )
              : nothing
          }
        </div>`;
      })}
      ${
        rest > 0
          ? // Another one each time, which is looked at anew.
            keyed(this.#there, html`<div class="rest" .pages=${this} .style=${`--pages:${rest}`}></div>`)
          : nothing
      }
    </div>`;
  }

  #look(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      // Only pages are observed.
      const { page } = target as PageElement;
      if (page !== undefined) {
        if (isIntersecting) this.#inSight.add(page);
        else this.#inSight.delete(page);
      } else if (isIntersecting) {
        // Somebody has scrolled beyond what is there, maybe far.
        const { top, height } = boundingClientRect;
        const rest = Math.ceil(this.#items.length / pageSize) - this.#there;
        this.#there += Math.max(1, Math.ceil(((innerHeight - top) / height) * rest));
      }
    }
    // The row that has the focus keeps it, wherever one scrolls.
    const held = this.host.renderRoot.querySelector<PageElement>('.list > :focus-within');
    if (held?.pages === this && held.page !== undefined) this.#inSight.add(held.page);
    this.host.requestUpdate();
  }
}
