import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Form, FormValues } from './form.ts';
import { icons } from './icons.ts';

interface FieldOptions {
  readonly label: string;
  readonly hint?: string | TemplateResult;
  readonly required?: boolean;
}

export interface TextFieldOptions extends FieldOptions {
  readonly type?: 'text' | 'password' | 'url' | 'number' | 'datetime-local' | 'date';
  readonly placeholder?: string;
  readonly autocomplete?: AutoFill;
  readonly maxLength?: number;
  readonly isMultiline?: boolean;
  /** Renders the value in a monospaced font. */
  readonly isCode?: boolean;
}

/** The value of a text field in a form. The name is also the path in the API's issues. */
type TextName<Values extends FormValues> = {
  [Name in keyof Values]: Values[Name] extends string ? Name : never;
}[keyof Values] &
  string;

/** Renders a labelled text field. Its hint and error are linked to it for assistive technology. */
export function textField<Values extends FormValues>(
  form: Form<Values>,
  name: TextName<Values>,
  options: TextFieldOptions,
): TemplateResult {
  const { label, type = 'text', required = false, autocomplete = 'off', isMultiline, isCode } = options;
  form.declare(name, required ? `Enter ${article(label)}` : null, type === 'number');
  const issue = form.issueOf(name);
  const isRevealed = form.revealed.has(name);
  const handleInput = ({ target }: Event) => {
    // The handler is bound only to the controls below.
    form.set(name, (target as HTMLInputElement).value as Values[typeof name]);
  };
  const toggle = () => {
    if (!form.revealed.delete(name)) form.revealed.add(name);
    form.set(name, form.values[name]);
  };
  const control = isMultiline
    ? html`<textarea
        id=${idOf(name)}
        rows="4"
        class=${isCode ? 'code' : ''}
        spellcheck="false"
        autocomplete="off"
        placeholder=${options.placeholder ?? nothing}
        aria-invalid=${issue !== null}
        aria-describedby=${describedBy(name, issue, options.hint)}
        .value=${live(String(form.values[name]))}
        @input=${handleInput}
      ></textarea>`
    : html`<input
        id=${idOf(name)}
        name=${name}
        class=${isCode ? 'code' : ''}
        type=${type === 'password' && isRevealed ? 'text' : type === 'number' ? 'text' : type}
        inputmode=${type === 'number' ? 'numeric' : nothing}
        spellcheck="false"
        autocapitalize="off"
        autocomplete=${autocomplete}
        placeholder=${options.placeholder ?? nothing}
        maxlength=${options.maxLength ?? nothing}
        aria-required=${required}
        aria-invalid=${issue !== null}
        aria-describedby=${describedBy(name, issue, options.hint)}
        .value=${live(String(form.values[name]))}
        @input=${handleInput}
      />`;
  return field(
    name,
    options,
    issue,
    type === 'password'
      ? html`<div class="secret">
          ${control}
          <button
            type="button"
            class="tool"
            aria-pressed=${isRevealed}
            aria-label="Show ${label}"
            @click=${toggle}
          >
            ${icons.show}
          </button>
        </div>`
      : control,
  );
}

/** Renders a labelled choice of one value. */
export function selectField<Values extends FormValues>(
  form: Form<Values>,
  name: TextName<Values>,
  options: FieldOptions & { readonly choices: readonly (readonly [value: string, label: string])[] },
): TemplateResult {
  form.declare(name, options.required ? `Choose ${article(options.label)}` : null);
  const issue = form.issueOf(name);
  const value = String(form.values[name]);
  return field(
    name,
    options,
    issue,
    html`<select
      id=${idOf(name)}
      name=${name}
      aria-invalid=${issue !== null}
      aria-describedby=${describedBy(name, issue, options.hint)}
      @change=${({ target }: Event) =>
        // The handler is bound only to this control.
        form.set(name, (target as HTMLSelectElement).value as Values[typeof name])}
    >
      ${options.choices.map(
        ([choice, label]) => html`<option value=${choice} ?selected=${choice === value}>${label}</option>`,
      )}
    </select>`,
  );
}

