import { html, nothing, type TemplateResult } from 'lit';
import type { Field } from '../form/fields.ts';
import type { Failure } from '../service/failure.ts';
import type { ComponentContext } from './component-context.ts';
import { announceInvalid, FormFields } from './form-fields.ts';

/** A disclosure with optional fields. It opens if one of them is invalid. */
export class OptionFields {
  readonly #fields: FormFields;
  #isOpen = false;

  constructor(
    fields: readonly Field[],
    private readonly context: ComponentContext,
  ) {
    this.#fields = new FormFields(fields, context);
  }

  /** Replaces the fields by the same ones in another language. What the user has entered stays. */
  reword(fields: readonly Field[]): void {
    this.#fields.reword(fields);
  }

  /** Whether the user has entered anything. */
  get isChanged(): boolean {
    return this.#fields.isChanged;
  }

  /** Whether a field is invalid. */
  get hasIssues(): boolean {
    return this.#fields.hasErrors;
  }

  /** Shows the service's messages for these fields. Returns whether there are any. */
  showIssues(failure: Failure | null): boolean {
    return this.#fields.showIssues(failure);
  }

  /** Validates the input. Returns the number of invalid fields, which then show their errors. */
  validate(): number {
    return this.#fields.validate();
  }

  /** Returns the values in the shape of a request. */
  values(): Readonly<Record<string, unknown>> {
    return this.#fields.values();
  }

  /** Returns the values in the shape of a request, or null after focusing the first invalid field. */
  collect(): Readonly<Record<string, unknown>> | null {
    const count = this.validate();
    if (!count) return this.values();
    void announceInvalid(count, this.context);
    return null;
  }

  render(isReadonly: boolean): TemplateResult | typeof nothing {
    if (this.#fields.isEmpty) return nothing;
    return html`<details
      part="advanced"
      ?open=${this.#isOpen || this.#fields.hasErrors}
      @toggle=${({ target }: Event) => {
        // Bound to the disclosure only.
        this.#isOpen = (target as HTMLDetailsElement).open;
      }}
    >
      <summary part="heading">${this.context.messages.options}</summary>
      ${this.#fields.render(isReadonly)}
    </details>`;
  }
}
