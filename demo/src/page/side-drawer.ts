import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { closeIcon } from './icons.ts';
import { sheet } from './styles.ts';

/** The width up to which a drawer is a sheet in front of the page. */
const sheetQuery = '(max-width: 48rem)';

/**
 * A dialog beside the page, which stays usable; a modal sheet on a phone. Dispatches `close` when the person closes it.
 */
export abstract class SideDrawer extends LitElement {
  @property({ type: Boolean, reflect: true }) open = false;

  protected abstract readonly heading: string;
  /** The buttons in the head, before the one that closes the drawer. */
  protected abstract renderActions(): unknown;
  /** The head below the buttons. */
  protected abstract renderHead(): unknown;
  protected abstract renderContent(): unknown;

  protected override render(): TemplateResult {
    return html`<dialog aria-labelledby="title" @close=${this.#handleClose} @keydown=${this.#handleKey}>
      <div class="head">
        <h2 id="title" tabindex="-1" autofocus>${this.heading}</h2>
        ${this.renderActions()}
        <button class="button plain icon" aria-label="Close" @click=${this.close}>${closeIcon}</button>
        ${this.renderHead()}
      </div>
      ${this.renderContent()}
    </dialog>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('open')) return;
    const dialog = this.renderRoot.querySelector('dialog');
    if (!dialog || dialog.open === this.open) return;
    if (!this.open) dialog.close();
    else if (this.isSheet) dialog.showModal();
    else dialog.show();
  }

  protected get isSheet(): boolean {
    return matchMedia(sheetQuery).matches;
  }

  close(): void {
    this.renderRoot.querySelector('dialog')?.close();
  }

  /** Also called after the page has closed the drawer, by setting `open`. */
  #handleClose(): void {
    if (!this.open) return;
    this.open = false;
    this.dispatchEvent(new Event('close'));
  }

  /** A dialog that is not modal does not close on Escape by itself. */
  #handleKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
  }

  static override styles = [
    sheet,
    css`
      :host {
        display: contents;
      }
      dialog {
        position: fixed;
        inset: 0 0 0 auto;
        inline-size: min(26rem, 100vw);
        block-size: 100dvh;
        max-block-size: none;
        max-inline-size: none;
        margin: 0;
        padding: 0;
        border: 0;
        border-inline-start: 1px solid var(--line);
        color: inherit;
        background: var(--card);
        z-index: 3;
      }
      dialog[open] {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
      }
      .head {
        display: grid;
        grid-template-columns: 1fr auto auto;
        align-items: center;
        gap: 0.35rem 0.25rem;
        padding: 1rem 1rem 0.85rem 1.25rem;
        border-block-end: 1px solid var(--line);
      }
      .head > :is(p, .choices) {
        grid-column: 1 / -1;
      }
      h2:focus {
        outline: none;
      }
      .icon {
        inline-size: 2.25rem;
        padding: 0;
      }
      .content {
        overflow: auto;
        overscroll-behavior: contain;
      }

      @media (max-width: 48rem) {
        dialog {
          inset: auto 0 0;
          inline-size: 100%;
          block-size: min(85dvh, 100dvh - 3rem);
          border: 0;
          border-start-start-radius: 1rem;
          border-start-end-radius: 1rem;
        }
        dialog::backdrop {
          background: rgb(0 0 0 / 0.45);
        }
      }
      @media (prefers-reduced-motion: no-preference) {
        dialog[open] {
          animation: arrive 0.18s ease-out;
        }
        @keyframes arrive {
          from {
            translate: 1.5rem 0;
            opacity: 0;
          }
        }
      }
    `,
  ];
}
