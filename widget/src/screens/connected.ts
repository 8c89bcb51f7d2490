import type { Connector } from '@connector-auth/api';
import { connectionState, type ConnectionState } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import { button } from '../components/buttons.ts';
import { icons } from '../components/icons.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { importProgress, latestRecords, syncEntities } from '../components/sync-entities.ts';
import { connectorAuthEvent, summaryOf } from '../events.ts';
import type { StateOf } from '../flow/flow.ts';
import { isAllowed } from '../flow/rights.ts';
import { sourceOf } from '../flow/sources.ts';
import { statusWords } from '../messages/status-words.ts';
import type { RenderContext } from './render-context.ts';

/** Minimum time between two announcements of the progress, in milliseconds. */
export const announceIntervalMs = 10_000;

/** The number of accounts up to which their names are shown. */
const maxNames = 3;

/** The success screen for a connected source, with the progress of its first sync. */
export class ConnectedScreen {
  #announced = '';
  #announcedAt = Date.now();
  #connector: Connector | undefined;

  constructor(private readonly context: RenderContext) {}

  render({ catalog, connector, isAgain, accounts }: StateOf<'connected'>): TemplateResult {
    const { messages, send, sends } = this.context;
    const { name, sync } = connector;
    const source = sourceOf(catalog, connector);
    const syncing = connectionState(connector);
    const { data, progress, records } = syncing;
    const hint = this.#hint(syncing, catalog.integrator?.name ?? '', source?.name ?? name);
    if (data !== 'none' && connector !== this.#connector) this.#announce(records, hint);
    this.#connector = connector;
    const canAdd = !isAgain && catalog.definitions.length > 1 && isAllowed(catalog, 'create');
    const next = () => {
      this.context.host.dispatchEvent(
        connectorAuthEvent('connector-auth-next', { connector: summaryOf(connector) }),
      );
      send({ type: 'back' });
    };
    return html`<div class="screen">
      <div class="success" part="message">
        ${sourceIcon(source?.name ?? name, source?.iconUrl)}
        <span class="icon-circle good" part="sign">${icons.check}</span>
        <h2 part="title" dir="auto">${messages.connectedTitle(name)}</h2>
        ${accounts.length ? html`<p part="accounts" dir="auto">${this.#accountWords(accounts, source?.accounts_title)}</p>` : nothing}
        <p class="lead" part="lead" dir="auto">${hint}</p>
        ${
          records
            ? html`<p class="count" part="records">
                ${data === 'ready' ? messages.records(records) : messages.recordsSoFar(messages.records(records))}
              </p>`
            : nothing
        }
        ${progress === null ? nothing : importProgress(syncing, messages)}
        ${
          data === 'none'
            ? nothing
            : syncEntities(
                connector,
                { source: source?.name ?? name, integrator: catalog.integrator },
                messages,
              )
        }
        ${latestRecords(sync, messages)}
      </div>
      <div class="footer" part="footer">
        <button type="button" class="button primary" part="primary-button" @click=${next}>
          <slot name="next">${messages.done}</slot>
        </button>
        ${canAdd ? button(messages.another, sends('another'), { kind: 'quiet', part: 'another-button' }) : nothing}
      </div>
    </div>`;
  }

  #accountWords(names: readonly string[], title: string | null | undefined): string {
    const { accountsHeading, language } = this.context.messages;
    if (names.length <= maxNames) return new Intl.ListFormat(language).format(names);
    return `${title ?? accountsHeading}: ${names.length.toLocaleString(language)}`;
  }

  #hint(syncing: ConnectionState, integrator: string, source: string): string {
    const { messages } = this.context;
    const { data, isUnderWay } = syncing;
    if (data === 'none') return messages.connectedIdle(integrator, source);
    if (data === 'ready' || !isUnderWay) return statusWords(syncing, messages);
    return data === 'preview' ? messages.syncPreview : messages.connectedHint;
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
