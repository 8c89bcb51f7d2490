import { html, nothing, type TemplateResult } from 'lit';
import type { Consent, StateOf } from '../flow/flow.ts';
import { vendorNameOf } from '../flow/vendor-name.ts';
import type { Messages } from '../messages/messages.ts';
import { failureNotice } from './notice.ts';
import { sourceIcon } from './source-icon.ts';
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
  const { name, iconUrl } = state.definition;
  const vendor = vendorNameOf(state.definition);
  const consent = state.name === 'consenting' ? state.consent : null;
  const isOpening = state.name === 'consenting' && !consent;
  const [title, hint] = consent
    ? instructions(consent, vendor, messages)
    : isOpening
      ? [messages.opening(vendor), null]
      : [messages.checking(vendor), messages.connectingHint];
  const isLink = consent && (consent.isBlocked || consent.window === '_self');
  const failure = state.name === 'consenting' ? state.failure : null;
  return html`<div class="success" part="message">
    ${sourceIcon(name, iconUrl)}
    <span class="icon-circle" part="sign">${isLink ? stepIcons.leave : spinner}</span>
    <h2 part="title" dir="auto">${title}</h2>
    ${hint ? html`<p class="lead" part="lead" dir="auto">${hint}</p>` : nothing}
    ${consent && state.name === 'consenting' ? vendorLink(state, consent, messages) : nothing}
    ${failureNotice(failure, messages, { source: name, integrator: state.catalog.integrator })}
  </div>`;
}

function instructions({ isBlocked, window }: Consent, source: string, messages: Messages): [string, string] {
  if (isBlocked) return [messages.blockedTitle(source), messages.blockedHint];
  if (window === '_self') return [messages.leavingTitle(source), messages.leavingHint];
  return [messages.waitingTitle(source), messages.waitingHint];
}

function vendorLink(
  { isLate, definition }: StateOf<'consenting'>,
  { isBlocked, window, url, open }: Consent,
  messages: Messages,
): TemplateResult {
  const vendor = vendorNameOf(definition);
  const isPrimary = isBlocked || isLate;
  const isFirst = isBlocked || window === '_self';
  const openWords = isFirst ? messages.openVendor(vendor) : messages.reopen(vendor);
  const handleClick = (event: MouseEvent) => {
    event.preventDefault();
    open();
  };
  return html`${isFirst || isLate ? nothing : html`<p class="hint" part="hint">${messages.lostWindow}</p>`}<a
      class="button ${isPrimary ? 'primary' : 'quiet'} ${isBlocked ? 'target' : ''}"
      part=${isPrimary ? 'primary-button' : 'consent-link'}
      href=${url}
      target=${window}
      @click=${handleClick}
      >${isLate ? messages.reopenLate : openWords}</a
    >`;
}
