import { html, type nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { icons } from './icons.ts';

/** The widget's dialog: whether it is open, and which element had the focus before. */
export class Modal {
  #opener: Element | null = null;
  #isOpen = false;

  constructor(private readonly onClosed: () => void) {}

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Remembers the focused element. {@link show} shows the dialog once it is rendered. */
  open(document: Document): void {
    this.#isOpen = true;
    let opener = document.activeElement;
    while (opener?.shadowRoot?.activeElement) opener = opener.shadowRoot.activeElement;
    this.#opener = opener;
  }

  /**
   * Shows the rendered dialog; returns whether it was hidden before. While it is in the top layer, the page
   * is inert, so that no focus trap of the host page can take the focus.
   */
  show(root: ParentNode): boolean {
    const dialog = root.querySelector('dialog');
    if (!this.#isOpen || dialog?.open !== false) return false;
    dialog.showModal();
    return true;
  }

  /** Closes the dialog and returns the focus, also when the element was removed while the dialog was open. */
  close(root: ParentNode): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    root.querySelector('dialog')?.close();
    if (this.#opener instanceof HTMLElement || this.#opener instanceof SVGElement) this.#opener.focus();
    this.#opener = null;
    this.onClosed();
  }

  /** Renders the dialog around the widget's content. Its keyboard and focus events do not reach the page. */
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
      @keydown=${stopPropagation}
      @focusin=${stopPropagation}
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

function stopPropagation(event: Event): void {
  event.stopPropagation();
}
