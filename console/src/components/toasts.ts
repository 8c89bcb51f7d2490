import { html, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { DocumentElement } from './element.ts';
import { icons } from './icons.ts';

const shownMs = 5000;

/** `<console-toasts>`: short messages that disappear. Assistive technology announces them. */
export class Toasts extends DocumentElement {
  @state() private messages: readonly { readonly id: number; readonly text: string }[] = [];
  #count = 0;

  show(text: string): void {
    const id = ++this.#count;
    this.messages = [...this.messages.slice(-2), { id, text }];
    setTimeout(() => {
      this.messages = this.messages.filter(message => message.id !== id);
    }, shownMs);
  }

  protected override render(): TemplateResult {
    return html`<div class="toasts" role="status">
      ${repeat(
        this.messages,
        ({ id }) => id,
        ({ text }) => html`<p class="toast">${icons.check}<span>${text}</span></p>`,
      )}
    </div>`;
  }
}
