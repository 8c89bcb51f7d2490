import type { Connector } from '@connector-auth/api';
import { connectionState, type ConnectionState } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import type { Catalog, PlainEvent } from '../flow/flow.ts';
import { canReconnect } from '../flow/rights.ts';
import { sourceOf } from '../flow/sources.ts';
import { isSetUpCode, syncErrorWords } from '../messages/failure-words.ts';
import type { Messages } from '../messages/messages.ts';
import { timeSince, timeUntil } from '../messages/relative-time.ts';
import { statusWords } from '../messages/status-words.ts';
import type { Failure } from '../service/failure.ts';
import { button } from './buttons.ts';
import { connectorStatus } from './connector-status.ts';
import { supportLink } from './integrator.ts';
import { importProgress } from './sync-entities.ts';
import { ticking } from './ticking.ts';

export interface StatusStripOptions {
  readonly catalog: Catalog;
  readonly connector: Connector;
  readonly messages: Messages;
  readonly sends: (type: PlainEvent) => () => void;
  /** Whether a sync is being requested. */
  readonly isBusy: boolean;
  /** Whether the strip receives focus when its screen opens. */
  readonly isTarget: boolean;
  /** The reason why the last sync could not be requested. */
  readonly failure?: Failure | null;
}

/** Renders the state of a connection in its colour, with what happens next and what the user can do. */
export function statusStrip(options: StatusStripOptions): TemplateResult {
  const { connector, messages, isTarget } = options;
  const state = connectionState(connector);
  return html`<div
    class="strip ${state.tone} ${isTarget ? 'target' : ''}"
    part="status"
    role="group"
    tabindex="-1"
    aria-label=${statusWords(state, messages)}
  >
    <div class="strip-text">
      ${connectorStatus(connector, messages, renderDetail())}
      <p part="hint" dir="auto">${renderHint(options, state)}</p>
    </div>
    ${renderAction(options, state)} ${state.name === 'syncing' ? importProgress(state, messages) : nothing}
  </div>`;

  function renderDetail(): unknown {
    const { name, progress, finished, total, since } = state;
    if (name === 'syncing' && progress !== null && total > 1)
      return ` · ${messages.typesOfData(finished, total)}`;
    return name === 'current' && since
      ? [' · ', ticking(since, messages, timeSince(since, messages))]
      : nothing;
  }
}

/** Renders what happens next. */
function renderHint({ catalog, connector, messages }: StatusStripOptions, state: ConnectionState): unknown {
  const sourceName = sourceOf(catalog, connector)?.name ?? connector.name;
  const name = catalog.integrator?.name;
  switch (state.name) {
    case 'expired':
      if (canReconnect(catalog, connector)) return messages.needsReauthHint(sourceName);
      return name ? messages.noMethodHintBy(name) : messages.noMethodHint;
    case 'paused':
      return name ? messages.pausedHintBy(name) : messages.pausedHint;
    case 'unavailable':
      return messages.notAvailableHint;
    case 'failing':
    case 'partly_failing': {
      const words = syncErrorWords(
        state.errorCode,
        { source: sourceName, integrator: catalog.integrator },
        messages,
      );
      return html`${words && html`<span part="sync-error">${words}</span>`}${state.records ? ` ${messages.failingHint}` : nothing}`;
    }
    case 'syncing':
      if (state.data === 'ready') return nothing;
      return state.data === 'preview' ? messages.syncPreview : messages.leaveHint;
    case 'limited': {
      const { until } = state;
      const when = until && ticking(until, messages, messages.syncContinues(timeUntil(until, messages)));
      return html`${messages.limitedHint(sourceName)} ${when}`;
    }
    case 'connected':
      return messages.activeHint;
    case 'current': {
      const { next_sync_at: next } = connector.sync;
      return next ? ticking(next, messages, messages.nextSync(timeUntil(next, messages))) : nothing;
    }
  }
}

function renderAction(
  { catalog, connector, messages, sends, isBusy, failure }: StatusStripOptions,
  state: ConnectionState,
): unknown {
  // Before that time, another request would fail, too.
  if (Date.parse(failure?.retryAt ?? '') > Date.now()) return nothing;
  switch (state.name) {
    case 'expired':
      return canReconnect(catalog, connector)
        ? button(messages.reconnect, sends('reconnect'), { kind: 'primary' })
        : supportLink(catalog.integrator, messages);
    case 'paused':
    case 'unavailable':
      return supportLink(catalog.integrator, messages);
    case 'failing':
    case 'partly_failing':
    case 'current':
      if (isSetUpCode(state.errorCode)) return supportLink(catalog.integrator, messages);
      // What fails may already be retried.
      if (
        state.isUnderWay ||
        Date.parse(state.until ?? '') <= Date.now() ||
        (catalog.rights && !catalog.rights.actions.includes('search'))
      )
        return nothing;
      return button(messages.syncNow, sends('sync'), {
        kind: isBusy ? 'target' : '',
        part: 'sync-button',
        isBusy,
      });
    default:
      // A sync is under way, or the vendor does not allow one yet.
      return nothing;
  }
}
