import type { Connector } from '@connector-auth/api';
import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';

/** Whether an operator has disabled the connector or an incident has frozen it. The user can do nothing about either. */
export function isPaused({ status }: Pick<Connector, 'status'>): boolean {
  return status === 'disabled' || status === 'frozen';
}

/** Renders a connector's status with its colour and its name. */
export function connectorStatus({ status }: Pick<Connector, 'status'>, messages: Messages): TemplateResult {
  const names = {
    active: messages.statusActive,
    needs_reauth: messages.statusNeedsReauth,
    disabled: messages.statusPaused,
    frozen: messages.statusPaused,
  };
  return html`<span class="status ${status}" part="state">${names[status]}</span>`;
}
