import { html, type TemplateResult } from 'lit';
import { icons } from './icons.ts';

/**
 * Renders the back button.
 * @param target pass `'target'` if the button should receive focus when its screen opens.
 */
export function backButton(label: string, onBack: () => void, target = ''): TemplateResult {
  return html`<button type="button" class="back ${target}" part="back-button" @click=${onBack}>
    ${icons.back}<span>${label}</span>
  </button>`;
}

export interface ButtonOptions {
  /** The CSS classes: `primary` for the main action, `danger` for a destructive action. */
  readonly kind?: string;
  readonly part?: string;
  readonly isBusy?: boolean;
}

/** Renders a text button. */
export function button(
  label: string,
  onClick: () => void,
  { kind = '', part = kind === 'primary' ? 'primary-button' : 'button', isBusy = false }: ButtonOptions = {},
): TemplateResult {
  return html`<button
    type="button"
    class="button ${kind}"
    part=${part}
    aria-disabled=${isBusy}
    @click=${onClick}
  >
    ${label}
  </button>`;
}
