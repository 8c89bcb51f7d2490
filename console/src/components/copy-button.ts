import { html, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { DocumentElement } from './element.ts';
import { icons } from './icons.ts';

const confirmationMs = 2500;

/** Dispatched by the button after it has copied a text. */
export class CopiedEvent extends Event {
  static readonly type = 'console-copied';

  constructor(readonly text: string) {
    super(CopiedEvent.type, { bubbles: true });
  }
}

/** `<console-copy>`: copies a text to the clipboard and confirms it. */
export class CopyButton extends DocumentElement {
  @property() text = '';
  @property() label = 'Copy';
  /** What is copied, for assistive technology, such as “client secret”. */
  @property() what = '';
  @state() private result: 'none' | 'copied' | 'failed' = 'none';
  #timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult {
    const isCopied = this.result === 'copied';
    return html`<button
        type="button"
        class="button small copy ${isCopied ? 'good' : ''}"
        aria-label="Copy ${this.what}"
        @click=${this.#copy}
      >
        ${isCopied ? icons.check : icons.copy}<span aria-hidden="true"
          >${isCopied ? 'Copied' : this.label}</span
        >
      </button>
      <span class="visually-hidden" role="status"
        >${{ none: '', copied: 'Copied', failed: 'Select the text and copy it' }[this.result]}</span
      >`;
  }

  readonly #copy = async (): Promise<void> => {
    const { text } = this;
    const isCopied = await copyText(text, this);
    this.result = isCopied ? 'copied' : 'failed';
    if (isCopied) this.dispatchEvent(new CopiedEvent(text));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.result = 'none';
    }, confirmationMs);
  };
}

/** Copies a text. Without https, browsers have only the older command, which copies a selection. */
async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    area.setAttribute('aria-hidden', 'true');
    const focused = document.activeElement;
    near.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}
