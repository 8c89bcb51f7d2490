import { connectionState } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import { onEscape } from '../a11y/escape.ts';
import { backButton, button } from '../components/buttons.ts';
import { confirmDialog } from '../components/confirm-dialog.ts';
import { entityRows } from '../components/entity-rows.ts';
import { failureNotice } from '../components/notice.ts';
import { recentActivity } from '../components/recent-activity.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { statusStrip } from '../components/status-strip.ts';
import { stepIcons } from '../components/step-icons.ts';
import { ticking } from '../components/ticking.ts';
import type { ManageControl, StateOf } from '../flow/flow.ts';
import { canReconnect, isAllowed } from '../flow/rights.ts';
import { sourceOf } from '../flow/sources.ts';
import { dateFormat, timeUntil } from '../messages/relative-time.ts';
import type { RenderContext } from './render-context.ts';

type ManageState = StateOf<
  | 'managing'
  | 'syncing'
  | 'cancellingLink'
  | 'renaming'
  | 'saving'
  | 'confirming'
  | 'disconnecting'
  | 'disconnected'
  | 'undoing'
>;

/** Renders a connection: its state, its data and accounts, recent activity, and what the user can change. */
export function manageScreen(state: ManageState, context: RenderContext): TemplateResult {
  const { messages, send, sends } = context;
  const { connector, catalog, activity = [] } = state;
  const { name, status } = connector;
  const source = sourceOf(catalog, connector);
  const parties = { source: source?.name ?? name, integrator: catalog.integrator };
  const cameFrom = state.name === 'managing' ? state.cameFrom : undefined;
  if ('until' in state || state.name === 'confirming' || state.name === 'disconnecting')
    return html`<div class="screen">${renderConfirmation(state)}</div>`;
  const anyFailure = (state.name === 'managing' && state.failure) || null;
  const isAboutLink = cameFrom === 'cancelLink';
  const failure = isAboutLink ? null : anyFailure;
  const links = (state.links ?? []).filter(({ expires_at }) => Date.parse(expires_at) > Date.now());
  return html`<div class="screen manage">
    ${backButton(messages.back, sends('back'), state.name === 'managing' && !cameFrom ? 'target' : '')}
    <header class="head" part="header">
      ${sourceIcon(source?.name ?? name, source?.iconUrl, 'large')}
      ${state.name === 'renaming' || state.name === 'saving' ? renameForm(state, context) : renderTitle()}
    </header>
    ${statusStrip({
      catalog,
      connector,
      messages,
      sends,
      isBusy: state.name === 'syncing',
      isTarget: cameFrom === 'sync' || (isAboutLink && !links.length),
      failure,
    })}
    ${failureNotice(failure, messages, parties, messages.cannotSync)}
    ${entityRows(connector, catalog, messages)} ${renderAccounts()} ${renderLinks()}
    ${recentActivity(activity, catalog, messages)} ${renderEnd()}
  </div>`;

  /** Renders the confirmation of disconnecting, and afterwards the time in which that can be undone. */
  function renderConfirmation(
    state: StateOf<'confirming' | 'disconnecting' | 'disconnected' | 'undoing'>,
  ): TemplateResult {
    const isBusy = state.name === 'disconnecting' || state.name === 'undoing';
    const until = 'until' in state ? state.until : '';
    const { records } = connectionState(connector);
    const [title, hint, keep, label, notice, onCancel, onConfirm] = until
      ? ([
          messages.disconnected(name),
          ticking(until, messages, messages.undoHint(timeUntil(until, messages))),
          messages.undo,
          messages.done,
          messages.notSaved,
          'undo',
          'back',
        ] as const)
      : ([
          messages.disconnectTitle(name),
          messages.disconnectHint(records ? messages.records(records) : ''),
          messages.cancel,
          isBusy ? messages.disconnecting : messages.disconnect,
          messages.notDisconnected,
          'back',
          'confirm',
        ] as const);
    return confirmDialog({
      icon: sourceIcon(source?.name ?? name, source?.iconUrl, 'large'),
      title,
      hint,
      keep,
      label,
      kind: until ? 'primary' : 'danger',
      onCancel: sends(onCancel),
      onConfirm: sends(onConfirm),
      messages,
      notice: failureNotice('failure' in state ? state.failure : null, messages, parties, notice),
      isBusy,
    });
  }

  function control(type: ManageControl, label: string, kind: string, part: string): TemplateResult {
    return button(label, sends(type), { kind: `${kind} ${cameFrom === type ? 'target' : ''}`, part });
  }

  function renderTitle(): TemplateResult {
    const since = dateFormat(messages).format(new Date(connector.created_at));
    return html`<div class="head-text">
        <h2 part="title" dir="auto">${name}</h2>
        <p class="lead" part="lead">
          <span dir="auto">${messages.connectedSince(since)}</span>${
            connector.access === 'read'
              ? html`<span class="fact" part="read-only">${stepIcons.lock}${messages.readOnly}</span>`
              : nothing
          }
        </p>
      </div>
      ${
        isAllowed(catalog, 'rename')
          ? html`<button
              type="button"
              class="tool ${cameFrom === 'rename' ? 'target' : ''}"
              part="rename-button"
              aria-label=${messages.rename}
              title=${messages.rename}
              @click=${sends('rename')}
            >
              ${stepIcons.edit}
            </button>`
          : nothing
      }`;
  }

  function renderAccounts(): TemplateResult | typeof nothing {
    const setting = source?.accounts_setting;
    if (!setting || !connector.replication_config) return nothing;
    const chosen = connector.replication_config[setting];
    const countOf = source.accounts_title ? String : messages.accountsFound;
    return html`<section class="block">
      <h3 part="heading">${source.accounts_title ?? messages.accountsHeading}</h3>
      <div class="line spread" part="accounts">
        <span>${Array.isArray(chosen) && chosen.length ? countOf(chosen.length) : messages.allAccounts}</span>
        ${
          isAllowed(catalog, 'settings') && status === 'active'
            ? control('editAccounts', messages.edit, 'quiet', 'accounts-button')
            : nothing
        }
      </div>
    </section>`;
  }

  function renderLinks(): TemplateResult | typeof nothing {
    if (!links.length) return nothing;
    const cancelling = 'linkId' in state && state.linkId;
    return html`<section class="block">
      <h3 part="heading" class=${isAboutLink ? 'target' : ''} tabindex="-1">${messages.openLinks}</h3>
      ${failureNotice(isAboutLink ? anyFailure : null, messages, parties, messages.linkNotCancelled)}
      <ul class="lines" part="links">
        ${links.map(
          ({ id, inviter, expires_at: until }) =>
            html`<li class="line entry spread" part="link-entry">
              <div class="line-text">
                <span class="line-title" dir="auto">${messages.linkFor(inviter ?? '')}</span>
                <span>${ticking(until, messages, messages.expires(timeUntil(until, messages)))}</span>
              </div>
              ${button(
                messages.cancelLink,
                () => {
                  send({ type: 'cancelLink', linkId: id });
                },
                {
                  kind: `quiet ${id === cancelling ? 'target' : ''}`,
                  part: 'cancel-link-button',
                  isBusy: id === cancelling,
                },
              )}
            </li>`,
        )}
      </ul>
    </section>`;
  }

  /** Renders the actions that end or replace the connection. */
  function renderEnd(): TemplateResult | typeof nothing {
    const reconnects = status === 'active' && canReconnect(catalog, connector);
    // The service keeps the credentials of a frozen connector until the incident is over.
    const disconnects = status !== 'frozen' && isAllowed(catalog, 'delete');
    if (!reconnects && !disconnects) return nothing;
    return html`<div class="footer end" part="footer">
      ${reconnects ? control('reconnect', messages.reconnect, '', 'reconnect-button') : nothing}
      ${disconnects ? control('disconnect', messages.disconnect, 'quiet leave', 'disconnect-button') : nothing}
    </div>`;
  }
}

