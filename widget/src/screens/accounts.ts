import { html, type TemplateResult } from 'lit';
import { backButton, button } from '../components/buttons.ts';
import { failureNotice } from '../components/notice.ts';
import { screenHead } from '../components/screen-head.ts';
import type { StateOf } from '../flow/flow.ts';
import { failureIn } from '../service/failure.ts';
import type { RenderContext } from './render-context.ts';

/** The states in which users choose accounts, after a consent or for an existing connector. */
export type AccountsState = StateOf<
  'listing' | 'unlisted' | 'choosing' | 'openingAccounts' | 'accounts' | 'savingAccounts'
>;

/** Renders the choice of the accounts to sync. */
export function accountsScreen(state: AccountsState, { messages, send }: RenderContext): TemplateResult {
  const name = 'definition' in state ? state.definition.name : state.connector.name;
  const back = () => {
    send({ type: 'back' });
  };
  return html`<div class="screen">
    ${backButton(messages.back, back)}${screenHead(name, null)}
    ${failureNotice(failureIn(state), messages, name)}
    ${button(
      messages.connect,
      () => {
        send({ type: 'chooseAccounts', ids: null });
      },
      { kind: 'primary' },
    )}
  </div>`;
}
