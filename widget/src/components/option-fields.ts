import { html, nothing } from 'lit';
import { announceInvalid, FormFields } from './form-fields.ts';

/** A disclosure with optional fields. It opens if one of them is invalid. */
export class OptionFields extends FormFields {
  #isOpen = false;

  /** Returns the values in the shape of a request, or null after focusing the first invalid field. */
  collect(): Readonly<Record<string, unknown>> | null {
    const count = this.validate();
    if (!count) return this.values();
    void announceInvalid(count, this.context);
    return null;
  }

  override render(isReadonly: boolean): unknown {
    if (this.isEmpty) return nothing;
    return html`<details
      part="advanced"
      ?open=${this.#isOpen || this.hasErrors}
      @toggle=${({ target }: Event) => {
        // Bound to the disclosure only.
        this.#isOpen = (target as HTMLDetailsElement).open;
      }}
    >
      <summary part="heading">${this.context.messages.options}</summary>
      ${super.render(isReadonly)}
    </details>`;
  }
}
