import type { Connector, SourceDefinition } from '@connector-auth/api';
import { connectionState, connectionTones } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import { button } from '../components/buttons.ts';
import { connectorStatus } from '../components/connector-status.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import { supportLink } from '../components/integrator.ts';
import { handleListKey } from '../components/list-keys.ts';
import { screenHead } from '../components/screen-head.ts';
import { searchField } from '../components/search-field.ts';
import { skeletonRows } from '../components/skeleton-rows.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { VirtualList } from '../components/virtual-list.ts';
import { connectorAuthEvent } from '../events.ts';
import type { Catalog, StateOf } from '../flow/flow.ts';
import { canReconnect } from '../flow/rights.ts';
import { createSearch } from '../flow/search.ts';
import { groupSources, sourceOf } from '../flow/sources.ts';
import type { RenderContext } from './render-context.ts';

/** The number of sources from which there is a search field. */
const searchableCount = 8;
/** Delay after the last keystroke before the number of results is announced, in milliseconds. */
const announceDelayMs = 600;

/** The first screen: connectors, available sources and a search field. Shows a skeleton while loading. */
export class CatalogScreen {
  readonly #connectorList: VirtualList;
  readonly #sourceList: VirtualList;
  #state: StateOf<'catalog'> | undefined;
  #catalog: Catalog | undefined;
  /** The displayed query, or undefined if another screen was displayed since. */
  #query: string | undefined;
  #find = createSearch<SourceDefinition>([]);
  /** All sources in the order of their categories, and in each of them those without a connector first. */
  #grouped = groupSources([]);
  /** The sources that match the query. */
  #found: readonly SourceDefinition[] = [];
  #findConnectors: (query: string) => readonly Connector[] = createSearch([]);
  /** The connectors that match the query, those with problems first. */
  #connectors: readonly Connector[] = [];
  /** The ids of the definitions that the customer has connected. */
  #connected: ReadonlySet<string> = new Set();
  /** The query for which the user requested a source. */
  #requested: string | undefined;
  #announceTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly context: RenderContext) {
    this.#connectorList = new VirtualList(context.host);
    this.#sourceList = new VirtualList(context.host);
  }

  /** Resets the screen. Call it when another screen replaces the catalog. */
  leave(): void {
    clearTimeout(this.#announceTimer);
    this.#query = undefined;
  }

  /** Releases resources. Call it when this screen is no longer rendered. */
  stop(): void {
    this.leave();
    this.#connectorList.stop();
    this.#sourceList.stop();
  }

  /** @param state undefined while the catalog loads. */
  render(state: StateOf<'catalog'> | undefined): TemplateResult {
    const { messages } = this.context;
    const isEmpty = state?.catalog.definitions.length === 0;
    const head = screenHead(messages.catalogTitle, isEmpty ? null : messages.catalogLead);
    if (!state) {
      return html`<div class="screen wide">
        <div class="top">${head}</div>
        <div class="rows" aria-busy="true">${skeletonRows('row skeleton-row', 'tile')}</div>
      </div>`;
    }
    const { definitions, query, integrator } = state.catalog;
    const hasConnectors = this.#connectors.length > 0;
    // Without a query, all sources are shown in groups.
    const starts = query ? undefined : this.#grouped.starts;
    return html`<div class="screen wide" @keydown=${this.#handleKeydown}>
      <div class="top">
        ${head} ${definitions.length < searchableCount ? nothing : this.#renderSearch(state)}
      </div>
      ${hasConnectors ? this.#renderConnectors(state) : nothing}
      ${
        this.#found.length
          ? html`<section class="group" part="sources">
              ${hasConnectors ? html`<h3 part="heading">${messages.availableHeading}</h3>` : nothing}
              ${this.#sourceList.render(
                this.#found,
                (source, tabIndex) =>
                  html`${this.#renderCategory(starts?.get(source))}${this.#renderSource(source, tabIndex, state)}`,
              )}
            </section>`
          : definitions.length
            ? hasConnectors
              ? nothing
              : this.#renderNoMatch(state)
            : html`<slot name="empty"
                >${emptyState({
                  icon: icons.plug,
                  title: messages.emptyTitle,
                  hint: integrator?.name ? messages.emptyHintBy(integrator.name) : messages.emptyHint,
                  action: supportLink(integrator, messages),
                })}</slot
              >`
      }
      ${state.catalog.mcpUrl ? this.#renderAgents(state) : nothing}
    </div>`;
  }

  /** Runs the search and ensures that the row to which the user returns is rendered. */
  enter(state: StateOf<'catalog'>): void {
    if (state === this.#state) return;
    this.#state = state;
    const { catalog, cameFrom } = state;
    const { messages, announce } = this.context;
    const { definitions, connectors, query } = catalog;
    const before = this.#catalog;
    this.#catalog = catalog;
    if (before?.definitions !== definitions || before.connectors !== connectors) {
      this.#find = createSearch(definitions);
      this.#findConnectors = createSearch(
        sortByUrgency(connectors).map(connector => ({
          ...connector,
          connectorType: connector.connector_type,
          description: '',
        })),
      );
      this.#connected = new Set(connectors.map(({ definition_id }) => definition_id));
      const rank = ({ sourceDefinitionId: id }: SourceDefinition) => Number(this.#connected.has(id));
      this.#grouped = groupSources([...definitions].sort((a, b) => rank(a) - rank(b)));
    }
    this.#found = query ? this.#find(query) : this.#grouped.sources;
    this.#connectors = this.#findConnectors(query);
    clearTimeout(this.#announceTimer);
    const shown = this.#query;
    this.#query = query;
    if (shown !== undefined && shown !== query) {
      this.#announceTimer = setTimeout(() => {
        announce(messages.sourcesFound(this.#connectors.length + this.#found.length));
      }, announceDelayMs);
    } else if (cameFrom) {
      // The row to which the user returns may be far down.
      this.#sourceList.activate(this.#found.findIndex(source => source.sourceDefinitionId === cameFrom));
      this.#connectorList.activate(this.#connectors.findIndex(({ id }) => id === cameFrom));
    }
  }

  #renderSearch({ catalog: { query }, cameFrom }: StateOf<'catalog'>): TemplateResult {
    const { messages } = this.context;
    return searchField(
      {
        label: messages.searchLabel,
        query,
        kind: cameFrom ? '' : 'target',
        onSearch: this.#handleSearch,
        onClear: this.#handleClear,
      },
      messages,
    );
  }

  #renderConnectors({ catalog, cameFrom }: StateOf<'catalog'>): TemplateResult {
    const { messages, send } = this.context;
    return html`<section class="group" part="connected">
      <h3 part="heading">${messages.connectedHeading}</h3>
      ${this.#connectorList.render(this.#connectors, (connector, tabIndex) => {
        const { id, name } = connector;
        return html`<button
          type="button"
          class="row ${id === cameFrom ? 'target' : ''}"
          part="connector"
          tabindex=${tabIndex}
          data-id=${id}
          @click=${() => {
            send({ type: 'manage', connectorId: id });
          }}
        >
          <span class="visually-hidden">${messages.manage}</span>
          ${sourceIcon(name, sourceOf(catalog, connector)?.iconUrl)}
          <span class="text">
            <span class="name" part="name" dir="auto">${name}</span>
            ${connectorStatus(connector, messages)}
          </span>
          ${
            connector.status === 'needs_reauth' && canReconnect(catalog, connector)
              ? html`<span class="action call" part="action">${messages.reconnect}</span>`
              : icons.forward
          }
        </button>`;
      })}
    </section>`;
  }

  /** @param category undefined if the source does not start a group; empty if the group has no category. */
  #renderCategory(category: string | undefined): TemplateResult | typeof nothing {
    if (category === undefined) return nothing;
    return html`<h3 part="heading" dir="auto">${category || this.context.messages.otherSources}</h3>`;
  }

  #renderSource(
    { sourceDefinitionId: id, name, iconUrl, description, supportLevel }: SourceDefinition,
    tabIndex: number,
    { cameFrom }: StateOf<'catalog'>,
  ): TemplateResult {
    const { messages, send } = this.context;
    const isConnected = this.#connected.has(id);
    return html`<button
      type="button"
      class="row ${isConnected ? 'again' : ''} ${id === cameFrom ? 'target' : ''}"
      part="source"
      tabindex=${tabIndex}
      data-id=${id}
      @click=${() => {
        send({ type: 'pick', definitionId: id });
      }}
    >
      ${sourceIcon(name, iconUrl)}
      <span class="text">
        <span class="title"
          ><span class="name" part="name" dir="auto">${name}</span>${
            supportLevel === 'community'
              ? html`<span class="badge" part="badge">${messages.beta}</span>`
              : nothing
          }</span
        >
        <span class="note" part="description" dir="auto">${description}</span>
      </span>
      <span class="action" part="action">${isConnected ? messages.addAnother : messages.connect}</span>
    </button>`;
  }

  #renderAgents({ cameFrom }: StateOf<'catalog'>): TemplateResult {
    const { messages, sends } = this.context;
    return html`<div class="group rows">
      <button
        type="button"
        class="row again ${cameFrom === 'agents' ? 'target' : ''}"
        part="agents-button"
        @click=${sends('openAgents')}
      >
        <span class="tile">${icons.plug}</span
        ><span class="text">${messages.agentsTitle}</span>${icons.forward}
      </button>
    </div>`;
  }

  #renderNoMatch({ catalog: { query, integrator } }: StateOf<'catalog'>): TemplateResult {
    const { messages, host } = this.context;
    const wanted = query.trim();
    const isRequested = this.#requested === wanted;
    const request = button(messages.request(wanted), this.#handleRequest, {
      kind: 'primary',
      part: 'request-button',
    });
    return emptyState({
      icon: isRequested ? icons.check : icons.search,
      title: isRequested ? messages.requestSent : messages.noMatchTitle(wanted),
      hint: isRequested ? messages.requested(wanted) : messages.noMatchHint,
      action: html`<slot name="request"
          >${isRequested ? nothing : host.requests ? request : supportLink(integrator, messages)}</slot
        >${button(messages.clearSearch, this.#handleClear)}`,
    });
  }

  get #input(): HTMLInputElement | null {
    return this.context.host.renderRoot.querySelector<HTMLInputElement>('.search input');
  }

  readonly #handleSearch = (query: string): void => {
    this.context.send({ type: 'search', query });
  };

  readonly #handleClear = (): void => {
    this.context.send({ type: 'search', query: '' });
    this.#input?.focus();
  };

  readonly #handleRequest = (): void => {
    const { announce, host, messages } = this.context;
    const query = (this.#query ?? '').trim();
    clearTimeout(this.#announceTimer);
    this.#requested = query;
    host.dispatchEvent(connectorAuthEvent('connector-auth-request', { query }));
    announce(messages.requested(query));
    // The button is removed.
    this.#input?.focus();
  };

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    const input = this.#input;
    const isHandled = handleListKey(event, {
      query: this.#query ?? '',
      clear: this.#handleClear,
      above: input ? [input] : [],
      lists: [
        [this.#connectorList, this.#connectors.length],
        [this.#sourceList, this.#found.length],
      ],
    });
    // The field receives another character, because it has focus before the character is inserted.
    if (!isHandled && event.key.trim().length === 1 && event.target !== input) input?.focus();
  };
}

/** Returns the connectors with those first about which the user can do something. */
export function sortByUrgency(connectors: readonly Connector[]): readonly Connector[] {
  const urgency = Object.keys(connectionTones);
  const rank = (connector: Connector) => urgency.indexOf(connectionState(connector).name);
  return [...connectors].sort((a, b) => rank(a) - rank(b));
}
