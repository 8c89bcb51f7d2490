import type { ConnectorAuthElement } from '@connector-auth/widget';
import { css, html, LitElement, nothing, unsafeCSS } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Session } from '../backend.ts';
import '../fieldbook-code.ts';
import { sheet } from '../styles.ts';
import themes from '../themes.css?inline';
import themesSource from '../themes.css?raw';
import { snippetsOf, type Choice, type Snippets } from './snippets.ts';

const themeNames = ['fieldbook', 'midnight', 'paper', 'candy'];
const languages = ['en', 'ar', 'de', 'es', 'fr', 'ja', 'pt', 'zh'];
const widths = { min: 320, max: 880, step: 8 };
const codeLabels: Readonly<Record<keyof Snippets, string>> = {
  html: 'HTML',
  react: 'React',
  css: 'connections.css',
};

/** `<fieldbook-playground>`: the widget with chosen settings, and the code for them. */
@customElement('fieldbook-playground')
export class FieldbookPlayground extends LitElement {
  @property({ attribute: false }) session: Session | null = null;
  @state() private choice: Choice = {
    theme: 'fieldbook',
    scheme: null,
    language: null,
    width: 640,
    isModal: false,
    isStill: false,
  };

  protected override render() {
    return html`
      <section class="card settings" aria-label="Settings">${this.#renderSettings()}</section>
      <section class="preview" aria-label="Preview">${this.#renderPreview()}</section>
      <section class="code" aria-label="Code">
        ${Object.entries(snippetsOf(this.choice, themesSource)).map(
          // The keys are those of Snippets.
          ([name, code]) =>
            html`<fieldbook-code
              .label=${codeLabels[name as keyof Snippets]}
              .code=${code as string}
            ></fieldbook-code>`,
        )}
      </section>
    `;
  }

  #renderSettings() {
    const { theme, scheme, language, width, isModal, isStill } = this.choice;
    return html`
      <div class="setting">
        <label for="theme">Theme</label>
        <select id="theme" @change=${this.#handleTheme}>
          <option value="" ?selected=${theme === null}>Widget’s default</option>
          ${themeNames.map(
            name =>
              html`<option value=${name} ?selected=${name === theme}>
                ${name.charAt(0).toUpperCase() + name.slice(1)}
              </option>`,
          )}
        </select>
      </div>
      <fieldset class="setting">
        <legend class="label">Colors</legend>
        <div class="choices">
          ${([null, 'light', 'dark'] as const).map(
            each =>
              html`<label class="choice"
                ><input
                  type="radio"
                  name="scheme"
                  .value=${each ?? ''}
                  .checked=${each === scheme}
                  @change=${this.#handleScheme}
                />${each === null ? 'Auto' : each === 'light' ? 'Light' : 'Dark'}</label
              >`,
          )}
        </div>
      </fieldset>
      <div class="setting">
        <label for="language">Language</label>
        <select id="language" @change=${this.#handleLanguage}>
          ${languages.map(
            each =>
              html`<option value=${each} ?selected=${each === (language ?? 'en')}>${nameOf(each)}</option>`,
          )}
        </select>
      </div>
      <div class="setting">
        <label for="width">Width</label>
        <div class="range">
          <input
            id="width"
            type="range"
            min=${widths.min}
            max=${widths.max}
            step=${widths.step}
            .value=${String(width)}
            ?disabled=${isModal}
            @input=${this.#handleWidth}
          /><output for="width">${width} px</output>
        </div>
      </div>
      <label class="setting choice"
        ><input type="checkbox" .checked=${isModal} @change=${this.#handleModal} />As a dialog</label
      >
      <label class="setting choice"
        ><input type="checkbox" .checked=${isStill} @change=${this.#handleMotion} />Reduced motion</label
      >
    `;
  }

