import { html, type TemplateResult } from 'lit';
import type { Loader } from '../api/loader.ts';
import { failureNotice, skeleton } from './notice.ts';

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
