import { css, html, LitElement } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { closeIcon } from './icons.ts';
import { sheet } from './styles.ts';

/** Dispatched after a panel has closed. */
class PanelCloseEvent extends Event {
  static readonly type = 'fieldbook-close';

  constructor() {
    super(PanelCloseEvent.type, { bubbles: true, composed: true });
  }
}

declare global {
  interface HTMLElementEventMap {
    [PanelCloseEvent.type]: PanelCloseEvent;
  }
}

/** `<fieldbook-panel>`: a dialog at the side of the page, which is open as long as the element exists. */
@customElement('fieldbook-panel')
export class FieldbookPanel extends LitElement {
  @property() heading = '';
  @query('dialog') private readonly dialog!: HTMLDialogElement;

  protected override firstUpdated(): void {
    this.dialog.showModal();
  }

  protected override render() {
    return html`<dialog aria-labelledby="heading" @close=${this.#handleClose} @click=${this.#handleClick}>
      <header>
        <h2 id="heading" dir="auto">${this.heading}</h2>
        <button class="button plain" aria-label="Close" @click=${this.close}>${closeIcon}</button>
      </header>
      <div class="body"><slot></slot></div>
    </dialog>`;
  }

  readonly close = (): void => this.dialog.close();

  readonly #handleClose = (): void => {
    this.dispatchEvent(new PanelCloseEvent());
  };

  /** The content fills the dialog, so a click on the dialog itself is one beside it. */
  readonly #handleClick = (event: MouseEvent): void => {
    if (event.target === this.dialog) this.close();
  };

  static override styles = [
    sheet,
    css`
      dialog {
        inset: 0 0 0 auto;
        inline-size: min(34rem, 100vw);
        max-inline-size: none;
        block-size: 100dvh;
        max-block-size: none;
        margin: 0;
        padding: 0;
        border: 0;
        border-inline-start: 1px solid var(--line);
        color: var(--ink);
        background: var(--card);
        box-shadow: var(--shadow-high);
        overflow: auto;
      }
      dialog:dir(rtl) {
        inset: 0 auto 0 0;
      }
      dialog::backdrop {
        background: rgb(0 0 0 / 0.35);
      }
      header {
        position: sticky;
        inset-block-start: 0;
        z-index: 1;
        display: flex;
        align-items: flex-start;
        justify-content: space-between;
        gap: 0.75rem;
        padding: 1rem 0.75rem 0.75rem 1.25rem;
        background: var(--card);
        border-block-end: 1px solid var(--line);
      }
      header:dir(rtl) {
        padding-inline: 1.25rem 0.75rem;
      }
      h2 {
        padding-block: 0.4rem;
        overflow-wrap: anywhere;
      }
      .body {
        padding: 1.1rem 1.25rem 2rem;
      }
      @media (prefers-reduced-motion: no-preference) {
        dialog {
          transition: translate 0.18s ease-out;
        }
        @starting-style {
          dialog[open] {
            translate: 2rem;
          }
        }
      }
    `,
  ];
}
