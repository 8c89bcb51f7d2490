import { html, type TemplateResult } from 'lit';
import type { StateOf } from '../flow/flow.ts';
import type { Messages } from '../messages/messages.ts';
import { emptyState } from './empty-state.ts';
import { failureNotice } from './notice.ts';
import { spinner, stepIcons } from './step-icons.ts';

/**
 * Renders the instructions for an OAuth flow and a link to the vendor's page, in case the browser blocked the
 * pop-up or the user lost or closed it. Browsers do not block windows that the user's click opens. The link
 * reuses a pop-up that is still open.
 */
export function consentPanel(
  state: StateOf<'consenting' | 'submitting'>,
  messages: Messages,
): TemplateResult {
  const source = state.definition.name;
  if (state.name === 'submitting') return emptyState({ icon: spinner, title: messages.connecting, hint: '' });
  const { consent, failure } = state;
  if (!consent) return emptyState({ icon: spinner, title: messages.opening(source), hint: '' });
  const { isBlocked, window, url, open } = consent;
  const handleClick = (event: MouseEvent) => {
    event.preventDefault();
    open();
  };
  const isHere = window === '_self';
  const [title, hint, label] = isBlocked
    ? [messages.blockedTitle(source), messages.blockedHint, messages.openVendor(source)]
    : isHere
      ? [messages.leavingTitle(source), messages.leavingHint, messages.openVendor(source)]
      : [messages.waitingTitle(source), messages.waitingHint, messages.reopen(source)];
  const action = html`<a
    class="button ${isBlocked ? 'primary target' : ''}"
    part=${isBlocked ? 'primary-button' : 'consent-link'}
    href=${url}
    target=${window}
    @click=${handleClick}
    >${label}</a
  >`;
  return html`${emptyState({ icon: isBlocked || isHere ? stepIcons.leave : spinner, title, hint, action })}${failureNotice(failure, messages, source)}`;
}
