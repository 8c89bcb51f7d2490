import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { closeIcon } from '../icons.ts';
import { sheet } from '../styles.ts';
import { labelOf, unitOf, type Field, type Row } from './fields.ts';
import { operators, operatorsOf, type Choice, type Condition, type Operator, type Sort } from './query.ts';
import { isWithoutDays, withoutDays } from './views.ts';

/** Dispatched when the user has changed what to search for. */
export class ChoiceEvent extends Event {
  static readonly type = 'fieldbook-choice';

  constructor(readonly choice: Choice) {
    super(ChoiceEvent.type, { bubbles: true, composed: true });
  }
}

declare global {
  interface HTMLElementEventMap {
    [ChoiceEvent.type]: ChoiceEvent;
  }
}

/** The number of values that an input suggests. */
const maxSuggestions = 20;

/** `<fieldbook-query>`: the conditions and the order of a search. */
@customElement('fieldbook-query')
export class FieldbookQuery extends LitElement {
  @property({ attribute: false }) fields: readonly Field[] = [];
  @property({ attribute: false }) choice: Choice = { conditions: [], sort: null };
  /** Known records, whose values inputs suggest. */
  @property({ attribute: false }) rows: readonly Row[] = [];

  protected override render() {
    const { conditions } = this.choice;
    return html`<form @submit=${this.#handleSubmit}>
      <fieldset>
        <legend>Show records for which</legend>
        ${conditions.map((condition, index) =>
          isWithoutDays(condition) ? nothing : this.#renderCondition(condition, index),
        )}
        <div class="more">
          <button
            class="button small add"
            type="button"
            @click=${this.#handleAdd}
            ?disabled=${this.fields.length === 0}
          >
            Add a condition
          </button>
          ${this.#renderDays()}
        </div>
      </fieldset>
      ${this.#renderSort()}
      <button class="visually-hidden" tabindex="-1" aria-hidden="true">Search</button>
    </form>`;
  }

