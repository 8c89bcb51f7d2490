import { html, nothing, type TemplateResult } from 'lit';
import type { ApiError } from '../api/api-error.ts';
import type { Loader } from '../api/loader.ts';
import { icons } from './icons.ts';
import { button } from './page-head.ts';

export interface NoticeOptions {
  readonly tone?: 'bad' | 'warn' | 'good' | 'info';
  readonly title?: string;
  readonly text: string | TemplateResult;
  readonly actions?: TemplateResult | typeof nothing;
}

/** Renders a message within a page. It can receive focus. */
export function notice({ tone = 'info', title, text, actions }: NoticeOptions): TemplateResult {
  const icon = { bad: icons.alert, warn: icons.incidents, good: icons.check, info: icons.info }[tone];
  return html`<div class="notice ${tone}" tabindex="-1" role=${tone === 'bad' ? 'alert' : nothing}>
    ${icon}
    <div>
      ${title ? html`<strong>${title}</strong>` : nothing}
      <div class="notice-text">${text}</div>
      ${actions ? html`<div class="actions">${actions}</div>` : nothing}
    </div>
  </div>`;
}

/** Renders a request that failed, with the request id that support and the service's log know. */
export function failureNotice(
  failure: ApiError | null,
  onRetry?: () => void,
): TemplateResult | typeof nothing {
  if (!failure) return nothing;
  return notice({
    tone: 'bad',
    text: html`${failure.message}
    ${failure.requestId ? html`<span class="reference">Request ${failure.requestId}</span>` : nothing}`,
    actions: onRetry ? button('Try again', onRetry, 'small') : nothing,
  });
}

/** Renders a placeholder while a page loads. */
export function skeleton(lines = 4): TemplateResult {
  return html`<div class="skeletons" aria-hidden="true">
      ${Array.from({ length: lines }, () => html`<span class="skeleton"></span>`)}
    </div>
    <p class="visually-hidden" role="status">Loading…</p>`;
}

/** Renders the icon, title, hint and next step of a page or list without content. */
export function emptyState(options: {
  readonly icon: TemplateResult;
  readonly title: string;
  readonly hint: string | TemplateResult;
  readonly action?: TemplateResult | typeof nothing;
}): TemplateResult {
  const { icon, title, hint, action } = options;
  return html`<div class="empty-state">
    <span class="icon-circle">${icon}</span>
    <h2>${title}</h2>
    <p class="hint">${hint}</p>
    ${action ? html`<div class="actions">${action}</div>` : nothing}
  </div>`;
}

/** Renders what a loader has loaded, a placeholder while it loads, and the error if it failed. */
export function loaded<Value>(
  loader: Loader<Value>,
  content: (value: Value) => TemplateResult,
): TemplateResult {
  const retry = () => void loader.reload();
  if (loader.value === null)
    return html`${loader.failure ? failureNotice(loader.failure, retry) : skeleton()}`;
  return html`${failureNotice(loader.failure, retry)} ${content(loader.value)}`;
}
