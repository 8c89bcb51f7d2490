import type { SourceDefinition } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { moveFocusByArrows } from '../a11y/arrow-keys.ts';
import { button } from '../components/buttons.ts';
import { connectorStatus } from '../components/connector-status.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import { supportLink } from '../components/integrator.ts';
import { screenHead } from '../components/screen-head.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { VirtualList } from '../components/virtual-list.ts';
import type { Catalog, StateOf } from '../flow/flow.ts';
import { createSearch } from '../flow/search.ts';
import type { RenderContext } from './render-context.ts';

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
  #find = createSearch([]);
  #found: readonly SourceDefinition[] = [];
  /** Maps definition ids to icon URLs. */
  #icons: ReadonlyMap<string, string> = new Map();
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
    const head = screenHead(messages.catalogTitle, messages.catalogLead);
    if (!state) {
      return html`<div class="screen wide">
        <div class="top">
          ${head}
          <div class="skeleton field" part="skeleton"></div>
        </div>
        <div class="rows" aria-busy="true">${[1, 2, 3, 4].map(() => skeletonRow)}</div>
      </div>`;
    }
    const { catalog } = state;
    const { definitions, connectors, query, integrator } = catalog;
    const isWhole = query === '';
    return html`<div class="screen wide" @keydown=${this.#handleKeydown}>
      <div class="top">${head} ${definitions.length ? this.#renderSearch(state) : nothing}</div>
      ${connectors.length && isWhole ? this.#renderConnectors(state) : nothing}
      ${
        this.#found.length
          ? html`<section class="group" part="sources">
              ${connectors.length && isWhole ? html`<h3 part="heading">${messages.availableHeading}</h3>` : nothing}
              ${this.#sourceList.render(this.#found, source => this.#renderSource(source, state))}
            </section>`
          : definitions.length
            ? emptyState({
                icon: icons.search,
                title: messages.noMatchTitle(query),
                hint: messages.noMatchHint,
                action: button(messages.clearSearch, this.#handleClear),
              })
            : html`<slot name="empty"
                >${emptyState({
                  icon: icons.plug,
                  title: messages.emptyTitle,
                  hint: integrator?.name ? messages.emptyHintBy(integrator.name) : messages.emptyHint,
                  action: supportLink(integrator, messages),
                })}</slot
              >`
      }
    </div>`;
  }

  /** Runs the search and ensures that the row to which the user returns is rendered. */
  enter(state: StateOf<'catalog'>): void {
    if (state === this.#state) return;
    this.#state = state;
    const { catalog, cameFrom } = state;
    const { messages, announce } = this.context;
    const { definitions, query } = catalog;
    const before = this.#catalog;
    this.#catalog = catalog;
    if (before?.definitions !== definitions) {
      this.#find = createSearch(definitions);
      this.#icons = new Map(definitions.map(entry => [entry.sourceDefinitionId, entry.iconUrl]));
    }
    this.#found = this.#find(query);
    clearTimeout(this.#announceTimer);
    const shown = this.#query;
    this.#query = query;
    if (shown !== undefined && shown !== query) {
      const announcement = messages.sourcesFound(this.#found.length);
      this.#announceTimer = setTimeout(() => {
        announce(announcement);
      }, announceDelayMs);
    } else if (cameFrom) {
      // The row to which the user returns may be far down.
      this.#sourceList.show(this.#found.findIndex(source => source.sourceDefinitionId === cameFrom));
      this.#connectorList.show(catalog.connectors.findIndex(({ id }) => id === cameFrom));
    }
  }

  #renderSearch({ catalog: { query }, cameFrom }: StateOf<'catalog'>): TemplateResult {
    const { messages } = this.context;
    return html`<div class="search" part="search">
      ${icons.search}
      <input
        type="search"
        class=${cameFrom ? '' : 'target'}
        part="search-input"
        aria-label=${messages.searchLabel}
        placeholder=${messages.searchLabel}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        enterkeyhint="search"
        .value=${query}
        @input=${this.#handleSearch}
      />
      ${
        query === ''
          ? nothing
          : html`<button
              type="button"
              class="tool"
              part="clear-button"
              aria-label=${messages.clearSearch}
              @click=${this.#handleClear}
            >
              ${icons.close}
            </button>`
      }
    </div>`;
  }

  #renderConnectors({ catalog, cameFrom }: StateOf<'catalog'>): TemplateResult {
    const { messages, send } = this.context;
    return html`<section class="group" part="connected">
      <h3 part="heading">${messages.connectedHeading}</h3>
      ${this.#connectorList.render(
        catalog.connectors,
        ({ id, name, status, sync, definition_id }) =>
          html`<button
            type="button"
            class="row ${id === cameFrom ? 'target' : ''}"
            part="connector"
            data-id=${id}
            @click=${() => {
              send({ type: 'manage', connectorId: id });
            }}
          >
            <span class="visually-hidden">${messages.manage}</span>
            ${sourceIcon(name, this.#icons.get(definition_id))}
            <span class="text">
              <span class="name" part="name" dir="auto">${name}</span>
              ${connectorStatus({ status, sync }, messages)}
            </span>
            ${icons.forward}
          </button>`,
      )}
    </section>`;
  }

  #renderSource(
    { sourceDefinitionId: id, name, iconUrl, description, supportLevel }: SourceDefinition,
    { cameFrom }: StateOf<'catalog'>,
  ): TemplateResult {
    const { messages, send } = this.context;
    return html`<button
      type="button"
      class="row ${id === cameFrom ? 'target' : ''}"
      part="source"
      data-id=${id}
      @click=${() => {
        send({ type: 'pick', definitionId: id });
      }}
    >
      ${sourceIcon(name, iconUrl)}
      <span class="text">
        <span class="name" part="name" dir="auto">${name}</span>
        <span class="note" part="description" dir="auto">${description}</span>
      </span>
      ${
        supportLevel === 'certified'
          ? html`<span class="badge" part="badge"> ${icons.check}<span>${messages.certified}</span> </span>`
          : nothing
      }
      ${icons.forward}
    </button>`;
  }

  #stops(selector: string): readonly HTMLElement[] {
    return [...this.context.host.renderRoot.querySelectorAll<HTMLElement>(selector)];
  }

  readonly #handleSearch = (event: InputEvent): void => {
    // The handler is bound only to the search field.
    this.context.send({ type: 'search', query: (event.target as HTMLInputElement).value });
  };

  readonly #handleClear = (): void => {
    this.context.send({ type: 'search', query: '' });
    this.#stops('input')[0]?.focus();
  };

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    const isInput = event.target instanceof HTMLInputElement;
    if (event.key === 'Escape' && this.#catalog?.query) {
      event.stopPropagation();
      // Otherwise a surrounding dialog would close.
      event.preventDefault();
      this.#handleClear();
    } else if (event.key === 'End' && !isInput) void this.#focusLastRow(event);
    else moveFocusByArrows(event, this.#stops('input, .row'));
  };

  /** Focuses the last row, which may not be rendered yet. */
  async #focusLastRow(event: KeyboardEvent): Promise<void> {
    event.preventDefault();
    this.#sourceList.show(this.#found.length - 1);
    await this.context.host.updateComplete;
    this.#stops('.row').at(-1)?.focus();
  }
}

const skeletonRow = html`<div class="row skeleton-row">
  <span class="skeleton tile" part="skeleton"></span>
  <span class="text"
    ><span class="skeleton line" part="skeleton"></span
    ><span class="skeleton line short" part="skeleton"></span
  ></span>
</div>`;
