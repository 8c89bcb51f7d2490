import { html, type TemplateResult } from 'lit';

/** The one button of a screen that leads on. */
export function primaryButton(label: string, onClick: () => void): TemplateResult {
  return html`<button type="button" class="button primary" part="primary-button" @click=${onClick}>
    ${label}
  </button>`;
}
