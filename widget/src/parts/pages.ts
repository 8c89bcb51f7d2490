import { html, type ReactiveControllerHost, type TemplateResult } from 'lit';

/** Rows in a page: even, so that a page fills two columns. */
export const pageSize = 16;

/**
 * Draws a list of any length page by page. Only pages in sight and their neighbours have rows; the browser remembers
 * how high the others were (`contain-intrinsic-size: auto`), and tells when one comes into sight or gets the focus.
 * Rows that are not drawn count all the same for assistive technology: each row knows its place among all.
 */
export class Pages {
  readonly #inSight = new Set([0]);

  constructor(private readonly host: ReactiveControllerHost) {}

  /** Has the page of the row at `index` drawn with the next update. */
  show(index: number): void {
    this.#inSight.add(Math.floor(index / pageSize));
    this.host.requestUpdate();
  }

  /** The rows for `items`, as far as they are drawn. */
  render<Item>(items: readonly Item[], row: (item: Item) => TemplateResult): TemplateResult {
    const count = Math.ceil(items.length / pageSize);
    // A page that went with a shorter list never says that it is out of sight.
    for (const page of this.#inSight) if (page >= count && page > 0) this.#inSight.delete(page);
    return html`<div class="list" role="list">
      ${Array.from({ length: count }, (_, page) => {
        const first = page * pageSize;
        const drawn = this.#isDrawn(page) ? items.slice(first, first + pageSize) : [];
        return html`<div class="rows" .page=${page} @contentvisibilityautostatechange=${this.#handleSight}>
          ${drawn.map(
            (item, index) =>
              html`<div role="listitem" aria-setsize=${items.length} aria-posinset=${first + index + 1}>
                ${row(item)}
              </div>`,
          )}
        </div>`;
      })}
    </div>`;
  }

  #isDrawn(page: number): boolean {
    return [page - 1, page, page + 1].some(near => this.#inSight.has(near));
  }

  readonly #handleSight = ({ currentTarget, skipped }: ContentVisibilityAutoStateChangeEvent): void => {
    // Bound to the pages above, each of which knows its number.
    const { page } = currentTarget as HTMLElement & { page: number };
    // Every new page tells that it is out of sight: hundreds at once, and nothing to draw for them.
    if (skipped === !this.#inSight.has(page)) return;
    if (skipped) this.#inSight.delete(page);
    else this.#inSight.add(page);
    this.host.requestUpdate();
  };
}
