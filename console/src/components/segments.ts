import { html, type TemplateResult } from 'lit';

/** Renders a choice among few values side by side. */
export function segments<Value extends string>(options: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly (readonly [value: Value, label: string])[];
  readonly chosen: Value;
  readonly onChange: (value: Value) => void;
}): TemplateResult {
  const { name, label, choices, chosen, onChange } = options;
  return html`<fieldset class="segments ${name}">
    <legend class="visually-hidden">${label}</legend>
    ${choices.map(
      ([value, text]) =>
        html`<label
          ><input
            type="radio"
            name=${name}
            ?checked=${value === chosen}
            @change=${() => onChange(value)}
          /><span>${text}</span></label
        >`,
    )}
  </fieldset>`;
}
