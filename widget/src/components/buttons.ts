import { html, type TemplateResult } from 'lit';
import { glyphs } from './icons.ts';

/** The button that leads one step back. `target` where the focus belongs on it. */
export function backButton(label: string, onBack: () => void, target = ''): TemplateResult {
  return html`<button type="button" class="back ${target}" part="back-button" @click=${onBack}>
    ${glyphs.back}<span>${label}</span>
  </button>`;
}

/** A button with words. `kind` is how it looks: `primary` for the one that leads on, `danger` for what deletes. */
export function button(
  label: string,
  onClick: () => void,
  kind = '',
  part = kind === 'primary' ? 'primary-button' : 'button',
  isBusy = false,
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
