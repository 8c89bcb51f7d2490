import { css, html, LitElement, type TemplateResult } from 'lit';
import { icon as gong } from '../../connectors/src/gong/icon.ts';
import { icon as googleAds } from '../../connectors/src/google-ads/icon.ts';
import { icon as granola } from '../../connectors/src/granola/icon.ts';
import { icon as tikTok } from '../../connectors/src/tiktok-marketing/icon.ts';
import '../src/index.ts';
import { FakeService } from './fake-service.ts';
import { interceptWindows } from './fake-windows.ts';
import { scenes, setScene, type Scene } from './scenes.ts';
import { cssOf, densities, fonts, readTheme, type Theme } from './theme.ts';

const icons = Object.fromEntries(
  Object.entries({ gong, 'google-ads': googleAds, granola, 'tiktok-marketing': tikTok }).map(
    ([name, svg]) => [name, `data:image/svg+xml,${encodeURIComponent(svg)}`],
  ),
);
const accents = ['#3150d3', '#0f766e', '#b4236a', '#c2410c', '#18181b'];
const languages = ['en', 'de', 'fr', 'es', 'pt', 'ja', 'zh', 'ar'];
const widths = ['100%', '680px', '420px', '320px', '280px'];
const all = 'all states';
/** Some scenes replace it by one that copies nothing. */
const writeText = navigator.clipboard?.writeText.bind(navigator.clipboard);

/**
 * `<widget-appearance>`: the widget with a theme to choose, in each of its states, and the CSS for the theme. The service
 * is a fake, so nothing is sent and nothing is connected. The address contains everything that is chosen:
 * `?accent=%230f766e&theme=dark&lang=ar&width=280px&scene=form`. `&bare` shows all states without controls.
 */
class WidgetAppearance extends LitElement {
  readonly #query = new URLSearchParams(location.search);
  /** The theme as it is copied, and the stage that shows it. */
  readonly #sheet = new CSSStyleSheet();
  readonly #services: FakeService[] = [];
  #shown = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    // The widget must not open windows of a service that does not exist.
    interceptWindows();
    this.shadowRoot?.adoptedStyleSheets.push(this.#sheet);
  }

  protected override firstUpdated(): void {
    void this.#show();
  }

  protected override render(): TemplateResult {
    const theme = readTheme(this.#query);
    this.#applyTheme(theme);
    const stage = html`<div class="stage"></div>`;
    if (this.#isBare) return stage;
    return html`<form @input=${this.#handleInput} @submit=${(event: Event) => event.preventDefault()}>
        ${this.#renderAccent(theme)}
        <label class="setting">
          <span class="label">Corners <output>${theme.radius || '16'} px</output></span>
          <input name="radius" type="range" min="0" max="28" .value=${theme.radius || '16'} />
        </label>
        ${renderSelect('Font', 'font', Object.keys(fonts), theme.font)}
        ${renderRadios('Density', 'density', Object.keys(densities), theme.density)}
        ${renderRadios('Colors', 'theme', ['auto', 'light', 'dark'], theme.theme)}
        ${renderSelect('Width', 'width', widths, this.#width)}
        ${renderSelect('Language', 'lang', languages, this.#language)}
        <button type="button" @click=${this.#handleReset}>Reset</button>
      </form>
      <div class="preview">
        <div class="states" @input=${this.#handleInput}>
          ${renderSelect('State', 'scene', [...scenes.map(({ name }) => name), all], this.#scene)}
          <button type="button" @click=${this.#handlePrevious}>Previous</button>
          <button type="button" @click=${this.#handleNext}>Next</button>
        </div>
        ${stage}
      </div>
      <div class="code">
        <div class="caption">
          <span>CSS for your page</span>
          <button type="button" @click=${this.#handleCopy}>Copy</button>
          <span class="copied" role="status"></span>
        </div>
        <pre tabindex="0">${cssOf(theme)}</pre>
      </div>`;
  }

  #renderAccent({ accent }: Theme): TemplateResult {
    return html`<fieldset class="setting">
      <legend class="label">Accent</legend>
      <div class="swatches">
        <input name="accent" type="color" aria-label="Any color" .value=${accent || '#3150d3'} />
        ${accents.map(
          color =>
            html`<label class="swatch"
              ><input
                type="radio"
                name="accent"
                .value=${color}
                aria-label=${color}
                .checked=${accent === color} /><svg viewBox="0 0 20 20" aria-hidden="true">
                <circle cx="10" cy="10" r="10" fill=${color} /></svg
            ></label>`,
        )}
      </div>
    </fieldset>`;
  }

  get #isBare(): boolean {
    return this.#query.has('bare');
  }

