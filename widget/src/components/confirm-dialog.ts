import { html, nothing, type TemplateResult } from 'lit';
import { onEscape } from '../a11y/escape.ts';
import type { Messages } from '../messages/messages.ts';
import { button } from './buttons.ts';

export interface ConfirmDialogOptions {
  /** The icon of the source. */
  readonly icon: TemplateResult;
  readonly title: string;
  readonly hint: string | TemplateResult;
  /** What the title and the hint are about. */
  readonly details?: TemplateResult | undefined;
  /** The label of the confirm button. */
  readonly label: string;
  /** The class of the confirm button. Default: `danger`. */
  readonly kind?: 'danger' | 'primary';
  /** The label of the cancel button. */
  readonly keep?: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly messages: Messages;
  /** The reason why the last attempt failed. */
  readonly notice?: TemplateResult | typeof nothing;
  readonly isBusy?: boolean;
}

/** Renders a screen that confirms a destructive action. The cancel button receives focus. Escape cancels a dangerous action. */
export function confirmDialog({
  icon,
  title,
  hint,
  details,
  label,
  kind = 'danger',
  onConfirm,
  onCancel,
  messages,
  keep = messages.cancel,
  notice = nothing,
  isBusy = false,
}: ConfirmDialogOptions): TemplateResult {
  const cancel = () => {
    if (!isBusy) onCancel();
  };
  return html`<section
    class="confirm"
    part="confirmation"
    aria-labelledby="confirm"
    @keydown=${kind === 'danger' ? onEscape(cancel) : nothing}
  >
    <header class="head pair" part="header">
      ${icon}
      <div>
        <h2 id="confirm" part="title" dir="auto">${title}</h2>
        <p class="lead" part="hint">${hint}</p>
      </div>
      ${details ?? nothing}
    </header>
    ${notice}
    <div class="footer" part="footer">
      ${button(keep, cancel, { kind: 'cancel target', isBusy, part: 'button' })}
      ${button(label, onConfirm, { kind, part: 'confirm-button', isBusy })}
    </div>
  </section>`;
}