/** Renders the title as a text field. Enter saves it, Escape cancels. */
function renameForm(
  state: StateOf<'renaming' | 'saving'>,
  { messages, send, sends, host }: RenderContext,
): TemplateResult {
  const { connector, newName } = state;
  const isBusy = state.name === 'saving';
  const cancel = sends('back');
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const name = host.renderRoot.querySelector<HTMLInputElement>('#new-name')?.value.trim();
    // The name is empty or unchanged, so there is nothing to save.
    if (!name || name === connector.name) cancel();
    else send({ type: 'save', newName: name });
  };
  return html`<form
    novalidate
    class="head-text rename"
    part="form"
    @submit=${save}
    @keydown=${onEscape(cancel)}
  >
    <h2 class="visually-hidden" part="title" dir="auto">${connector.name}</h2>
    <input
      id="new-name"
      class="target"
      part="input"
      dir="auto"
      aria-label=${messages.nameLabel}
      maxlength="200"
      autocomplete="off"
      ?readonly=${isBusy}
      .value=${newName}
    />
    ${isBusy ? nothing : failureNotice(state.failure, messages, { source: connector.name, integrator: state.catalog.integrator }, messages.notSaved)}
    <div class="actions">
      <button class="button primary" part="primary-button" aria-disabled=${isBusy}>${messages.save}</button>
      ${button(messages.cancel, cancel, { kind: 'quiet', isBusy })}
    </div>
  </form>`;
}
