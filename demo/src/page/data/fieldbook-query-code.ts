import '../fieldbook-code.ts';
import { css, html, LitElement } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Session } from '../backend.ts';
import { apiCallOf } from '../drawer/calls.ts';
import { sheet } from '../styles.ts';

const languages = ['JSON', 'curl', 'TypeScript'] as const;
type Language = (typeof languages)[number];

/** `<fieldbook-query-code>`: a search as code to copy. */
@customElement('fieldbook-query-code')
export class FieldbookQueryCode extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: 'connector-id' }) connectorId = '';
  /** The body of the request. */
  @property({ attribute: false }) body: object = {};
  @state() private language: Language = 'JSON';

  protected override render() {
    return html`<details>
      <summary>The same search as code</summary>
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
      <fieldbook-code label=${this.language} .code=${this.#code}></fieldbook-code>
    </details>`;
  }

  #pick(language: Language): void {
    this.language = language;
  }

  get #code(): string {
    const { body, language } = this;
    if (language === 'JSON') return JSON.stringify(body, null, 2);
    const { customer, serviceUrl } = this.session;
    const url = new URL(`/connector-auth/connectors/${this.connectorId}/execute`, location.href);
    const call = apiCallOf({ method: 'POST', url, body }, { serviceUrl, customer: customer.id });
    return (language === 'curl' ? call?.curl : call?.typescript) ?? '';
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
      .choices {
        margin-block: 0.6rem;
      }
      fieldbook-code {
        /* The first records stay visible below. */
        --code-height: 11rem;
      }
    `,
  ];
}
