import { html, type nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { icons } from './icons.ts';

/** The dialog of a widget: open or not, and where the focus goes back to. */
export class Modal {
  #opener: Element | null = null;
  #isOpen = false;

  constructor(private readonly onClosed: () => void) {}

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Remembers who has the focus. The dialog itself is shown once it is drawn: {@link show}. */
  open(document: Document): void {
    this.#isOpen = true;
    let opener = document.activeElement;
    while (opener?.shadowRoot?.activeElement) opener = opener.shadowRoot.activeElement;
    this.#opener = opener;
  }

  /**
   * Shows the dialog once it is drawn; whether it did just now. In the top layer the rest of the page is inert: no focus
   * trap of the host's can pull the focus out.
   */
  show(root: ParentNode): boolean {
    const dialog = root.querySelector('dialog');
    if (!this.#isOpen || dialog?.open !== false) return false;
    dialog.showModal();
    return true;
  }

  /** Closes, and gives the focus back: also when the element was taken away while it was open. */
  close(root: ParentNode): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    root.querySelector('dialog')?.close();
    if (this.#opener instanceof HTMLElement || this.#opener instanceof SVGElement) this.#opener.focus();
    this.#opener = null;
    this.onClosed();
  }

  /** The dialog around the widget's content. What is pressed in it is not for the page behind. */
  render(
    content: TemplateResult,
    messages: Messages,
    dir: string | typeof nothing,
    close: () => void,
  ): TemplateResult {
    return html`<dialog
      part="dialog"
      aria-label=${messages.catalogTitle}
      lang=${messages.language}
      dir=${dir}
      @close=${close}
      @keydown=${keep}
      @focusin=${keep}
    >
      <button
        type="button"
        class="tool close"
        part="close-button"
        aria-label=${messages.close}
        @click=${close}
      >
        ${icons.close}
      </button>
      ${content}
    </dialog>`;
  }
}

function keep(event: Event): void {
  event.stopPropagation();
}
