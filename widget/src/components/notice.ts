import { html, nothing, type TemplateResult } from 'lit';
import { failureWords, isSessionOver, type Parties } from '../messages/failure-words.ts';
import type { Messages } from '../messages/messages.ts';
import type { Failure } from '../service/failure.ts';
import { button } from './buttons.ts';
import { icons } from './icons.ts';
import { supportLink } from './integrator.ts';

/**
 * Renders a failure on a screen that remains usable. The notice can receive focus.
 * @param act says what did not happen, and replaces the title if the hint says enough about the cause.
 */
export function failureNotice(
  failure: Failure | null,
  messages: Messages,
  parties: Parties,
  act = '',
): TemplateResult | typeof nothing {
  if (!failure) return nothing;
  const { title, hint, isForSupport, isMild } = failureWords(failure, messages, parties);
  const isOver = isSessionOver(failure);
  return html`<div class=${isMild ? 'notice mild' : 'notice'} part="notice" tabindex="-1">
    ${icons.alert}
    <div>
      <strong part="heading">${isOver || isForSupport ? title : act || title}</strong>
      <p part="hint" dir="auto">${hint}</p>
      ${isForSupport ? supportLink(parties.integrator, messages) : nothing} ${reference(failure, messages)}
      ${isOver ? reloadButton(messages, '') : nothing}
    </div>
  </div>`;
}

/** Renders the button that repeats what failed, or that reloads the page if the session has expired. */
export function retryButton(failure: Failure | null, messages: Messages, retry: () => void): TemplateResult {
  return failure && isSessionOver(failure)
    ? reloadButton(messages, 'primary')
    : button(messages.retry, retry, { kind: 'primary' });
}

/** Renders the button that reloads the page. */
function reloadButton({ reload }: Messages, kind: string): TemplateResult {
  return button(
    reload,
    () => {
      location.reload();
    },
    { kind },
  );
}

/** Renders the request id, with which support can find the failure in the logs. */
export function reference({ requestId }: Failure, messages: Messages): TemplateResult | typeof nothing {
  return requestId
    ? html`<p class="reference" part="reference">${messages.reference(requestId)}</p>`
    : nothing;
}