  get #scene(): string {
    const name = this.#query.get('scene');
    return this.#isBare || name === all || scenes.some(scene => scene.name === name)
      ? name || all
      : 'catalog';
  }

  get #language(): string {
    return languages.find(each => each === this.#query.get('lang')) ?? 'en';
  }

  get #width(): string {
    return widths.find(each => each === this.#query.get('width')) ?? '100%';
  }

  #applyTheme(theme: Theme): void {
    const scheme = theme.theme === 'auto' ? '' : `color-scheme: ${theme.theme};`;
    this.#sheet.replaceSync(`${cssOf(theme)} .stage { --width: ${this.#width}; ${scheme} }`);
  }

  /** Shows the chosen state, or all of them, instead of what is shown. */
  async #show(): Promise<void> {
    const stage = this.renderRoot.querySelector<HTMLElement>('.stage');
    if (stage === null) return;
    this.#shown.abort();
    const { signal } = (this.#shown = new AbortController());
    // Each one restores the `fetch` that it replaced.
    while (this.#services.length > 0) this.#services.pop()?.close();
    stage.replaceChildren();
    stage.lang = this.#language;
    const name = this.#scene;
    stage.classList.toggle('all', name === all);
    for (const scene of scenes.filter(scene => name === all || scene.name === name)) {
      const place = name === all ? addSection(stage, scene) : stage;
      const service = new FakeService(scene.routes);
      this.#services.push(service);
      try {
        await setScene(scene, place, service, { icons });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      if (signal.aborted) return;
    }
    document.documentElement.dataset['ready'] = '';
  }

  #choose(name: string, value: string): void {
    this.#query.set(name, value);
    history.replaceState(null, '', `?${this.#query.toString()}`);
    this.requestUpdate();
    if (name === 'scene' || name === 'lang') void this.#show();
  }

  #step(by: number): void {
    const index = scenes.findIndex(({ name }) => name === this.#scene);
    const next = scenes[(index + by + scenes.length) % scenes.length];
    if (next !== undefined) this.#choose('scene', next.name);
  }

  readonly #handleInput = ({ target }: Event): void => {
    // The form contains only these.
    const { name, value } = target as HTMLInputElement | HTMLSelectElement;
    this.#choose(name, value);
  };

  readonly #handlePrevious = (): void => this.#step(-1);
  readonly #handleNext = (): void => this.#step(1);

  readonly #handleReset = (): void => {
    for (const name of ['accent', 'radius', 'font', 'density', 'theme']) this.#query.delete(name);
    this.#choose('scene', this.#scene);
  };

  readonly #handleCopy = async (): Promise<void> => {
    const status = this.renderRoot.querySelector('.copied');
    try {
      await writeText?.(cssOf(readTheme(this.#query)));
      if (status) status.textContent = 'Copied';
    } catch {
      if (status) status.textContent = 'Select the text and press Ctrl C';
    }
  };

  static override styles = css`
    :host {
      --edge: var(--line, light-dark(#e3e6ec, #2a2e37));
      --quiet: var(--muted, light-dark(#59616f, #a4acba));
      display: grid;
      grid-template-columns: 12.5rem minmax(0, 1fr);
      gap: 1.25rem;
      margin-block: 1.5rem;
      font:
        400 0.9375rem / 1.5 system-ui,
        sans-serif;
    }
    form,
    .code {
      align-self: start;
    }
    form {
      display: grid;
      gap: 1.1rem;
    }
    .setting {
      display: grid;
      gap: 0.35rem;
      min-inline-size: 0;
      margin: 0;
      padding: 0;
      border: 0;
    }
    .label {
      display: flex;
      justify-content: space-between;
      padding: 0;
      color: var(--quiet);
      font-size: 0.8125rem;
      font-weight: 600;
    }
    output {
      font-weight: 400;
      font-variant-numeric: tabular-nums;
    }
    input,
    select,
    button {
      font: inherit;
      color: inherit;
      accent-color: var(--accent, #3150d3);
    }
    input[type='range'] {
      inline-size: 100%;
      margin: 0;
    }
    select,
    button {
      block-size: 2.25rem;
      padding: 0 0.7rem;
      border: 1px solid var(--edge);
      border-radius: 0.5rem;
      background: var(--canvas, Canvas);
      inline-size: 100%;
    }
    button {
      inline-size: auto;
      cursor: pointer;
    }
    :focus-visible {
      outline: 2px solid var(--accent, #3150d3);
      outline-offset: 2px;
    }
    .choices {
      display: grid;
      grid-auto-columns: 1fr;
      grid-auto-flow: column;
      border: 1px solid var(--edge);
      border-radius: 0.5rem;
      overflow: hidden;
    }
    .choice {
      padding: 0.3rem 0;
      font-size: 0.8125rem;
      text-align: center;
      cursor: pointer;
    }
    .choice:has(:checked) {
      background: var(--tint, light-dark(#eef1fd, #1d2340));
      color: var(--accent-text, light-dark(#2c48c0, #a9b8ff));
    }
    .choice:has(:focus-visible) {
      outline: 2px solid var(--accent, #3150d3);
      outline-offset: -2px;
    }
    .choice input,
    .swatch input {
      position: absolute;
      opacity: 0;
      pointer-events: none;
    }
    .swatches {
      display: flex;
      align-items: center;
      gap: 0.4rem;
    }
    .swatches input[type='color'] {
      inline-size: 2.1rem;
      block-size: 1.75rem;
      padding: 1px;
      border: 1px solid var(--edge);
      border-radius: 0.4rem;
      background: none;
    }
    .swatch {
      display: flex;
      padding: 2px;
      border-radius: 50%;
      cursor: pointer;
    }
    .swatch:has(:checked) {
      outline: 2px solid var(--accent, #3150d3);
    }
    .swatch:has(:focus-visible) {
      outline: 3px solid var(--accent, #3150d3);
    }
    .swatch svg {
      inline-size: 1.15rem;
      block-size: 1.15rem;
    }
    .states {
      display: flex;
      align-items: end;
      gap: 0.5rem;
      margin-block-end: 0.75rem;
    }
    .states .setting {
      flex: 1;
      min-inline-size: 0;
    }
    .stage {
      box-sizing: border-box;
      padding: clamp(0.75rem, 3vw, 1.75rem);
      border: 1px solid var(--edge);
      border-radius: 0.75rem;
      background: light-dark(#f1f3f7, #090b0e);
      color: light-dark(#444, #bbb);
    }
    .stage:only-child {
      grid-column: 1 / -1;
    }
    connector-auth {
      max-inline-size: var(--width);
      margin-inline: auto;
    }
    .stage.all {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, max(20rem, var(--width) * 0.99)), 1fr));
      gap: 1.75rem;
      align-items: start;
    }
    .stage.all section {
      min-inline-size: 0;
    }
    .stage.all h3 {
      margin: 0 0 0.5rem;
      font-size: 0.8125rem;
    }
    .code {
      grid-column: 1 / -1;
      border: 1px solid var(--edge);
      border-radius: 0.6rem;
      background: var(--code, light-dark(#f6f7fa, #14171d));
    }
    .caption {
      display: flex;
      align-items: center;
      gap: 0.75rem;
      padding: 0.35rem 0.5rem 0.35rem 1rem;
      border-block-end: 1px solid var(--edge);
      color: var(--quiet);
      font-size: 0.8125rem;
      font-weight: 600;
    }
    .caption button {
      order: 1;
    }
    .copied {
      margin-inline-start: auto;
    }
    pre {
      margin: 0;
      padding: 0.9rem 1rem;
      font:
        0.8125rem / 1.6 ui-monospace,
        Menlo,
        monospace;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    @media (max-width: 48rem) {
      :host {
        grid-template-columns: minmax(0, 1fr);
      }
      form {
        grid-template-columns: repeat(2, minmax(0, 1fr));
      }
      .states {
        flex-wrap: wrap;
      }
      .states .setting {
        flex-basis: 100%;
      }
    }
  `;
}

/** Adds the place of a state in the list of all. */
function addSection(stage: HTMLElement, { name }: Scene): HTMLElement {
  const section = document.createElement('section');
  section.dataset['scene'] = name;
  const heading = document.createElement('h3');
  heading.textContent = name;
  section.append(heading);
  stage.append(section);
  return section;
}

function renderSelect(
  label: string,
  name: string,
  values: readonly string[],
  chosen: string,
): TemplateResult {
  return html`<label class="setting">
    <span class="label">${label}</span>
    <select name=${name}>
      ${values.map(value => html`<option value=${value} ?selected=${value === chosen}>${nameOf(name, value)}</option>`)}
    </select>
  </label>`;
}

function renderRadios(
  label: string,
  name: string,
  values: readonly string[],
  chosen: string,
): TemplateResult {
  return html`<fieldset class="setting">
    <legend class="label">${label}</legend>
    <div class="choices">
      ${values.map(
        value =>
          html`<label class="choice"
            ><input
              type="radio"
              name=${name}
              .value=${value}
              .checked=${value === chosen}
            />${nameOf(name, value)}</label
          >`,
      )}
    </div>
  </fieldset>`;
}

function nameOf(setting: string, value: string): string {
  const names: Readonly<Record<string, string>> = {
    comfortable: 'Roomy',
    page: 'Of your page',
    '100%': 'As wide as possible',
  };
  const text =
    setting === 'lang' ? new Intl.DisplayNames(value, { type: 'language' }).of(value) : names[value];
  return text ?? value.charAt(0).toUpperCase() + value.slice(1);
}

customElements.define('widget-appearance', WidgetAppearance);
