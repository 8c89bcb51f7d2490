import type { Connector } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { button } from '../components/buttons.ts';
import { recordsOf } from '../components/entity-rows.ts';
import { icons } from '../components/icons.ts';
import { RunningCount } from '../components/running-count.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { shareWords, syncEntities } from '../components/sync-entities.ts';
import { connectorAuthEvent, summaryOf } from '../events.ts';
import { connectionState } from '../flow/connection-state.ts';
import type { Catalog, StateOf } from '../flow/flow.ts';
import { isAllowed } from '../flow/rights.ts';
import { sourceOf } from '../flow/sources.ts';
import { statusWords } from '../messages/status-words.ts';
import type { RenderContext } from './render-context.ts';

/** Minimum time between two announcements of the progress, in milliseconds. */
export const announceIntervalMs = 10_000;

/** The success screen for a connected source, with the progress of its first sync. */
export class ConnectedScreen {
  readonly #count: RunningCount;
  #announced = '';
  #announcedAt = Date.now();
  #connector: Connector | undefined;

  constructor(private readonly context: RenderContext) {
    this.#count = new RunningCount(context.host, () => {
      context.host.requestUpdate();
    });
  }

  /** Releases resources. Call it when this screen is no longer rendered. */
  stop(): void {
    this.#count.stop();
  }

  render({ catalog, connector, isAgain }: StateOf<'connected'>): TemplateResult {
    const { messages, send } = this.context;
    const { name, sync } = connector;
    const source = sourceOf(catalog, connector);
    const isSynced = sync.status !== 'none';
    const progress = sync.status === 'ready' ? null : sync.progress;
    const records = recordsOf(connector);
    if (isSynced && connector !== this.#connector) this.#announce(records, this.#hint(connector, catalog));
    this.#connector = connector;
    const canAdd = !isAgain && catalog.definitions.length > 1 && isAllowed(catalog, 'create');
    const next = () => {
      this.context.host.dispatchEvent(
        connectorAuthEvent('connector-auth-next', { connector: summaryOf(connector) }),
      );
      send({ type: 'back' });
    };
    const another = () => {
      send({ type: 'another' });
    };
    return html`<div class="screen">
      <div class="success" part="message">
        ${sourceIcon(source?.name ?? name, source?.iconUrl)}
        <span class="icon-circle good" part="sign">${icons.check}</span>
        <h2 part="title" dir="auto">${messages.connectedTitle(name)}</h2>
        <p class="lead" part="lead" dir="auto">${this.#hint(connector, catalog)}</p>
        ${
          records
            ? html`<p class="count" part="records">
                ${this.#counted(this.#count.valueAt(performance.now(), records), progress)}
              </p>`
            : nothing
        }
        ${
          progress === null || progress === undefined
            ? nothing
            : html`<progress
                part="progress"
                aria-label=${messages.syncBuilding}
                value=${progress}
              ></progress>`
        }
        ${
          isSynced
            ? syncEntities(sync, { source: source?.name ?? name, integrator: catalog.integrator }, messages)
            : nothing
        }
      </div>
      <div class="footer" part="footer">
        <button type="button" class="button primary" part="primary-button" @click=${next}>
          <slot name="next">${messages.done}</slot>
        </button>
        ${canAdd ? button(messages.another, another, { kind: 'quiet' }) : nothing}
      </div>
    </div>`;
  }

  #counted(records: number, progress: number | null | undefined): string {
    const { messages } = this.context;
    const words = messages.records(records);
    if (progress === null || progress === undefined) return words;
    return `${messages.recordsSoFar(words)} · ${shareWords(progress, messages)}`;
  }

  #hint(connector: Connector, catalog: Catalog): string {
    const { messages } = this.context;
    const source = sourceOf(catalog, connector)?.name ?? connector.name;
    return {
      none: messages.connectedIdle(catalog.integrator?.name ?? '', source),
      building: messages.connectedHint,
      preview: messages.syncPreview,
      ready: statusWords(connectionState(connector), messages),
    }[connector.sync.status];
  }

  /** Announces the progress unless nothing has changed or the last announcement was just before. */
  #announce(records: number, hint: string): void {
    const { messages, announce } = this.context;
    const text = `${messages.records(records)}. ${hint}`;
    const now = Date.now();
    if (text === this.#announced || now - this.#announcedAt < announceIntervalMs) return;
    this.#announced = text;
    this.#announcedAt = now;
    // An announcement renders the host again, which must not happen during this rendering.
    queueMicrotask(() => {
      announce(text);
    });
  }
}
