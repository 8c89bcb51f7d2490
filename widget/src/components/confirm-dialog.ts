import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import type { Failure } from '../service/failure.ts';
import { button } from './buttons.ts';
import { failureNotice } from './notice.ts';

/** Asks before something is lost: the harmless answer first, and focused first. */
export function question(
  title: string,
  hint: string,
  no: readonly [label: string, onClick: () => void],
  yes: readonly [label: string, onClick: () => void],
  messages: Messages,
  failure: Failure | null = null,
  isBusy = false,
): TemplateResult {
  return html`<section class="card ask" part="confirmation" aria-labelledby="ask">
    <h3 id="ask" part="heading">${title}</h3>
    <p part="hint">${hint}</p>
    ${failureNotice(failure, messages)}
    <div class="actions">
      ${button(...no, 'keep target', 'button', isBusy)}
      ${button(...yes, 'danger solid', 'confirm-button', isBusy)}
    </div>
  </section>`;
}
