import { property } from 'lit/decorators.js';
import { CopiedEvent } from './copy-button.ts';
import { DocumentElement } from './element.ts';
import { guardLeaving } from './leave-guard.ts';

/** `<console-secret-guard>`: warns before the operator leaves a page with a secret that was not copied yet. */
export class SecretGuard extends DocumentElement {
  @property({ attribute: false }) secret = '';
  #isCopied = false;

  constructor() {
    super();
    guardLeaving(this, 'secret', () => !this.#isCopied);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener(CopiedEvent.type, this.#handleButton);
    document.addEventListener('copy', this.#handleSelection);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener(CopiedEvent.type, this.#handleButton);
    document.removeEventListener('copy', this.#handleSelection);
  }

  readonly #handleButton = (event: Event): void => {
    if (event instanceof CopiedEvent) this.#check(event.text);
  };

  readonly #handleSelection = (): void => this.#check(document.getSelection()?.toString() ?? '');

  #check(copied: string): void {
    if (copied.includes(this.secret)) this.#isCopied = true;
  }
}
