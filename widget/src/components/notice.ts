import { html, nothing, type TemplateResult } from 'lit';
import { failureWords } from '../messages/failure-words.ts';
import type { Messages } from '../messages/messages.ts';
import type { Failure } from '../service/failure.ts';
import { icons } from './icons.ts';

/** A failure told inside a screen that stays usable. Takes the focus when there is no better place for it. */
export function failureNotice(failure: Failure | null, messages: Messages): TemplateResult | typeof nothing {
  if (!failure) return nothing;
  const { title, hint } = failureWords(failure, messages);
  return html`<div class="notice" part="notice" tabindex="-1">
    ${icons.alert}
    <div>
      <strong part="heading">${title}</strong>
      <p part="hint" dir="auto">${hint}</p>
      ${reference(failure, messages)}
    </div>
  </div>`;
}

/** The number under which support finds a failure. */
export function reference({ requestId }: Failure, messages: Messages): TemplateResult | typeof nothing {
  return requestId
    ? html`<p class="reference" part="reference">${messages.reference(requestId)}</p>`
    : nothing;
}