  #renderPreview() {
    const { theme, scheme, language, width, isModal, isStill } = this.choice;
    if (!this.session) return nothing;
    return html`${
      isModal
        ? html`<button class="button primary" @click=${this.#handleOpen}>Connect a source</button>
            <p class="quiet small">Opens the widget in a dialog. Escape closes it.</p>`
        : nothing
    }
    ${keyed(
      `${this.session.customer.id} ${isModal ? 'dialog' : ''}`,
      html`<connector-auth
        id="playground"
        style="inline-size: ${width}px"
        data-theme=${theme ?? nothing}
        theme=${scheme ?? nothing}
        motion=${isStill ? 'reduce' : nothing}
        lang=${language ?? 'en'}
        token-url="/connector-auth/widget-token"
        ?modal=${isModal}
      ></connector-auth>`,
    )}`;
  }

  #choose(change: Partial<Choice>): void {
    this.choice = { ...this.choice, ...change };
  }

  readonly #handleTheme = (event: Event): void => {
    this.#choose({ theme: valueOf(event) || null });
  };

  readonly #handleScheme = (event: Event): void => {
    const scheme = valueOf(event);
    this.#choose({ scheme: scheme === 'light' || scheme === 'dark' ? scheme : null });
  };

  readonly #handleLanguage = (event: Event): void => {
    this.#choose({ language: valueOf(event) });
  };

  readonly #handleWidth = (event: Event): void => {
    this.#choose({ width: Number(valueOf(event)) });
  };

  readonly #handleModal = (event: Event): void => {
    this.#choose({ isModal: (event.currentTarget as HTMLInputElement).checked });
  };

  readonly #handleMotion = (event: Event): void => {
    this.#choose({ isStill: (event.currentTarget as HTMLInputElement).checked });
  };

  readonly #handleOpen = (): void => {
    this.renderRoot.querySelector<ConnectorAuthElement>('connector-auth')?.open();
  };

  static override styles = [
    sheet,
    unsafeCSS(themes),
    css`
      :host {
        display: grid;
        grid-template-columns: 16rem minmax(0, 1fr);
        align-items: start;
        gap: 1rem;
      }
      .settings {
        display: grid;
        gap: 1.1rem;
      }
      .setting {
        display: grid;
        gap: 0.3rem;
        margin: 0;
        padding: 0;
        border: 0;
        min-inline-size: 0;
      }
      legend {
        padding: 0;
      }
      .choice {
        display: flex;
        align-items: center;
        gap: 0.45rem;
        font-size: 0.875rem;
        font-weight: 400;
        color: var(--ink);
      }
      .choices {
        gap: 0.35rem 0.9rem;
      }
      .range {
        display: grid;
        grid-template-columns: 1fr auto;
        align-items: center;
        gap: 0.6rem;
      }
      .range input {
        inline-size: 100%;
        padding: 0;
      }
      output {
        font-size: 0.8125rem;
        font-variant-numeric: tabular-nums;
        color: var(--quiet);
      }
      .preview {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        justify-items: center;
        align-content: center;
        gap: 0.6rem;
        min-block-size: 30rem;
        padding: 1.5rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        overflow: hidden;
        background: radial-gradient(var(--line) 1px, transparent 1px) 0 0 / 16px 16px var(--side);
      }
      /* The page’s own theme is inherited. */
      connector-auth:not([data-theme]) {
        --connector-auth-accent: initial;
        --connector-auth-surface: initial;
        --connector-auth-text: initial;
        --connector-auth-muted: initial;
        --connector-auth-line: initial;
        --connector-auth-radius: initial;
      }
      .preview connector-auth:not([modal]) {
        max-inline-size: 100%;
      }
      .code {
        grid-column: 1 / -1;
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
        gap: 1rem;
      }
      @media (max-width: 60rem) {
        :host {
          grid-template-columns: minmax(0, 1fr);
        }
      }
      @media (max-width: 48rem) {
        .preview {
          padding: 0.75rem;
        }
      }
    `,
  ];
}

function nameOf(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

function valueOf(event: Event): string {
  return (event.currentTarget as HTMLInputElement | HTMLSelectElement).value;
}
