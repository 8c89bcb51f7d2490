import type { Connector } from '@connector-auth/api';
import { connectionState } from '@connector-auth/api/connection-state';
import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/messages.ts';
import { statusWords } from '../messages/status-words.ts';

/**
 * Renders the one state of a connection: a dot in the state's colour and its words.
 * @param detail follows the words.
 */
export function connectorStatus(
  connector: Pick<Connector, 'status' | 'sync'>,
  messages: Messages,
  detail?: unknown,
): TemplateResult {
  const state = connectionState(connector);
  return html`<span class="status ${state.tone}" part="state"
    ><span>${statusWords(state, messages)}${detail}</span></span
  >`;
}
