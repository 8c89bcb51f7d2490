import type { Account, ListAccountsResponse } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { fold } from '../flow/search.ts';
import { button } from './buttons.ts';
import type { ComponentContext } from './component-context.ts';
import { handleListKey } from './list-keys.ts';
import { searchField } from './search-field.ts';
import { VirtualList } from './virtual-list.ts';

/** The number of accounts above which they can be searched, and one Tab leaves the list. */
const maxUnsearched = 8;
/** Delay after the last keystroke before the number of results is announced, in milliseconds. */
const announceDelayMs = 600;

/**
 * A list of accounts with checkboxes, a search field and a checkbox for all of them. Accounts that cannot be
 * selected follow the others. Keeps the selection until it is discarded.
 */
export class AccountPicker {
  /** The number of accounts that can be selected. */
  readonly total: number;
  readonly #accounts: readonly Account[];
  readonly #chosen: Set<string>;
  readonly #initial: ReadonlySet<string>;
  readonly #list: VirtualList;
  #query = '';
  /** The accounts that match the query. */
  #shown: readonly Account[];
  #announceTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param title what the source calls its accounts, such as “Workspaces”, or null if it calls them accounts. */
  constructor(
    list: ListAccountsResponse,
    private readonly title: string | null,
    private readonly context: ComponentContext,
  ) {
    const selectable = list.accounts.filter(account => account.selectable);
    this.total = selectable.length;
    this.#accounts = [...selectable, ...list.accounts.filter(account => !account.selectable)];
    this.#shown = this.#accounts;
    const selected = list.selected && new Set(list.selected);
    this.#chosen = new Set(selectable.map(({ id }) => id).filter(id => selected?.has(id) ?? true));
    this.#initial = new Set(this.#chosen);
    this.#list = new VirtualList(context.host);
  }

  /** Releases resources. Call it when the list is no longer rendered. */
  stop(): void {
    clearTimeout(this.#announceTimer);
    this.#list.stop();
  }

  get count(): number {
    return this.#chosen.size;
  }

  /** The ids of the selected accounts, or null if all of them are selected. */
  get ids(): readonly string[] | null {
    return this.count === this.total ? null : [...this.#chosen];
  }

  get isChanged(): boolean {
    return this.isReduced || this.count !== this.#initial.size;
  }

  /** Whether an account that was selected at first no longer is. */
  get isReduced(): boolean {
    return [...this.#initial].some(id => !this.#chosen.has(id));
  }

  get isSearched(): boolean {
    return this.#query !== '';
  }

  /** Whether no account matches the query. */
  get isEmpty(): boolean {
    return !this.#shown.length;
  }

  /** Moves focus to the first checkbox. */
  focus(): void {
    this.#stops('input[type="checkbox"]')[0]?.focus();
  }

  /** @param cost what many accounts cost, which is shown beside the checkbox for all of them. */
  render(isBusy: boolean, cost = ''): TemplateResult {
    const { messages } = this.context;
    const isLong = this.#accounts.length > maxUnsearched;
    const selectable = this.#shown.filter(account => account.selectable);
    const chosen = selectable.filter(({ id }) => this.#chosen.has(id)).length;
    const isAll = chosen === selectable.length;
    return html`<div class="picker" @keydown=${this.#handleKeydown}>
      <div class="tools ${isLong ? 'sticky' : ''}">
        ${
          isLong
            ? searchField(
                {
                  label: messages.searchAccounts,
                  query: this.#query,
                  isReadonly: isBusy,
                  onSearch: this.#search,
                  onClear: this.#handleClear,
                },
                messages,
              )
            : nothing
        }
        ${
          selectable.length
            ? html`<label class="account all" part="select-all">
                <input
                  type="checkbox"
                  class="target"
                  part="checkbox"
                  .checked=${isAll}
                  .indeterminate=${chosen > 0 && !isAll}
                  ?disabled=${isBusy}
                  @change=${() => {
                    this.#toggle(selectable, !isAll);
                  }}
                />
                <span>${messages.selectAll(selectable.length)}</span>
                ${cost ? html`<span class="note" part="hint" id="accounts-cost">${cost}</span>` : nothing}
              </label>`
            : nothing
        }
      </div>
      ${
        this.#shown.length
          ? this.#list.render(this.#shown, (account, tabIndex) =>
              this.#renderAccount(account, { isBusy, tabIndex: isLong ? tabIndex : 0 }),
            )
          : html`<p class="hint" part="hint" dir="auto">${messages.noAccountMatch(this.#query)}</p>
              ${button(messages.clearSearch, this.#handleClear)}`
      }
    </div>`;
  }

  #renderAccount(
    account: Account,
    { isBusy, tabIndex }: { readonly isBusy: boolean; readonly tabIndex: number },
  ): TemplateResult {
    const { id, name, detail, selectable, reason } = account;
    return html`<label class="account ${selectable ? '' : 'unavailable'}" part="account">
      ${
        this.total
          ? html`<input
              type="checkbox"
              part="checkbox"
              data-id=${id}
              tabindex=${tabIndex}
              .checked=${this.#chosen.has(id)}
              ?disabled=${isBusy || !selectable}
              @change=${() => {
                this.#toggle([account], !this.#chosen.has(id));
              }}
            />`
          : nothing
      }
      <span class="text">
        <span class="name" part="name" dir="auto">${name || id}</span>
        ${detail ? html`<span class="note" part="description" dir="auto">${detail}</span>` : nothing}
        ${reason ? html`<span class="note reason" part="hint" dir="auto">${reason}</span>` : nothing}
      </span>
    </label>`;
  }

  #toggle(accounts: readonly Account[], isChosen: boolean): void {
    for (const { id } of accounts) {
      if (isChosen) this.#chosen.add(id);
      else this.#chosen.delete(id);
    }
    this.context.host.requestUpdate();
  }

  readonly #search = (query: string): void => {
    const { messages, host, announce } = this.context;
    this.#query = query;
    const words = fold(query.trim()).split(/\s+/);
    this.#shown = this.#accounts.filter(({ id, name, detail }) => {
      const text = fold(`${name} ${detail ?? ''} ${id}`);
      return words.every(word => text.includes(word));
    });
    clearTimeout(this.#announceTimer);
    this.#announceTimer = setTimeout(() => {
      const found = this.#shown.length;
      announce(
        this.title === null
          ? messages.accountsFound(found)
          : `${this.title}: ${found.toLocaleString(messages.language)}`,
      );
    }, announceDelayMs);
    host.requestUpdate();
  };

  #stops(selector: string): readonly HTMLInputElement[] {
    const found = this.context.host.renderRoot.querySelectorAll<HTMLInputElement>(`.picker ${selector}`);
    return [...found].filter(({ disabled }) => !disabled);
  }

  readonly #handleClear = (): void => {
    this.#search('');
    this.#stops('[type="search"]')[0]?.focus();
  };

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    handleListKey(event, {
      query: this.#query,
      clear: this.#handleClear,
      above: this.#stops('.tools input'),
      lists: [[this.#list, this.#shown.filter(({ selectable }) => selectable).length]],
    });
  };
}
