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

export type Tone = 'good' | 'warn' | 'bad' | 'neutral' | 'info';

/** Renders a state as a word with a coloured dot. */
export function badge(label: string, tone: Tone = 'neutral'): TemplateResult {
  return html`<span class="badge ${tone}">${label}</span>`;
}

/** Renders the status of an organization or application. */
export function activeBadge(status: 'active' | 'disabled' | 'deleting'): TemplateResult {
  if (status === 'deleting') return badge('Deleting', 'warn');
  return status === 'active' ? badge('Active', 'good') : badge('Disabled', 'bad');
}
