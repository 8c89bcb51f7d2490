import { css, html, LitElement, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { sheet } from '../styles.ts';
import { asCode, languages, type Language, type Request } from './as-code.ts';

/** `<fieldbook-query-code>`: a search as code to copy. */
@customElement('fieldbook-query-code')
export class FieldbookQueryCode extends LitElement {
  @property({ attribute: false }) request!: Request;
  @state() private language: Language = 'JSON';
  @state() private copied: 'no' | 'yes' | 'failed' = 'no';

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('request')) this.copied = 'no';
  }

  protected override render() {
    const code = asCode(this.language, this.request);
    return html`<details ?open=${matchMedia('(min-width: 64rem)').matches}>
      <summary>The same search as code</summary>
      <div class="bar">
        <div class="choices" role="group" aria-label="Language">
          ${languages.map(
            language =>
              html`<button
                class="button small"
                aria-pressed=${language === this.language}
                @click=${() => this.#pick(language)}
              >
                ${language}
              </button>`,
          )}
        </div>
        <button class="button small" @click=${() => this.#copy(code)}>
          ${this.copied === 'yes' ? 'Copied' : 'Copy'}
        </button>
        <span class="visually-hidden" role="status"
          >${{ no: '', yes: 'Copied', failed: 'Select the code and copy it' }[this.copied]}</span
        >
      </div>
      <pre tabindex="0" role="region" aria-label="Code" dir="ltr"><code>${code}</code></pre>
    </details>`;
  }

  #pick(language: Language): void {
    this.language = language;
    this.copied = 'no';
  }

  async #copy(code: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(code);
      this.copied = 'yes';
    } catch {
      this.copied = 'failed';
    }
  }

  static override styles = [
    sheet,
    css`
      summary {
        cursor: pointer;
        font-size: 0.8125rem;
        font-weight: 550;
        color: var(--quiet);
        inline-size: fit-content;
      }
      .bar {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0.5rem;
        margin-block: 0.6rem 0.5rem;
      }
      pre {
        max-block-size: 18rem;
      }
    `,
  ];
}
