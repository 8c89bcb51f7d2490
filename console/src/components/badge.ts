import { html, type TemplateResult } from 'lit';

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
