import type { Connector, SourceDefinition } from '@connector-auth/api';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { moveFocusByArrows } from '../a11y/arrow-keys.ts';
import { SettledAnnouncement } from '../a11y/settled-announcement.ts';
import { searchDefinitions } from '../flow/search.ts';
import type { Catalog, Place, StateOf } from '../flow/flow.ts';
import { blank } from '../parts/blank.ts';
import { glyph } from '../parts/glyphs.ts';
import { Pages } from '../parts/pages.ts';
import { screenHead } from '../parts/screen-head.ts';
import { IconFaults, sourceIcon } from '../parts/source-icon.ts';
import { Screen } from './screen.ts';

type CatalogState = StateOf<'idle' | 'loading' | 'catalog'>;

/** The first screen: what is connected, what can be connected, and a search; a skeleton of it while it loads. */
export class CatalogScreen extends Screen {
  declare state: CatalogState;

  readonly #icons = new IconFaults(this);
  readonly #connectorPages = new Pages(this);
  readonly #sourcePages = new Pages(this);
  #found: readonly SourceDefinition[] = [];
  readonly #count = new SettledAnnouncement(this, text => {
    this.announce(text);
  });

  override focusTarget(): HTMLElement | null {
    if (this.state.name !== 'catalog') return null;
    const { cameFrom } = this.state;
    const search = this.querySelector('input');
    if (cameFrom === null) return search;
    const id = 'definitionId' in cameFrom ? cameFrom.definitionId : cameFrom.connectorId;
    return this.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`) ?? search;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { state } = this;
    if (state.name !== 'catalog' || !changed.has('state')) return;
    const { catalog, cameFrom } = state;
    const before = changed.get('state');
    this.#found = searchDefinitions(catalog.definitions, catalog.query);
    if (before?.name === 'catalog') {
      if (before.catalog.query !== catalog.query)
        this.#count.say(this.messages.sourcesFound(this.#found.length));
    } else if (cameFrom !== null) this.#showPlace(cameFrom, catalog);
  }

  protected override render(): TemplateResult {
    const { state, messages } = this;
    const head = screenHead({ title: messages.catalogTitle, lead: messages.catalogLead });
    if (state.name !== 'catalog') {
      return html`<div class="top">
          ${head}
          <div class="bone field" part="skeleton"></div>
        </div>
        <div class="rows" aria-busy="true">${[1, 2, 3, 4].map(() => boneRow)}</div>`;
    }
    const { definitions, connectors } = state.catalog;
    return html`
      <div class="top">
        ${head} ${definitions.length > 0 ? this.#renderSearch(state.catalog.query) : nothing}
      </div>
      <div @keydown=${this.#handleKeydown}>
        ${connectors.length > 0 && state.catalog.query === '' ? this.#renderConnectors(connectors, state) : nothing}
        ${this.#renderSources(state)}
      </div>
    `;
  }

  /** The row a person comes back to may be far down. */
  #showPlace(place: Place, { connectors }: Catalog): void {
    if ('definitionId' in place) {
      this.#sourcePages.show(
        this.#found.findIndex(({ sourceDefinitionId }) => sourceDefinitionId === place.definitionId),
      );
    } else this.#connectorPages.show(connectors.findIndex(({ id }) => id === place.connectorId));
  }

  #renderSearch(query: string): TemplateResult {
    const { messages } = this;
    return html`<div class="search" part="search" @keydown=${this.#handleKeydown}>
      ${glyph('search')}
      <input
        type="search"
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
              ${glyph('close')}
            </button>`
      }
    </div>`;
  }

  #renderConnectors(connectors: readonly Connector[], { catalog }: StateOf<'catalog'>): TemplateResult {
    const { messages } = this;
    const icons = new Map(catalog.definitions.map(entry => [entry.sourceDefinitionId, entry.iconUrl]));
    return html`<section class="group" part="connected">
      <h3 part="heading">${messages.connectedHeading}</h3>
      ${this.#connectorPages.render(
        connectors,
        ({ id, name, status, definition_id }) =>
          html`<button type="button" class="row" part="connector" data-id=${id} @click=${this.#handleManage}>
            <span class="hidden">${messages.manage}</span>
            ${sourceIcon({ name, iconUrl: icons.get(definition_id) }, this.#icons)}
            <span class="words">
              <span class="name" part="name" dir="auto">${name}</span>
              <span class="status ${status}" part="state">
                ${status === 'active' ? messages.statusActive : messages.statusNeedsReauth}
              </span>
            </span>
            ${glyph('forward')}
          </button>`,
      )}
    </section>`;
  }

  #renderSources(state: StateOf<'catalog'>): TemplateResult {
    const { messages } = this;
    const { definitions, connectors, query } = state.catalog;
    if (definitions.length === 0) {
      return html`<slot name="empty">
        ${blank({ sign: 'plug', title: messages.emptyTitle, hint: messages.emptyHint })}
      </slot>`;
    }
    if (this.#found.length === 0) {
      return blank({
        sign: 'search',
        title: messages.noMatchTitle(query),
        hint: messages.noMatchHint,
        action: html`<button type="button" class="button" part="button" @click=${this.#handleClear}>
          ${messages.clearSearch}
        </button>`,
      });
    }
    return html`<section class="group" part="sources">
      ${connectors.length > 0 && query === '' ? html`<h3 part="heading">${messages.availableHeading}</h3>` : nothing}
      ${this.#sourcePages.render(
        this.#found,
        ({ sourceDefinitionId, name, iconUrl, description, supportLevel }) =>
          html`<button
            type="button"
            class="row"
            part="source"
            data-id=${sourceDefinitionId}
            @click=${this.#handlePick}
          >
            ${sourceIcon({ name, iconUrl }, this.#icons)}
            <span class="words">
              <span class="name" part="name" dir="auto">${name}</span>
              <span class="note" part="description" dir="auto">${description}</span>
            </span>
            ${
              supportLevel === 'certified'
                ? html`<span class="badge" part="badge">
                    ${glyph('check')}<span>${messages.certified}</span>
                  </span>`
                : nothing
            }
            ${glyph('forward')}
          </button>`,
      )}
    </section>`;
  }

  readonly #handleSearch = (event: InputEvent): void => {
    // Only bound to the search field.
    this.send({ type: 'search', query: (event.target as HTMLInputElement).value });
  };

  readonly #handleClear = (): void => {
    this.send({ type: 'search', query: '' });
    this.querySelector('input')?.focus();
  };

  readonly #handlePick = (event: Event): void => {
    this.send({ type: 'pick', definitionId: idOf(event) });
  };

  readonly #handleManage = (event: Event): void => {
    this.send({ type: 'manage', connectorId: idOf(event) });
  };

  /** The last row may not be drawn yet. */
  async #goToEnd(event: KeyboardEvent): Promise<void> {
    if (event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    this.#sourcePages.show(this.#found.length - 1);
    await this.updateComplete;
    [...this.querySelectorAll<HTMLElement>('.row')].at(-1)?.focus();
  }

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.state.name === 'catalog' && this.state.catalog.query !== '') {
      event.stopPropagation();
      // Else a dialog around it would close.
      event.preventDefault();
      this.#handleClear();
      return;
    }
    if (event.key === 'End') void this.#goToEnd(event);
    else moveFocusByArrows(event, [...this.querySelectorAll<HTMLElement>('input, .row')]);
  };
}

const boneRow = html`<div class="row bone-row">
  <span class="bone tile small" part="skeleton"></span>
  <span class="words"
    ><span class="bone line" part="skeleton"></span><span class="bone line short" part="skeleton"></span
  ></span>
</div>`;

function idOf(event: Event): string {
  // Bound to rows, all of which have an id.
  return (event.currentTarget as HTMLElement).dataset['id'] ?? '';
}