/** Renders checkboxes for a list of values. */
export function checkboxGroup<Values extends FormValues>(
  form: Form<Values>,
  name: {
    [Name in keyof Values]: Values[Name] extends readonly string[] ? Name : never;
  }[keyof Values] &
    string,
  options: FieldOptions & { readonly choices: readonly (readonly [value: string, label: string])[] },
): TemplateResult {
  form.declare(name, options.required ? `Choose at least one: ${options.label.toLowerCase()}` : null);
  const issue = form.issueOf(name);
  // The name is limited to fields with a list of values.
  const values = form.values[name] as readonly string[];
  return html`<fieldset class="field" aria-describedby=${describedBy(name, issue, options.hint)}>
    <legend class="label">${options.label}</legend>
    <div class="checks">
      ${options.choices.map(
        ([choice, label], index) =>
          html`<label class="check"
            ><input
              type="checkbox"
              id=${index === 0 ? idOf(name) : nothing}
              aria-invalid=${issue !== null}
              .checked=${live(values.includes(choice))}
              @change=${({ target }: Event) => {
                const { checked } = target as HTMLInputElement;
                const next = checked ? [...values, choice] : values.filter(value => value !== choice);
                form.set(name, next as unknown as Values[typeof name]);
              }}
            /><span>${label}</span></label
          >`,
      )}
    </div>
    ${notes(name, issue, options.hint)}
  </fieldset>`;
}

/** Renders a checkbox. */
export function checkboxField<Values extends FormValues>(
  form: Form<Values>,
  name: {
    [Name in keyof Values]: Values[Name] extends boolean ? Name : never;
  }[keyof Values] &
    string,
  options: FieldOptions,
): TemplateResult {
  form.declare(name, null);
  const issue = form.issueOf(name);
  return html`<div class="field">
    <label class="check"
      ><input
        type="checkbox"
        id=${idOf(name)}
        aria-invalid=${issue !== null}
        aria-describedby=${describedBy(name, issue, options.hint)}
        .checked=${live(form.values[name] === true)}
        @change=${({ target }: Event) =>
          // The handler is bound only to this control.
          form.set(name, (target as HTMLInputElement).checked as Values[typeof name])}
      /><span>${options.label}</span></label
    >
    ${notes(name, issue, options.hint)}
  </div>`;
}

/** Renders the button that sends a form. While the form is being sent, it stays focusable. */
export function submitButton(
  form: { readonly isBusy: boolean },
  label: string,
  { kind = 'primary', isEnabled = true }: { readonly kind?: string; readonly isEnabled?: boolean } = {},
): TemplateResult {
  return html`<button
    type="submit"
    class="button ${kind}"
    aria-disabled=${form.isBusy || !isEnabled}
    aria-busy=${form.isBusy}
  >
    ${form.isBusy ? html`<span class="spinner"></span>` : nothing}${label}
  </button>`;
}

function field(
  name: string,
  { label, hint, required }: FieldOptions,
  issue: string | null,
  control: TemplateResult,
): TemplateResult {
  return html`<div class="field">
    <div class="label">
      <label for=${idOf(name)}>${label}</label>
      ${required ? nothing : html`<span class="optional">Optional</span>`}
    </div>
    ${control} ${notes(name, issue, hint)}
  </div>`;
}

function notes(
  name: string,
  issue: string | null,
  hint: string | TemplateResult | undefined,
): TemplateResult {
  return html`${
    issue === null
      ? nothing
      : html`<p class="field-error" id="${idOf(name)}-error">${icons.alert}<span>${issue}</span></p>`
  }${hint ? html`<p class="hint" id="${idOf(name)}-hint">${hint}</p>` : nothing}`;
}

function idOf(name: string): string {
  return `field-${name}`;
}

function describedBy(name: string, issue: string | null, hint: unknown): string | typeof nothing {
  const ids = [issue === null ? '' : `${idOf(name)}-error`, hint ? `${idOf(name)}-hint` : ''];
  return ids.filter(Boolean).join(' ') || nothing;
}

function article(label: string): string {
  const noun = /^[A-Z][a-z]/.test(label) ? label[0]?.toLowerCase() + label.slice(1) : label;
  return `${/^(a|e|i|o)/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
