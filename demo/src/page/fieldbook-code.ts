import { css, html, LitElement } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { sheet } from './styles.ts';

/** `<fieldbook-code>`: code with a button that copies it. */
@customElement('fieldbook-code')
export class FieldbookCode extends LitElement {
  @property() code = '';
  /** What the code is, for example `curl`. */
  @property() label = '';
  @state() private outcome = '';

  protected override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('code')) this.outcome = '';
  }

  protected override render() {
    return html`
      <div class="head">
        <span class="label">${this.label}</span>
        <button class="button plain small" @click=${this.#copy}>
          ${this.outcome || 'Copy'}<span class="visually-hidden"> ${this.label}</span>
        </button>
      </div>
      <pre tabindex="0" role="region" aria-label=${this.label}><code>${this.code}</code></pre>
    `;
  }

  readonly #copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(this.code);
      this.outcome = 'Copied';
    } catch {
      // Without the permission, the user copies the selection.
      const code = this.renderRoot.querySelector('code');
      if (code) getSelection()?.selectAllChildren(code);
      this.outcome = 'Selected';
    }
  };

  static override styles = [
    sheet,
    css`
      :host {
        display: block;
        min-inline-size: 0;
      }
      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 0.5rem;
        padding: 0.15rem 0.3rem 0.15rem 0.95rem;
        border: 1px solid var(--line);
        border-block-end: 0;
        border-radius: var(--radius-small) var(--radius-small) 0 0;
        background: var(--side);
      }
      pre {
        border-radius: 0 0 var(--radius-small) var(--radius-small);
        max-block-size: var(--code-height, 24rem);
      }
    `,
  ];
}
