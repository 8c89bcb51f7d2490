import type { Reference } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Call } from '../api/call.ts';
import type { Form, FormValues, Value } from './form.ts';
import { icons } from './icons.ts';

type Choices = readonly (readonly [value: string, label: string])[];

interface FieldBase {
  readonly label: string;
  readonly hint?: string | TemplateResult | undefined;
  readonly required?: boolean;
}

/** A field that is typed. A field of `lines` has one value per line. */
interface TextField extends FieldBase {
  readonly type?: 'text' | 'password' | 'url' | 'number' | 'lines';
  readonly placeholder?: string;
  readonly autocomplete?: AutoFill;
  readonly maxLength?: number;
  /** Renders the value in a monospaced font. */
  readonly isCode?: boolean;
}

/** What a field asks for. */
export type Field =
  | TextField
  | (FieldBase & { readonly type: 'select'; readonly choices: Choices })
  | (FieldBase & { readonly type: 'check' })
  /** All choices, which is null, or a list of some. */
  | (FieldBase & {
      readonly type: 'subset';
      readonly all: string;
      readonly some: string;
      /** Names the list. */
      readonly listLabel: string;
      readonly choices: Choices;
    })
  /** The ids of organizations. `known` are those whose names are known. */
  | (FieldBase & {
      readonly type: 'organizations';
      readonly host: { readonly app: { readonly call: Call } };
      readonly known: readonly Reference[];
    });

export type Fields = Readonly<Record<string, Field>>;

/** What the control of a field is bound to. */
interface Binding {
  readonly id: string;
  readonly name: string;
  readonly value: Value | undefined;
  readonly isInvalid: boolean;
  readonly describedBy: string | typeof nothing;
  readonly set: (value: Value) => void;
}

/** Renders labelled fields, whose names are also the paths in the API's issues. */
export function renderFields(form: Form<FormValues>, fields: Fields): readonly TemplateResult[] {
  return Object.entries(fields).map(([name, field]) => renderField(form, name, field));
}

/** Renders a labelled field. Its hint and error are linked to it for assistive technology. */
function renderField(form: Form<FormValues>, name: string, field: Field): TemplateResult {
  const { label, hint, required } = field;
  const id = `field-${name}`;
  form.declare(name, required ? missingWords(field) : null, field.type === 'number');
  const issue = form.issueOf(name);
  const notes = html`${
    issue === null
      ? nothing
      : html`<p class="field-error" id="${id}-error">${icons.alert}<span>${issue}</span></p>`
  }${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : nothing}`;
  const describedBy = [issue === null ? '' : `${id}-error`, hint ? `${id}-hint` : '']
    .filter(Boolean)
    .join(' ');
  const binding: Binding = {
    id,
    name,
    value: form.values[name],
    isInvalid: issue !== null,
    describedBy: describedBy || nothing,
    set: value => form.set(name, value),
  };
  switch (field.type) {
    case 'check':
      return html`<div class="field">${checkbox(binding, label)} ${notes}</div>`;
    case 'organizations':
      return html`<fieldset class="field" aria-describedby=${binding.describedBy}>
        <legend class="label">${label}</legend>
        <console-organization-picker
          .call=${field.host.app.call}
          .known=${field.known}
          .selected=${binding.value}
          .isInvalid=${binding.isInvalid}
          .onChange=${binding.set}
        ></console-organization-picker>
        ${notes}
      </fieldset>`;
    case 'subset':
      return html`${labelled(id, { label, required: true }, subsetSelect(binding, field), notes)}
      ${Array.isArray(binding.value) ? subset(binding, field, binding.value) : nothing}`;
    case 'select':
      return labelled(id, field, select(binding, field.choices), notes);
    case 'lines':
      return labelled(id, field, textArea(binding, field), notes);
    case 'password':
      return labelled(id, field, password(form, binding, field), notes);
    default:
      return labelled(id, field, textInput(binding, field), notes);
  }
}

function labelled(
  id: string,
  { label, required }: FieldBase,
  control: TemplateResult,
  notes: TemplateResult,
): TemplateResult {
  return html`<div class="field">
    <div class="label">
      <label for=${id}>${label}</label>
      ${required ? nothing : html`<span class="optional">Optional</span>`}
    </div>
    ${control} ${notes}
  </div>`;
}

