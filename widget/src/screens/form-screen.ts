import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { connectorNameFor } from '../flow/connector-name.ts';
import type { Entry, StateOf } from '../flow/flow.ts';
import { fieldsOf, leavesOf, type Field, type SingleField } from '../form/fields.ts';
import { collectValues, faultOf, initialValue } from '../form/values.ts';
import { failureWords } from '../messages/failure-words.ts';
import { faultWords } from '../messages/fault-words.ts';
import { controlId, formField } from '../parts/form-field.ts';
import { glyph } from '../parts/glyphs.ts';
import { failureNotice } from '../parts/notice.ts';
import { backButton, screenHead } from '../parts/screen-head.ts';
import { IconFaults, sourceIcon } from '../parts/source-icon.ts';
import { httpAddress } from '../service/http-address.ts';
import { Screen } from './screen.ts';

type FormState = StateOf<'filling' | 'submitting'>;

/**
 * The credential form, made from the method's JSON Schema. What was typed stays in this element, so it survives a
 * refusal, an outage and a renewed session, and goes with the element when the person leaves.
 */
export class FormScreen extends Screen {
  declare state: FormState;

  static override properties: PropertyDeclarations = { faults: { state: true }, revealed: { state: true } };

  readonly #icons = new IconFaults(this);
  readonly #typed = new Map<string, string | boolean>();
  #fields: readonly Field[] = [];
  /** What is wrong, by path. */
  declare private faults: ReadonlyMap<string, string>;
  declare private revealed: ReadonlySet<string>;

  constructor() {
    super();
    this.faults = new Map();
    this.revealed = new Set();
  }

  override focusTarget(): HTMLElement | null {
    if (this.state.name === 'submitting') return null;
    return (
      this.querySelector<HTMLElement>('[aria-invalid="true"], .notice') ??
      this.querySelector('input, select, textarea, .button')
    );
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('state');
    if (!changed.has('state')) return;
    const { state } = this;
    if (before?.method !== state.method) this.#startForm(state);
    this.faults =
      state.name === 'filling' && state.failure !== null
        ? new Map(state.failure.faults.map(({ path, message }) => [path, message]))
        : new Map();
  }

  protected override render(): TemplateResult {
    const { messages, state } = this;
    const { definition, method } = state;
    const isBusy = state.name === 'submitting';
    return html`
      ${backButton(isBusy ? messages.cancel : messages.back, this.handleBack)}
      ${screenHead({
        title: messages.formTitle(definition.name),
        lead: method.description ?? definition.description,
        icon: sourceIcon(definition, this.#icons, 'large'),
      })}
      <form novalidate part="form" @submit=${this.#handleSubmit}>
        ${this.#renderFailure()} ${this.#fields.map(field => this.#renderField(field))}
        ${
          method.help_url !== null && httpAddress(method.help_url) !== null
            ? html`<p>
                <a
                  class="link"
                  part="help-link"
                  href=${method.help_url}
                  target="_blank"
                  rel="noopener noreferrer"
                  >${messages.helpLink}${glyph('leave')}<span class="hidden">
                    (${messages.opensInNewTab})</span
                  ></a
                >
              </p>`
            : nothing
        }
        <div class="actions">
          <button class="button primary" part="primary-button" aria-disabled=${isBusy}>
            ${isBusy ? html`<span class="spinner"></span>${messages.connecting}` : messages.connect}
          </button>
        </div>
        <p class="trust" part="trust">${glyph('lock')}<span>${messages.trust}</span></p>
      </form>
    `;
  }

  #startForm({ catalog, definition, method }: FormState): void {
    this.#typed.clear();
    this.revealed = new Set();
    const isAnother = catalog.connectors.some(entry => entry.definition_id === definition.sourceDefinitionId);
    this.#fields = [
      ...(isAnother ? [this.#nameField(connectorNameFor(definition, catalog.connectors))] : []),
      ...fieldsOf(method.schema, 'credentials'),
    ];
  }

  #nameField(initial: string): Field {
    return {
      path: 'name',
      kind: 'text',
      label: this.messages.nameLabel,
      description: this.messages.nameHint,
      required: true,
      initial,
      placeholder: '',
      pattern: null,
      minLength: 1,
      maxLength: 200,
    };
  }

  /** A failure that no field shows. */
  #renderFailure(): TemplateResult | typeof nothing {
    const { messages, state } = this;
    if (state.name !== 'filling' || state.failure === null || this.#firstFault() !== undefined)
      return nothing;
    const { failure } = state;
    return failureNotice(
      failureWords(failure, messages),
      failure.requestId && messages.reference(failure.requestId),
    );
  }

  #renderField(field: Field): TemplateResult | typeof nothing {
    if (field.kind === 'fixed') return nothing;
    if (field.kind === 'group') {
      return html`<fieldset part="group">
        <legend>${field.label}</legend>
        ${field.description === '' ? nothing : html`<p class="hint">${field.description}</p>`}
        ${field.fields.map(inner => this.#renderField(inner))}
      </fieldset>`;
    }
    return formField(field, {
      value: this.#valueOf(field),
      fault: this.faults.get(field.path),
      isRevealed: this.revealed.has(field.path),
      isReadonly: this.state.name === 'submitting',
      messages: this.messages,
      onInput: this.#handleInput,
      onReveal: this.#handleReveal,
    });
  }

  #valueOf(field: SingleField): string | boolean {
    return this.#typed.get(field.path) ?? initialValue(field);
  }

  #firstFault(): { readonly path: string } | undefined {
    return leavesOf(this.#fields).find(({ path }) => this.faults.has(path));
  }

  readonly #handleInput = (path: string, value: string | boolean): void => {
    this.#typed.set(path, value);
    if (!this.faults.has(path)) return;
    this.faults = new Map([...this.faults].filter(([at]) => at !== path));
  };

  readonly #handleReveal = (path: string): void => {
    const revealed = new Set(this.revealed);
    if (!revealed.delete(path)) revealed.add(path);
    this.revealed = revealed;
  };

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (this.state.name === 'submitting') return;
    const fields = leavesOf(this.#fields);
    const faults = new Map<string, string>();
    for (const field of fields) {
      if (field.kind === 'fixed') continue;
      const fault = faultOf(field, this.#valueOf(field));
      if (fault !== null) faults.set(field.path, faultWords(fault, field.label, this.messages));
    }
    this.faults = faults;
    if (faults.size > 0) {
      void this.#showFaults(faults.size);
      return;
    }
    // The fields' paths are `name` and `credentials.…`: what is collected from them is an entry.
    const entry = { credentials: {}, ...collectValues(fields, this.#typed) } as Entry;
    this.send({ type: 'submit', entry });
  };

  async #showFaults(count: number): Promise<void> {
    this.announce(this.messages.faultsFound(count));
    await this.updateComplete;
    const first = this.#firstFault();
    if (first !== undefined) this.querySelector<HTMLElement>(`#${CSS.escape(controlId(first))}`)?.focus();
  }
}
