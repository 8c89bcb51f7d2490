import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { BooleanField, ChoiceField, NumberField, SingleField, TextField } from '../form/fields.ts';
import type { Messages } from '../messages/messages.ts';
import { glyph } from './glyphs.ts';

/** What a control needs to know and whom it tells. */
export interface ControlOptions {
  readonly value: string | boolean;
  /** What is wrong with the value, in a sentence. */
  readonly fault: string | undefined;
  readonly isRevealed: boolean;
  readonly isReadonly: boolean;
  readonly messages: Messages;
  readonly onInput: (path: string, value: string | boolean) => void;
  readonly onReveal: (path: string) => void;
}

/** The id of a field's control in the document. */
export function controlId({ path }: { readonly path: string }): string {
  return `field-${path}`;
}

/** One labelled control with its hint and its fault, tied together for assistive technology. */
export function formField(field: SingleField, options: ControlOptions): TemplateResult {
  const { fault, messages } = options;
  const id = controlId(field);
  const hint =
    field.description === ''
      ? nothing
      : html`<p class="hint" part="hint" dir="auto" id="${id}-hint">${field.description}</p>`;
  const mistake =
    fault === undefined
      ? nothing
      : html`<p class="fault" part="field-error" id="${id}-fault">
          ${glyph('alert')}<span dir="auto">${fault}</span>
        </p>`;
  const optional = field.required
    ? nothing
    : html`<span class="optional" part="optional">${messages.optional}</span>`;
  if (field.kind === 'boolean') {
    return html`<div class="field" part="field">
      <label class="check" part="label"
        >${checkbox(field, options)}<span dir="auto">${field.label}</span></label
      >
      ${mistake}${hint}
    </div>`;
  }
  return html`<div class="field" part="field">
    <div class="label"><label part="label" dir="auto" for=${id}>${field.label}</label>${optional}</div>
    ${control(field, options)}${mistake}${hint}
  </div>`;
}

function control(field: Exclude<SingleField, BooleanField>, options: ControlOptions): TemplateResult {
  switch (field.kind) {
    case 'choice':
      return select(field, options);
    case 'multiline':
      return html`<textarea
        id=${controlId(field)}
        part="input"
        dir="auto"
        rows="5"
        autocomplete="off"
        spellcheck="false"
        placeholder=${field.placeholder}
        ?required=${field.required}
        ?readonly=${options.isReadonly}
        aria-invalid=${options.fault !== undefined}
        aria-errormessage=${ifDefined(options.fault && `${controlId(field)}-fault`)}
        aria-describedby=${ifDefined(describedBy(field, options))}
        .value=${String(options.value)}
        @input=${textHandler(field, options)}
      ></textarea>`;
    case 'secret':
      return secret(field, options);
    case 'number':
      return input(field, field.integer ? 'numeric' : 'decimal', 'text', options);
    case 'text':
    case 'list':
      return input(field, 'text', 'text', options);
    case 'email':
    case 'url':
      return input(field, field.kind, field.kind, options);
    case 'date':
      return input(field, 'text', 'date', options);
  }
}

function input(
  field: TextField | NumberField,
  inputMode: string,
  type: string,
  options: ControlOptions,
): TemplateResult {
  // The attributes for password managers: what is typed here belongs to another site than this one.
  return html`<input
    id=${controlId(field)}
    part="input"
    dir=${field.kind === 'secret' ? nothing : 'auto'}
    type=${type}
    inputmode=${inputMode}
    autocomplete="off"
    autocapitalize="off"
    spellcheck="false"
    data-1p-ignore
    data-bwignore
    data-lpignore="true"
    placeholder=${field.placeholder}
    ?required=${field.required}
    ?readonly=${options.isReadonly}
    aria-invalid=${options.fault !== undefined}
    aria-errormessage=${ifDefined(options.fault && `${controlId(field)}-fault`)}
    aria-describedby=${ifDefined(describedBy(field, options))}
    .value=${String(options.value)}
    @input=${textHandler(field, options)}
  />`;
}

function secret(field: TextField, options: ControlOptions): TemplateResult {
  const { isRevealed, messages, onReveal } = options;
  const { label, path } = field;
  return html`<div class="secret" dir="ltr">
    ${input(field, 'text', isRevealed ? 'text' : 'password', options)}
    <button
      type="button"
      class="tool"
      part="reveal-button"
      aria-label=${isRevealed ? messages.hide(label) : messages.show(label)}
      aria-controls=${controlId(field)}
      @click=${() => {
        onReveal(path);
      }}
    >
      ${glyph(isRevealed ? 'hide' : 'show')}
    </button>
  </div>`;
}

function select(field: ChoiceField, options: ControlOptions): TemplateResult {
  return html`<select
    id=${controlId(field)}
    part="input"
    dir="auto"
    ?required=${field.required}
    aria-invalid=${options.fault !== undefined}
    aria-errormessage=${ifDefined(options.fault && `${controlId(field)}-fault`)}
    aria-describedby=${ifDefined(describedBy(field, options))}
    @change=${textHandler(field, options)}
  >
    <option value="" ?selected=${options.value === ''}>${options.messages.chooseOption}</option>
    ${field.options.map(
      ({ label }, index) =>
        html`<option value=${index} ?selected=${options.value === String(index)}>${label}</option>`,
    )}
  </select>`;
}

function checkbox(field: BooleanField, options: ControlOptions): TemplateResult {
  return html`<input
    id=${controlId(field)}
    part="checkbox"
    type="checkbox"
    aria-invalid=${options.fault !== undefined}
    aria-errormessage=${ifDefined(options.fault && `${controlId(field)}-fault`)}
    aria-describedby=${ifDefined(describedBy(field, options))}
    .checked=${options.value === true}
    @change=${(event: Event) => {
      // Bound to the checkbox above.
      options.onInput(field.path, (event.target as HTMLInputElement).checked);
    }}
  />`;
}

function textHandler({ path }: SingleField, { onInput }: ControlOptions): (event: Event) => void {
  return event => {
    // Bound to elements that have a text value only.
    onInput(path, (event.target as HTMLInputElement | HTMLSelectElement).value);
  };
}

function describedBy(field: SingleField, { fault }: ControlOptions): string | undefined {
  const id = controlId(field);
  const ids = [
    ...(fault === undefined ? [] : [`${id}-fault`]),
    ...(field.description === '' ? [] : [`${id}-hint`]),
  ];
  return ids.length > 0 ? ids.join(' ') : undefined;
}