function textInput(
  { id, name, value, isInvalid, describedBy, set }: Binding,
  { type = 'text', required = false, autocomplete = 'off', isCode, placeholder, maxLength }: TextField,
): TemplateResult {
  return html`<input
    id=${id}
    name=${name}
    class=${isCode ? 'code' : ''}
    type=${type === 'number' ? 'text' : type}
    inputmode=${type === 'number' ? 'numeric' : nothing}
    spellcheck="false"
    autocapitalize="off"
    autocomplete=${autocomplete}
    placeholder=${placeholder ?? nothing}
    maxlength=${maxLength ?? nothing}
    aria-required=${required}
    aria-invalid=${isInvalid}
    aria-describedby=${describedBy}
    .value=${live(String(value))}
    @input=${(event: Event) => set(valueOf(event))}
  />`;
}

function textArea(
  { id, value, isInvalid, describedBy, set }: Binding,
  { isCode, placeholder }: TextField,
): TemplateResult {
  return html`<textarea
    id=${id}
    rows="4"
    class=${isCode ? 'code' : ''}
    spellcheck="false"
    autocomplete="off"
    placeholder=${placeholder ?? nothing}
    aria-invalid=${isInvalid}
    aria-describedby=${describedBy}
    .value=${live(String(value))}
    @input=${(event: Event) => set(valueOf(event))}
  ></textarea>`;
}

/** Renders a secret with a button that shows it. */
function password(form: Form<FormValues>, binding: Binding, field: TextField): TemplateResult {
  const isRevealed = form.revealed.has(binding.name);
  const toggle = () => {
    if (!form.revealed.delete(binding.name)) form.revealed.add(binding.name);
    binding.set(binding.value ?? '');
  };
  return html`<div class="secret">
    ${textInput(binding, { ...field, type: isRevealed ? 'text' : 'password' })}
    <button
      type="button"
      class="tool"
      aria-pressed=${isRevealed}
      aria-label="Show ${field.label}"
      @click=${toggle}
    >
      ${icons.show}
    </button>
  </div>`;
}

function select({ id, name, value, isInvalid, describedBy, set }: Binding, choices: Choices): TemplateResult {
  return html`<select
    id=${id}
    name=${name}
    aria-invalid=${isInvalid}
    aria-describedby=${describedBy}
    @change=${(event: Event) => set(valueOf(event))}
  >
    ${choices.map(
      ([choice, label]) => html`<option value=${choice} ?selected=${choice === value}>${label}</option>`,
    )}
  </select>`;
}

type SubsetField = Extract<Field, { type: 'subset' }>;

function subsetSelect(binding: Binding, { all, some }: SubsetField): TemplateResult {
  return select(
    {
      ...binding,
      value: binding.value === null ? 'all' : 'some',
      set: value => binding.set(value === 'all' ? null : []),
    },
    [
      ['all', all],
      ['some', some],
    ],
  );
}

function subset(
  binding: Binding,
  { listLabel, choices }: SubsetField,
  chosen: readonly string[],
): TemplateResult {
  return html`<fieldset class="field">
    <legend class="label">${listLabel}</legend>
    <div class="checks">
      ${choices.map(([choice, label]) =>
        checkbox(
          {
            ...binding,
            id: `${binding.id}-${choice}`,
            value: chosen.includes(choice),
            set: isChecked =>
              binding.set(isChecked ? [...chosen, choice] : chosen.filter(value => value !== choice)),
          },
          label,
        ),
      )}
    </div>
  </fieldset>`;
}

function checkbox({ id, value, isInvalid, describedBy, set }: Binding, label: string): TemplateResult {
  return html`<label class="check"
    ><input
      type="checkbox"
      id=${id}
      aria-invalid=${isInvalid}
      aria-describedby=${describedBy}
      .checked=${live(value === true)}
      @change=${({ target }: Event) =>
        // The handler is bound only to this control.
        set((target as HTMLInputElement).checked)}
    /><span>${label}</span></label
  >`;
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

function valueOf({ target }: Event): string {
  // The handlers are bound only to fields with a text value.
  return (target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;
}

function missingWords({ type, label }: Field): string {
  const noun = /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
  if (type === 'organizations') return 'Choose at least one organization';
  return `${type === 'select' ? 'Choose' : 'Enter'} ${/^(a|e|i|o)/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
