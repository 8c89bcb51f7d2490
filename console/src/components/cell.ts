import { html, nothing, type TemplateResult } from 'lit';

/** Renders the content of a table cell with smaller lines below it. Empty lines are left out. */
export function cell(content: unknown, ...details: readonly unknown[]): TemplateResult {
  return html`<div class="cell">
    ${content}
    ${details.map(detail =>
      detail === null || detail === undefined || detail === nothing || detail === ''
        ? nothing
        : html`<span class="detail" dir="auto">${detail}</span>`,
    )}
  </div>`;
}

/** Renders an error message from a vendor, which can be long. */
export function errorLine(message: string | null): TemplateResult | typeof nothing {
  return message === null ? nothing : html`<span class="clamp" title=${message}>${message}</span>`;
}
