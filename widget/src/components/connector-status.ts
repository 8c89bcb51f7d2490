import type { Connector } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { connectionState, type ConnectionState } from '../flow/connection-state.ts';
import type { Messages } from '../messages/messages.ts';
import { statusWords } from '../messages/status-words.ts';

/**
 * Renders the one state of a connection: a dot in the state's colour and its words.
 * @param detail follows the words, such as when the data was synced.
 */
export function connectorStatus(
  connector: Pick<Connector, 'status' | 'sync'>,
  messages: Messages,
  detail: unknown = nothing,
): TemplateResult {
  const state = connectionState(connector);
  return html`<span class="status ${toneOf(state)}" part="state"
    ><span>${statusWords(state, messages)}${detail}</span></span
  >`;
}

/** Returns the class that sets the colour of a state. */
export function toneOf(state: ConnectionState): string {
  return state.name === 'failing' && state.isPartial ? 'failing partial' : state.name;
}
