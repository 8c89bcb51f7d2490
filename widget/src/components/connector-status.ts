import type { Connector } from '@connector-auth/api';
import { html, type TemplateResult } from 'lit';
import { connectionState, sharedErrorCode } from '../flow/connection-state.ts';
import type { Messages } from '../messages/messages.ts';
import { statusWords } from '../messages/status-words.ts';

/**
 * Renders the one state of a connection: a dot in the state's colour and its words.
 * @param words replaces the words of the state.
 */
export function connectorStatus(
  connector: Pick<Connector, 'status' | 'sync'>,
  messages: Messages,
  words: unknown = statusWords(connectionState(connector), messages),
): TemplateResult {
  return html`<span class="status ${toneOf(connector)}" part="state"><span>${words}</span></span>`;
}

/**
 * Returns the classes that set the colour of a state. A state in which the user has to act has one of its own; one in
 * which only some data is late has that of waiting.
 */
export function toneOf(connector: Pick<Connector, 'status' | 'sync'>): string {
  const state = connectionState(connector);
  if (state.name !== 'failing' || !state.isPartial) return state.name;
  return `failing partial ${sharedErrorCode(connector.sync) === 'vendor_permission_missing' ? 'expired' : ''}`;
}
