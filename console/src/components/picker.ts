import { html, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { DocumentElement } from './element.ts';
import { NameSearch } from './name-search.ts';

type Choice = readonly [value: string, label: string];

let pickers = 0;

/** `<console-picker>`: a filter whose value is found by a part of its name, such as a customer. */
export class Picker extends DocumentElement {
  @property() label = '';
  /** The name of the chosen value. Empty if there is none. */
  @property() chosen = '';
  /** Returns some choices whose name contains a text. */
  @property({ attribute: false }) find: (text: string) => Promise<readonly Choice[]> = async () => [];
  /** Called with the chosen value, or with the text if no choice has this name: it may have been deleted. */
  @property({ attribute: false }) onChange: (value: string) => void = () => {};
  readonly #listId = `picker-${++pickers}`;
  /** The text itself can be chosen if the search fails, and the list shows what is wrong. */
  readonly #search = new NameSearch<Choice>(this, text => this.find(text));

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
          .value=${this.chosen}
          @focus=${this.#handleText}
          @input=${this.#handleText}
          @change=${this.#choose}
      /></label>
      <datalist id=${this.#listId}>
        ${this.#search.matches?.map(([, label]) => html`<option value=${label}></option>`)}
      </datalist>`;
  }

  readonly #handleText = ({ target }: Event): void => {
    const text = textOf(target);
    if (text !== this.chosen) this.#search.search(text);
    else if (this.#search.matches === null) this.#search.search('');
  };

  readonly #choose = ({ target }: Event): void => {
    const text = textOf(target);
    this.onChange(this.#search.matches?.find(([, label]) => label === text)?.[0] ?? text);
  };
}

function textOf(target: EventTarget | null): string {
  // The handlers are bound only to the field.
  return (target as HTMLInputElement).value.trim();
}