  #renderCondition(condition: Condition, index: number) {
    const { field: name, operator } = condition;
    const number = this.#numberOf(index);
    const field = this.#fieldOf(name);
    const offered = operatorsOf(field.type);
    const shown: readonly Operator[] = offered.includes(operator) ? offered : [operator, ...offered];
    return html`<div class="condition">
      <select
        class="field"
        aria-label="Field of condition ${number}"
        @change=${(event: Event) => {
          const picked = this.#fieldOf(valueOf(event));
          const keeps = operatorsOf(picked.type).includes(operator) && picked.type === field.type;
          this.#change(index, {
            field: picked.name,
            operator: keeps ? operator : (operatorsOf(picked.type)[0] ?? 'is'),
            value: '',
          });
        }}
      >
        ${this.#options(name)}
      </select>
      <select
        class="operator"
        aria-label="Operator of condition ${number}"
        @change=${(event: Event) => {
          // The options are operators.
          this.#change(index, { ...condition, operator: valueOf(event) as Operator });
        }}
      >
        ${shown.map(each => html`<option value=${each} ?selected=${each === operator}>${operators[each].label}</option>`)}
      </select>
      ${this.#renderValue(condition, index, field)}
      <button
        class="button plain remove"
        type="button"
        aria-label="Remove condition ${number}"
        @click=${() => this.#remove(index)}
      >
        ${closeIcon}
      </button>
    </div>`;
  }

  /** Counts the conditions as the user sees them. */
  #numberOf(index: number): number {
    return this.choice.conditions.slice(0, index + 1).filter(condition => !isWithoutDays(condition)).length;
  }

  /** Shows the condition without days as what it means for the user. */
  #renderDays() {
    const isWithout = this.choice.conditions.some(isWithoutDays);
    if (!isWithout && !this.fields.some(({ name }) => name === withoutDays.field)) return nothing;
    return html`<label class="days"
      ><input type="checkbox" .checked=${!isWithout} @change=${this.#handleDays} />Include daily figures, one
      record per day</label
    >`;
  }

  #renderValue(condition: Condition, index: number, field: Field) {
    const { operator, value } = condition;
    if (operators[operator].values === 'none') return html`<span class="value"></span>`;
    const label = `Value of condition ${this.#numberOf(index)}`;
    const handleChange = (event: Event) => this.#change(index, { ...condition, value: valueOf(event) });
    if (field.type === 'boolean') {
      return html`<select class="value" aria-label=${label} @change=${handleChange}>
        <option value="" ?selected=${value === ''}>Choose…</option>
        <option value="true" ?selected=${value === 'true'}>Yes</option>
        <option value="false" ?selected=${value === 'false'}>No</option>
      </select>`;
    }
    const unit = unitOf(field.name);
    return html`<span class="value">
      <input
        aria-label=${unit?.name === 'minutes' ? `${label} in minutes` : label}
        .value=${value}
        inputmode=${field.type === 'number' && operator !== 'isAnyOf' ? 'decimal' : 'text'}
        placeholder=${operator === 'isAnyOf' ? 'Values, separated by commas' : 'Value'}
        list="values-${index}"
        autocomplete="off"
        @change=${handleChange}
      />
      ${unit?.name === 'minutes' ? html`<span class="unit" aria-hidden="true">min</span>` : nothing}
      ${this.#suggestions(field, index)}
    </span>`;
  }

  #suggestions({ name, type }: Field, index: number) {
    const values = new Set(type === 'text' ? this.rows.map(row => row[name]) : []);
    const texts = [...values].filter(value => typeof value === 'string').slice(0, maxSuggestions);
    return html`<datalist id="values-${index}">
      ${texts.map(value => html`<option value=${value}></option>`)}
    </datalist>`;
  }

  #renderSort() {
    const { sort } = this.choice;
    const [ascending, descending] = this.#directionsOf(sort?.field);
    const sortable = this.fields.filter(({ type }) => type !== 'list' && type !== 'object');
    return html`<fieldset class="sort">
      <legend>Sort by</legend>
      <select
        aria-label="Sort by"
        @change=${(event: Event) => {
          const field = valueOf(event);
          this.#sort(field === '' ? null : { field, direction: sort?.direction ?? 'asc' });
        }}
      >
        <option value="" ?selected=${sort === null}>No particular order</option>
        ${this.#options(sort?.field ?? null, sortable)}
      </select>
      ${
        sort === null
          ? nothing
          : html`<select
              aria-label="Direction"
              @change=${(event: Event) => {
                this.#sort({ ...sort, direction: valueOf(event) === 'desc' ? 'desc' : 'asc' });
              }}
            >
              <option value="asc" ?selected=${sort.direction === 'asc'}>${ascending}</option>
              <option value="desc" ?selected=${sort.direction === 'desc'}>${descending}</option>
            </select>`
      }
    </fieldset>`;
  }

  #directionsOf(name: string | undefined): readonly [string, string] {
    const value = this.rows.map(row => row[name ?? '']).find(each => each !== null);
    if (typeof value !== 'string') return ['Lowest first', 'Highest first'];
    return /^\d{4}-\d{2}-\d{2}/.test(value) ? ['Oldest first', 'Newest first'] : ['A to Z', 'Z to A'];
  }

  #options(selected: string | null, fields: readonly Field[] = this.fields) {
    const isKnown = selected === null || fields.some(({ name }) => name === selected);
    const shown = isKnown ? fields : [this.#fieldOf(selected), ...fields];
    return shown.map(
      ({ name, label }) => html`<option value=${name} ?selected=${name === selected}>${label}</option>`,
    );
  }

  #fieldOf(name: string): Field {
    return this.fields.find(field => field.name === name) ?? { name, label: labelOf(name), type: 'text' };
  }

  #change(index: number, condition: Condition): void {
    this.#dispatch({ ...this.choice, conditions: this.choice.conditions.with(index, condition) });
  }

  readonly #handleAdd = (): void => {
    const used = new Set(this.choice.conditions.map(({ field }) => field));
    const free = this.fields.find(({ name, type }) => type === 'text' && !used.has(name)) ?? this.fields[0];
    if (free === undefined) return;
    const operator = operatorsOf(free.type)[0] ?? 'is';
    this.#dispatch({
      ...this.choice,
      conditions: [...this.choice.conditions, { field: free.name, operator, value: '' }],
    });
    void this.#focus('.condition:last-of-type .field');
  };

  readonly #handleDays = (event: Event): void => {
    const { conditions } = this.choice;
    const others = conditions.filter(condition => !isWithoutDays(condition));
    const hasDays = (event.currentTarget as HTMLInputElement).checked;
    this.#dispatch({ ...this.choice, conditions: hasDays ? others : [withoutDays, ...others] });
  };

  #remove(index: number): void {
    this.#dispatch({ ...this.choice, conditions: this.choice.conditions.toSpliced(index, 1) });
    void this.#focus('.add');
  }

  async #focus(selector: string): Promise<void> {
    // The parent sets the new choice in its own update.
    await new Promise(requestAnimationFrame);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }

  #sort(sort: Sort | null): void {
    this.#dispatch({ ...this.choice, sort });
  }

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    this.#dispatch({ ...this.choice });
  };

  #dispatch(choice: Choice): void {
    this.dispatchEvent(new ChoiceEvent(choice));
  }

  static override styles = [
    sheet,
    css`
      :host {
        display: block;
        container-type: inline-size;
      }
      form {
        display: grid;
        grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
        align-items: start;
        gap: 0.9rem 2rem;
      }
      .more {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.45rem 1rem;
      }
      .days {
        display: flex;
        align-items: center;
        gap: 0.45rem;
        font-weight: 400;
        color: var(--ink);
      }
      fieldset {
        border: 0;
        margin: 0;
        padding: 0;
        min-inline-size: 0;
        display: grid;
        gap: 0.45rem;
        justify-items: start;
      }
      legend {
        padding: 0;
        margin-block-end: 0.4rem;
        font-size: 0.8125rem;
        font-weight: 550;
        color: var(--quiet);
      }
      .condition {
        display: grid;
        grid-template-columns: minmax(0, 1.2fr) minmax(0, 1fr) minmax(0, 1.2fr) auto;
        gap: 0.4rem;
        align-items: center;
        inline-size: 100%;
      }
      .value {
        position: relative;
        display: block;
        min-inline-size: 0;
      }
      .value input,
      select {
        inline-size: 100%;
      }
      .unit {
        position: absolute;
        inset-inline-end: 0.6rem;
        inset-block-start: 50%;
        translate: 0 -50%;
        color: var(--quiet);
        font-size: 0.8125rem;
      }
      .remove {
        padding-inline: 0.4rem;
      }
      .sort {
        grid-template-columns: minmax(0, 1.2fr) minmax(0, 1fr);
        max-inline-size: 24rem;
      }
      @container (max-width: 38rem) {
        form {
          grid-template-columns: minmax(0, 1fr);
        }
      }
      @container (max-width: 26rem) {
        .condition {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto;
          padding-block-end: 0.5rem;
          border-block-end: 1px solid var(--line);
        }
        .value {
          grid-column: 1 / 3;
          grid-row: 2;
        }
        span.value:empty {
          display: none;
        }
        .remove {
          grid-column: 3;
          grid-row: 1;
        }
      }
    `,
  ];
}

function valueOf({ target }: Event): string {
  return (target as HTMLInputElement | HTMLSelectElement).value;
}
