import { html, LitElement, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';

type Choice = readonly [value: string, label: string];

const delayMs = 250;
let pickers = 0;

/** `<console-picker>`: a filter whose value is found by a part of its name, such as a customer. */
export class Picker extends LitElement {
  @property() label = '';
  /** The name of the chosen value. Empty if there is none. */
  @property() chosen = '';
  /** Returns some choices whose name contains a text. */
  @property({ attribute: false }) find: (text: string) => Promise<readonly Choice[]> = async () => [];
  /** Called with the chosen value, or with the text if no choice has this name: it may have been deleted. */
  @property({ attribute: false }) onChange: (value: string) => void = () => {};
  @state() private choices: readonly Choice[] = [];
  readonly #listId = `picker-${++pickers}`;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run = 0;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult {
    return html`<label class="filter"
        ><span>${this.label}</span
        ><input
          type="search"
          list=${this.#listId}
          maxlength="200"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          placeholder="All"
          .value=${live(this.chosen)}
          @focus=${this.#search}
          @input=${this.#search}
          @change=${this.#choose}
      /></label>
      <datalist id=${this.#listId}>
        ${this.choices.map(([, label]) => html`<option value=${label}></option>`)}
      </datalist>`;
  }

  readonly #search = ({ target }: Event): void => {
    const text = textOf(target);
    clearTimeout(this.#timer);
    if (text === this.chosen && this.choices.length > 0) return;
    this.#timer = setTimeout(() => void this.#load(text === this.chosen ? '' : text), delayMs);
  };

  async #load(text: string): Promise<void> {
    const run = ++this.#run;
    try {
      const choices = await this.find(text);
      if (run === this.#run) this.choices = choices;
    } catch {
      // The text itself can be chosen, and the list shows what is wrong.
    }
  }

  readonly #choose = ({ target }: Event): void => {
    const text = textOf(target);
    this.onChange(this.choices.find(([, label]) => label === text)?.[0] ?? text);
  };
}

function textOf(target: EventTarget | null): string {
  // The handlers are bound only to the field.
  return (target as HTMLInputElement).value.trim();
}
