import { html, nothing, type TemplateResult } from 'lit';
import { backButton, button } from '../components/buttons.ts';
import { confirmDialog } from '../components/confirm-dialog.ts';
import { connectorStatus } from '../components/connector-status.ts';
import { supportLink } from '../components/integrator.ts';
import { failureNotice } from '../components/notice.ts';
import { screenHead } from '../components/screen-head.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { syncProgress } from '../components/sync-progress.ts';
import type { Catalog, FlowEvent, StateOf } from '../flow/flow.ts';
import { sourceOf } from '../flow/next-in-managing.ts';
import type { Messages } from '../messages/messages.ts';
import type { RenderContext } from './render-context.ts';

type ManageState = StateOf<'managing' | 'syncing' | 'renaming' | 'saving' | 'confirming' | 'disconnecting'>;

/** Renders a connector's state and the controls to rename, reconnect or disconnect it. */
export function manageScreen(state: ManageState, context: RenderContext): TemplateResult {
  const { messages, send } = context;
  const { connector, catalog } = state;
  const { name, status } = connector;
  const source = sourceOf(catalog, connector);
  const sourceName = source?.name ?? name;
  const since = new Intl.DateTimeFormat(messages.language, { dateStyle: 'long' }).format(
    new Date(connector.created_at),
  );
  const isActive = status === 'active';
  const isPaused = !isActive && status !== 'needs_reauth';
  const act =
    (type: Extract<FlowEvent['type'], 'back' | 'rename' | 'reconnect' | 'disconnect' | 'confirm'>) => () => {
      send({ type });
    };
  return html`<div class="screen">
    ${backButton(messages.back, act('back'), state.name === 'managing' ? 'target' : '')}
    ${screenHead(name, messages.connectedSince(since), sourceIcon(name, source?.iconUrl, 'large'))}
    <div class="card" part="status">
      ${connectorStatus(connector, messages)}
      <p part="hint">
        ${
          isPaused
            ? pausedHint(catalog, messages)
            : isActive
              ? messages.activeHint
              : messages.needsReauthHint(sourceName)
        }
      </p>
      ${isPaused ? supportLink(catalog.integrator, messages) : syncProgress(connector.sync, messages)}
    </div>
    ${renderBelow()}
  </div>`;

  function renderBelow(): TemplateResult {
    switch (state.name) {
      case 'managing':
      case 'syncing':
        return html`<div class="actions">
          ${
            source && !isPaused
              ? button(
                  messages.reconnect,
                  act('reconnect'),
                  isActive ? { part: 'reconnect-button' } : { kind: 'primary' },
                )
              : nothing
          }
          ${button(messages.rename, act('rename'), { part: 'rename-button' })}
          ${
            // The service keeps the credentials of a frozen connector until the incident is over.
            status === 'frozen'
              ? nothing
              : button(messages.disconnect, act('disconnect'), { kind: 'danger', part: 'disconnect-button' })
          }
        </div>`;
      case 'renaming':
      case 'saving':
        return renamingForm(state, context);
      default: {
        const isBusy = state.name === 'disconnecting';
        return confirmDialog({
          title: messages.disconnectTitle(name),
          hint: messages.disconnectHint,
          label: isBusy ? messages.disconnecting : messages.disconnect,
          onConfirm: act('confirm'),
          onCancel: act('back'),
          messages,
          notice: failureNotice(isBusy ? null : state.failure, messages, sourceName),
          isBusy,
        });
      }
    }
  }
}

function pausedHint({ integrator }: Catalog, messages: Messages): string {
  return integrator?.name ? messages.pausedHintBy(integrator.name) : messages.pausedHint;
}

function renamingForm(
  state: StateOf<'renaming' | 'saving'>,
  { messages, send, host }: RenderContext,
): TemplateResult {
  const isBusy = state.name === 'saving';
  const back = () => {
    send({ type: 'back' });
  };
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const newName = host.renderRoot.querySelector('input')?.value.trim();
    // The name is empty or unchanged, so there is nothing to save.
    if (!newName || newName === state.connector.name) back();
    else send({ type: 'save', newName });
  };
  return html`<form novalidate class="card" part="form" @submit=${save}>
    <div class="field" part="field">
      <label class="label" part="label" for="new-name">${messages.nameLabel}</label>
      <input
        id="new-name"
        class="target"
        part="input"
        maxlength="200"
        autocomplete="off"
        ?readonly=${isBusy}
        .value=${state.newName}
      />
    </div>
    ${isBusy ? nothing : failureNotice(state.failure, messages, state.connector.name)}
    <div class="actions">
      ${button(messages.cancel, back)}
      <button class="button primary" part="primary-button" aria-disabled=${isBusy}>${messages.save}</button>
    </div>
  </form>`;
}
