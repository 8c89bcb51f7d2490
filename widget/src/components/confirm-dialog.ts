import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import type { Failure } from '../service/failure.ts';
import { button } from './buttons.ts';
import { failureNotice } from './notice.ts';

export interface ConfirmDialogOptions {
  readonly title: string;
  readonly hint: string;
  /** What the button that confirms says. */
  readonly label: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly messages: Messages;
  /** Why the last attempt failed. */
  readonly failure?: Failure | null;
  readonly isBusy?: boolean;
}

/** Renders the confirmation of a destructive action. Cancelling comes first and gets the focus. */
export function confirmDialog({
  title,
  hint,
  label,
  onConfirm,
  onCancel,
  messages,
  failure = null,
  isBusy = false,
}: ConfirmDialogOptions): TemplateResult {
  return html`<section class="card confirm" part="confirmation" aria-labelledby="confirm">
    <h3 id="confirm" part="heading">${title}</h3>
    <p part="hint">${hint}</p>
    ${failureNotice(failure, messages)}
    <div class="actions">
      ${button(messages.cancel, onCancel, { kind: 'cancel target', isBusy, part: 'button' })}
      ${button(label, onConfirm, { kind: 'danger solid', part: 'confirm-button', isBusy })}
    </div>
  </section>`;
}
