import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import type { Failure } from '../service/failure.ts';
import { failureNotice } from './notice.ts';

/** Asks before something is lost: the harmless answer first, and focused first. */
export function question(
  options: {
    readonly title: string;
    readonly hint: string;
    readonly no: string;
    readonly yes: string;
    readonly failure: Failure | null;
    readonly isBusy: boolean;
    readonly onNo: () => void;
    readonly onYes: () => void;
  },
  messages: Messages,
): TemplateResult {
  const { title, hint, no, yes, failure, isBusy, onNo, onYes } = options;
  return html`<section class="card ask" part="confirmation" aria-labelledby="ask">
    <h3 id="ask" part="heading">${title}</h3>
    <p part="hint">${hint}</p>
    ${failureNotice(failure, messages)}
    <div class="actions">
      <button type="button" class="button keep" part="button" aria-disabled=${isBusy} @click=${onNo}>
        ${no}
      </button>
      <button
        type="button"
        class="button danger solid"
        part="confirm-button"
        aria-disabled=${isBusy}
        @click=${onYes}
      >
        ${yes}
      </button>
    </div>
  </section>`;
}
