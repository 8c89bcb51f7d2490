import { html, nothing, type TemplateResult } from 'lit';
import type { SingleField } from '../form/fields.ts';
import type { Messages } from '../messages/messages.ts';
import { sentence } from '../messages/sentence.ts';
import { icons } from './icons.ts';
import { stepIcons } from './step-icons.ts';
import { unbroken } from './unbroken.ts';

export interface ControlOptions {
  readonly value: string | boolean;
  /** The reason why the value is invalid. */
  readonly error: string | undefined;
  readonly isRevealed: boolean;
  readonly isReadonly: boolean;
  readonly messages: Messages;
  readonly onInput: (value: string | boolean) => void;
  readonly onReveal: () => void;
}

/** Returns the element id of a field's control. */
function controlId({ path }: { readonly path: string }): string {
  return `field-${path}`;
}

/** Renders a labelled control. Its hint and its error are linked to it for assistive technology. */
export function formField(field: SingleField, options: ControlOptions): TemplateResult {
  const { kind, label, description, required } = field;
  const { error, messages } = options;
  const id = controlId(field);
  // The hint describes what was entered, which was rejected for another reason.
  const isDescribed = error && 'placeholder' in field && startsAlike(field.placeholder, options.value);
  const hint =
    description && !isDescribed
      ? html`<span class="hint" part="hint" dir="auto" id="${id}-hint">${unbroken(description)}</span>`
      : nothing;
  const problem = hint === nothing ? error : error && sentence(error);
  return html`<div class="field" part="field">
    ${
      kind === 'boolean'
        ? html`<label class="check" part="label"
            >${control(field, id, options)}<span dir="auto">${label}</span></label
          >`
        : html`<div class="label">
              <label part="label" dir="auto" for=${id}>${label}</label
              >${required ? nothing : html`<span class="optional" part="optional">${messages.optional}</span>`}
            </div>
            ${control(field, id, options)}`
    }
    ${
      error
        ? html`<p class="field-error" part="field-error">
            ${icons.alert}<span><span dir="auto" id="${id}-error">${problem}</span> ${hint}</span>
          </p>`
        : hint
    }
  </div>`;
}

/** Returns whether a value starts like a placeholder such as `grn_…`. */
function startsAlike(placeholder: string, value: string | boolean): boolean {
  const [start, rest] = placeholder.split('…');
  return !!start && rest !== undefined && String(value).startsWith(start);
}

function control(field: SingleField, id: string, options: ControlOptions): TemplateResult {
  const { kind, required, description, label } = field;
  const { error, isReadonly, isRevealed, messages, value, onInput, onReveal } = options;
  const isInvalid = error !== undefined;
  const notes = `${isInvalid ? `${id}-error ` : ''}${description && `${id}-hint`}` || nothing;
  const handleInput = ({ target }: Event) => {
    // The handler is bound only to the controls below, and `checked` is read only from checkboxes.
    const control = target as HTMLInputElement;
    onInput(kind === 'boolean' ? control.checked : control.value);
  };
  switch (kind) {
    case 'boolean':
      return html`<input
        id=${id}
        part="checkbox"
        type="checkbox"
        aria-invalid=${isInvalid}
        aria-describedby=${notes}
        .checked=${value === true}
        @change=${handleInput}
      />`;
    case 'choice':
      return html`<div class="choice">
        <select
          id=${id}
          part="input"
          dir="auto"
          ?required=${required}
          aria-invalid=${isInvalid}
          aria-describedby=${notes}
          @change=${handleInput}
        >
          <option value="" ?selected=${value === ''}>${messages.chooseOption}</option>
          ${field.options.map(
            ({ label }, index) =>
              html`<option value=${index} ?selected=${value === String(index)}>${label}</option>`,
          )}
        </select>
      </div>`;
    case 'multiline':
      return html`<textarea
        id=${id}
        part="input"
        dir="auto"
        rows="5"
        autocomplete="off"
        spellcheck="false"
        placeholder=${field.placeholder}
        ?required=${required}
        ?readonly=${isReadonly}
        aria-invalid=${isInvalid}
        aria-describedby=${notes}
        .value=${String(value)}
        @input=${handleInput}
      ></textarea>`;
    default:
  }
  const isSecret = kind === 'secret';
  // Keeps password managers from offering credentials for the host page's site, which is not the vendor's.
  const input = html`<input
    id=${id}
    class=${value === '' ? 'empty' : ''}
    part="input"
    dir=${isSecret ? nothing : 'auto'}
    type=${isSecret ? (isRevealed ? 'text' : 'password') : (types[kind] ?? 'text')}
    inputmode=${kind === 'number' ? (field.integer ? 'numeric' : 'decimal') : nothing}
    autocomplete="off"
    autocapitalize="off"
    spellcheck="false"
    data-1p-ignore
    data-bwignore
    data-lpignore="true"
    placeholder=${field.placeholder}
    ?required=${required}
    ?readonly=${isReadonly}
    aria-invalid=${isInvalid}
    aria-describedby=${notes}
    .value=${String(value)}
    @input=${handleInput}
  />`;
  return isSecret
    ? html`<div class="secret" dir="ltr">
        ${input}
        <button
          type="button"
          class="tool"
          part="reveal-button"
          aria-label=${isRevealed ? messages.hide(label) : messages.show(label)}
          aria-controls=${id}
          @click=${onReveal}
        >
          ${isRevealed ? stepIcons.hide : stepIcons.show}
        </button>
      </div>`
    : input;
}

/** The field kinds for which HTML defines an input type. */
const types: Readonly<Record<string, string>> = { email: 'email', url: 'url', date: 'date' };
