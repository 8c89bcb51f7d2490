import { html, type LitElement, type nothing, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { icons } from './icons.ts';

/** Manages the widget's dialog and the element that had focus before it opened. */
export class Modal {
  #opener: Element | null = null;
  #isOpen = false;

  constructor(
    private readonly host: LitElement,
    private readonly onClosed: () => void,
  ) {}

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Records the focused element. {@link show} shows the dialog once it is rendered. */
  open(): void {
    this.#isOpen = true;
    let opener = this.host.ownerDocument.activeElement;
    while (opener?.shadowRoot?.activeElement) opener = opener.shadowRoot.activeElement;
    this.#opener = opener;
  }

  /**
   * Shows the rendered dialog and returns whether it was hidden before. While the dialog is in the top layer,
   * the page is inert, so that no focus trap in the host page can take focus.
   */
  show(): boolean {
    const dialog = this.host.renderRoot.querySelector('dialog');
    if (!this.#isOpen || dialog?.open !== false) return false;
    dialog.showModal();
    return true;
  }

  /** Closes the dialog and restores focus, even if the element was removed while the dialog was open. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.host.renderRoot.querySelector('dialog')?.close();
    if (this.#opener instanceof HTMLElement || this.#opener instanceof SVGElement) this.#opener.focus();
    this.#opener = null;
    this.onClosed();
  }

  /** Renders the dialog around the widget's content. Keyboard and focus events do not leave it. */
  render(content: TemplateResult, messages: Messages, dir: string | typeof nothing): TemplateResult {
    const close = () => {
      this.close();
    };
    return html`<dialog
      part="dialog"
      aria-label=${messages.catalogTitle}
      lang=${messages.language}
      dir=${dir}
      @close=${close}
      @keydown=${(event: KeyboardEvent) => {
        event.stopPropagation();
        if (!leavesSearchField(event)) return;
        event.preventDefault();
        close();
      }}
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
      <div tabindex="0" @focus=${focusFirst}></div>
    </dialog>`;
  }
}

/** Returns whether Escape was pressed in an empty search field, which Safari does not report to the dialog. */
function leavesSearchField({ key, target, isComposing }: KeyboardEvent): boolean {
  return key === 'Escape' && !isComposing && target instanceof HTMLInputElement && target.type === 'search';
}

/** Continues with the close button after the last element, where Firefox would leave the dialog for good. */
function focusFirst({ currentTarget, relatedTarget }: FocusEvent): void {
  // Without a related target, the user came back from the browser's own controls.
  if (relatedTarget) (currentTarget as HTMLElement).closest('dialog')?.querySelector('button')?.focus();
}

function stopPropagation(event: Event): void {
  event.stopPropagation();
}
