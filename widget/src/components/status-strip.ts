import type { Connector } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { connectionState, sharedErrorCode } from '../flow/connection-state.ts';
import type { Catalog, FlowEvent } from '../flow/flow.ts';
import { canReconnect } from '../flow/rights.ts';
import { sourceOf } from '../flow/sources.ts';
import { isSetUpCode, syncErrorWords } from '../messages/failure-words.ts';
import type { Messages } from '../messages/messages.ts';
import { timeSince, timeUntil } from '../messages/relative-time.ts';
import { statusWords } from '../messages/status-words.ts';
import type { Failure } from '../service/failure.ts';
import { button } from './buttons.ts';
import { connectorStatus, toneOf } from './connector-status.ts';
import { supportLink } from './integrator.ts';
import { shareWords } from './sync-entities.ts';
import { ticking } from './ticking.ts';

export interface StatusStripOptions {
  readonly catalog: Catalog;
  readonly connector: Connector;
  readonly messages: Messages;
  readonly send: (event: FlowEvent) => void;
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
  const words =
    state.name === 'limited' ? messages.limitedTitle(sourceNameOf(options)) : statusWords(state, messages);
  return html`<div
    class="strip ${toneOf(connector)} ${isTarget ? 'target' : ''}"
    part="status"
    role="group"
    tabindex="-1"
    aria-label=${words}
  >
    <div class="strip-text">
      ${connectorStatus(connector, messages, html`${words}${renderDetail()}`)}
      <p part="hint" dir="auto">${renderHint(options)}</p>
    </div>
    ${renderAction(options)}
    ${
      state.name === 'syncing'
        ? html`<progress
            part="progress"
            aria-label=${messages.statusSyncing}
            value=${state.progress ?? nothing}
          ></progress>`
        : nothing
    }
  </div>`;

  function renderDetail(): unknown {
    if (state.name === 'syncing' && state.progress) {
      return ` ${shareWords(state.progress, messages)}`;
    }
    if (state.name !== 'current' || !state.since) return nothing;
    const { since } = state;
    return html` · ${ticking(since, messages, timeSince(since, messages))}`;
  }
}

/** Renders what happens next. */
function renderHint(options: StatusStripOptions): unknown {
  const { catalog, connector, messages } = options;
  const { sync } = connector;
  const sourceName = sourceNameOf(options);
  const state = connectionState(connector);
  const name = catalog.integrator?.name;
  switch (state.name) {
    case 'expired':
      if (canReconnect(catalog, connector)) return messages.needsReauthHint(sourceName);
      return name ? messages.noMethodHintBy(name) : messages.noMethodHint;
    case 'paused':
      return name ? messages.pausedHintBy(name) : messages.pausedHint;
    case 'failing': {
      const words = syncErrorWords(
        sharedErrorCode(sync),
        { source: sourceName, integrator: catalog.integrator },
        messages,
      );
      return html`${words && html`<span part="sync-error">${words}</span> `}${messages.failingHint}`;
    }
    case 'syncing':
      if (sync.status === 'ready') return nothing;
      return sync.status === 'preview' ? messages.syncPreview : messages.leaveHint;
    case 'limited': {
      const { until } = state;
      const when = until && ticking(until, messages, messages.syncContinues(timeUntil(until, messages)));
      return html`${messages.limitedHint(sourceName)} ${when}`;
    }
    case 'current': {
      if (!state.since) return messages.activeHint;
      const { next_sync_at: next } = sync;
      return next ? ticking(next, messages, messages.nextSync(timeUntil(next, messages))) : nothing;
    }
  }
}

function renderAction({ catalog, connector, messages, send, isBusy, failure }: StatusStripOptions): unknown {
  // Before that time, another request would fail, too.
  if (Date.parse(failure?.retryAt ?? '') > Date.now()) return nothing;
  const state = connectionState(connector);
  switch (state.name) {
    case 'expired': {
      if (!canReconnect(catalog, connector)) return supportLink(catalog.integrator, messages);
      const reconnect = () => {
        send({ type: 'reconnect' });
      };
      return button(messages.reconnect, reconnect, { kind: 'primary' });
    }
    case 'paused':
      return supportLink(catalog.integrator, messages);
    case 'failing':
    case 'current': {
      if (isSetUpCode(sharedErrorCode(connector.sync))) return supportLink(catalog.integrator, messages);
      const isSynced = Object.keys(connector.sync.entities).length > 0;
      if (!isSynced || (catalog.rights && !catalog.rights.actions.includes('search'))) return nothing;
      const sync = () => {
        send({ type: 'sync' });
      };
      return button(messages.syncNow, sync, {
        kind: isBusy ? 'target' : '',
        part: 'sync-button',
        isBusy,
      });
    }
    default:
      // A sync is under way, or the vendor does not allow one yet.
      return nothing;
  }
}

function sourceNameOf({ catalog, connector }: StatusStripOptions): string {
  return sourceOf(catalog, connector)?.name ?? connector.name;
}
