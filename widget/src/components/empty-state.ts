import { html, nothing, type TemplateResult } from 'lit';

export interface EmptyStateOptions {
  readonly icon: TemplateResult;
  readonly title: string;
  readonly hint: string;
  /** A button or link for the next step. */
  readonly action?: TemplateResult | typeof nothing;
  /** Colours the icon: `good` for success, `bad` for an error. */
  readonly tone?: 'good' | 'bad' | '';
}

/** Renders the icon, title, hint and action of a screen without a list. */
export function emptyState({
  icon,
  title,
  hint,
  action = nothing,
  tone = '',
}: EmptyStateOptions): TemplateResult {
  return html`<div class="empty-state" part="message">
    <span class="icon-circle ${tone}" part="sign">${icon}</span>
    <h2 part="title" dir="auto">${title}</h2>
    <p class="lead" part="lead" dir="auto">${hint}</p>
    <div class="actions">${action}</div>
  </div>`;
}
