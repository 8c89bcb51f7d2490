import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { connectorNameFor } from '../flow/connector-name.ts';
import type { Entry, StateOf } from '../flow/flow.ts';
import { fieldsOf, leavesOf, type Field, type SingleField } from '../form/fields.ts';
import { collectValues, faultOf, initialValue } from '../form/values.ts';
import { faultWords } from '../messages/fault-words.ts';
import { consentPanel } from '../parts/consent-panel.ts';
import { controlId, formField } from '../parts/form-field.ts';
import { glyph } from '../parts/glyphs.ts';
import { failureNotice } from '../parts/notice.ts';
import { question } from '../parts/question.ts';
import { backButton, screenHead } from '../parts/screen-head.ts';
import { IconFaults, sourceIcon } from '../parts/source-icon.ts';
import { httpAddress } from '../service/http-address.ts';
import { Screen } from './screen.ts';

type FormState = StateOf<'filling' | 'consenting' | 'submitting' | 'replacing'>;

/**
 * The credential form, made from the method's JSON Schema, and what follows it: waiting for a consent, the question
 * whether another account is meant. What was typed stays in this element, so it survives a refusal, an outage and a
 * renewed session, and goes with the element when the person leaves.
 */
export class FormScreen extends Screen {
  declare state: FormState;

  static override properties: PropertyDeclarations = { faults: { state: true }, revealed: { state: true } };

  readonly #icons = new IconFaults(this);
  readonly #typed = new Map<string, string | boolean>();
  #fields: readonly Field[] = [];
  /** Settings that few people need. */
  #advanced: readonly Field[] = [];
  /** What is wrong, by path. */
  declare private faults: ReadonlyMap<string, string>;
  declare private revealed: ReadonlySet<string>;

  constructor() {
    super();
    this.faults = new Map();
    this.revealed = new Set();
  }

  override focusTarget(): HTMLElement | null {
    const { name } = this.state;
    if (name === 'submitting') return null;
    if (name === 'consenting')
      return this.querySelector<HTMLElement>('a.primary') ?? this.querySelector('.back');
    return (
      this.querySelector<HTMLElement>('[aria-invalid="true"], .notice') ??
      this.querySelector(':is(form > .field, fieldset) :is(input, select, textarea), .button')
    );
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('state');
    if (changed.has('messages')) {
      this.#fields = this.#fields.map(field =>
        field.path === 'name' ? { ...field, ...this.#nameWords() } : field,
      );
    }
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
    const { definition, method, target } = state;
    const isConsent = method.type === 'oauth';
    const isBusy = state.name === 'submitting';
    if (state.name === 'consenting' || (isBusy && isConsent)) {
      return html`${backButton(messages.cancel, this.handleBack)}${consentPanel(state, messages)}`;
    }
    const head = html`${backButton(isBusy ? messages.cancel : messages.back, this.handleBack)}
    ${screenHead({
      title: target?.name ?? messages.formTitle(definition.name),
      lead: method.description ?? definition.description,
      icon: sourceIcon(definition, this.#icons, 'large'),
    })}`;
    if (state.name === 'replacing') {
      return html`${head}
      ${question(
        {
          title: messages.replaceTitle(definition.name),
          hint: messages.replaceHint,
          no: messages.cancel,
          yes: messages.replace,
          failure: null,
          isBusy: false,
          onNo: this.handleBack,
          onYes: this.#handleReplace,
        },
        messages,
      )}`;
    }
    const start = state.name === 'filling' && state.secretId !== null ? messages.retry : method.title;
    return html`
      ${head}
      <form novalidate part="form" @submit=${this.#handleSubmit}>
        ${this.#renderFailure()} ${this.#fields.map(field => this.#renderField(field))}
        ${this.#renderAdvanced()}
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
            ${
              isBusy
                ? html`<span class="spinner"></span>${messages.connecting}`
                : isConsent
                  ? start
                  : messages.connect
            }
          </button>
        </div>
        <p class="trust" part="trust">${glyph('lock')}<span>${messages.trust}</span></p>
      </form>
    `;
  }

  #startForm({ catalog, definition, method, target }: FormState): void {
    this.#typed.clear();
    this.revealed = new Set();
    const isNew = target === null;
    const isAnother =
      isNew && catalog.connectors.some(entry => entry.definition_id === definition.sourceDefinitionId);
    this.#fields = [
      ...(isAnother ? [this.#nameField(connectorNameFor(definition, catalog.connectors))] : []),
      ...fieldsOf(method.schema, 'credentials'),
    ];
    const { replication_schema: settings } = definition;
    this.#advanced = isNew && settings !== null ? fieldsOf(settings, 'replication_config') : [];
  }

  #nameField(initial: string): Field {
    return {
      path: 'name',
      kind: 'text',
      ...this.#nameWords(),
      required: true,
      initial,
      placeholder: '',
      pattern: null,
      minLength: 1,
      maxLength: 200,
    };
  }

  #nameWords(): { label: string; description: string } {
    const { nameLabel: label, nameHint: description } = this.messages;
    return { label, description };
  }

  /** A failure that no field shows. */
  #renderFailure(): TemplateResult | typeof nothing {
    const { messages, state } = this;
    if (state.name !== 'filling' || this.#firstFault() !== undefined) return nothing;
    return failureNotice(state.failure, messages);
  }

  #renderAdvanced(): TemplateResult | typeof nothing {
    if (this.#advanced.length === 0) return nothing;
    const isWrong = leavesOf(this.#advanced).some(({ path }) => this.faults.has(path));
    return html`<details part="advanced" ?open=${isWrong}>
      <summary part="heading">${this.messages.advanced}</summary>
      ${this.#advanced.map(field => this.#renderField(field))}
    </details>`;
  }

  #renderField(field: Field): TemplateResult | typeof nothing {
    if (field.kind === 'fixed') return nothing;
    if (field.kind === 'group') {
      return html`<fieldset part="group">
        <legend part="heading" dir="auto">${field.label}</legend>
        ${field.description === '' ? nothing : html`<p class="hint" part="hint" dir="auto">${field.description}</p>`}
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

  #leaves(): ReturnType<typeof leavesOf> {
    return leavesOf([...this.#fields, ...this.#advanced]);
  }

  #firstFault(): { readonly path: string } | undefined {
    return this.#leaves().find(({ path }) => this.faults.has(path));
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
    const fields = this.#leaves();
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
    const isConsent = this.state.method.type === 'oauth';
    // The fields' paths are `name`, `credentials.…` and `replication_config.…`: what is collected from them is an entry.
    const entry = {
      ...(isConsent ? {} : { credentials: {} }),
      ...collectValues(fields, this.#typed),
    } as Entry;
    this.send({ type: 'submit', entry });
  };

  readonly #handleReplace = (): void => {
    this.send({ type: 'confirm' });
  };

  async #showFaults(count: number): Promise<void> {
    this.announce(this.messages.faultsFound(count));
    await this.updateComplete;
    const first = this.#firstFault();
    if (first !== undefined) this.querySelector<HTMLElement>(`#${CSS.escape(controlId(first))}`)?.focus();
  }
}
