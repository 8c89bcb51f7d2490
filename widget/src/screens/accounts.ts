import type { ListAccountsResponse, SourceDefinition } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { AccountPicker } from '../components/account-picker.ts';
import { backButton, button } from '../components/buttons.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import { failureNotice, reference, retryButton } from '../components/notice.ts';
import { OptionFields } from '../components/option-fields.ts';
import { screenHead } from '../components/screen-head.ts';
import { skeletonRows } from '../components/skeleton-rows.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { spinner } from '../components/step-icons.ts';
import type { StateOf } from '../flow/flow.ts';
import { sourceOf } from '../flow/sources.ts';
import { changeableSettings, settingsOf, type Field } from '../form/fields.ts';
import { failureWords, isSessionOver, type Parties } from '../messages/failure-words.ts';
import type { RenderContext } from './render-context.ts';

type AddingState = StateOf<'listing' | 'unlisted' | 'choosing' | 'submitting'>;
/** The states in which users choose accounts, after a consent or for an existing connector. */
export type AccountsState = AddingState | StateOf<'openingAccounts' | 'accounts' | 'savingAccounts'>;

/** The number of chosen accounts from which their cost is shown. */
const costlyCount = 20;

/** Renders the choice of the accounts to sync. Keeps the choice until another list is loaded. */
export class AccountsScreen {
  #list: ListAccountsResponse | null = null;
  #picker: AccountPicker | undefined;
  #options: OptionFields | undefined;
  #state: AccountsState | undefined;

  constructor(private readonly context: RenderContext) {}

  /** Releases resources. Call it when this screen is no longer rendered. */
  stop(): void {
    this.#picker?.stop();
    this.#picker = this.#options = undefined;
    this.#list = null;
  }

  render(state: AccountsState): TemplateResult {
    switch (state.name) {
      case 'listing':
      case 'openingAccounts':
        return this.#renderLoading(state);
      case 'unlisted':
        return this.#renderFailure(state);
      default: {
        const list = listIn(state);
        return list ? this.#renderChoice(state, list) : this.#renderFailure(state);
      }
    }
  }

  #renderLoading(state: AccountsState): TemplateResult {
    const { messages } = this.context;
    const { name, iconUrl, accounts_title: title } = sourceIn(state);
    return html`<div class="screen">
      ${this.#back(messages.cancel)}
      ${screenHead(title ? messages.opening(name) : messages.loadingAccounts(name), messages.loadingAccountsHint, sourceIcon(name, iconUrl, 'small'))}
      <div aria-busy="true">${skeletonRows('account skeleton-account', 'box')}</div>
    </div>`;
  }

  #renderFailure(state: AccountsState): TemplateResult {
    const { messages, send, sends } = this.context;
    const failure = 'failure' in state ? state.failure : null;
    const isNew = state.name === 'unlisted';
    const syncAll = () => {
      send({ type: 'chooseAccounts', ids: null });
    };
    const words = failure && failureWords(failure, messages, partiesIn(state));
    const isOver = failure !== null && isSessionOver(failure);
    return html`<div class="screen">
      ${this.#back(messages.back)}
      ${emptyState({
        icon: icons.alert,
        title: words?.title ?? messages.brokenTitle,
        hint: isNew && !isOver ? messages.unlistedHint : (words?.hint ?? messages.brokenHint),
        action: html`${retryButton(failure, messages, sends('retry'))}${isNew && !isOver ? button(messages.syncAllAccounts, syncAll) : nothing}`,
        tone: 'bad',
      })}
      ${failure ? reference(failure, messages) : nothing}
    </div>`;
  }

  #renderChoice(state: AccountsState, list: ListAccountsResponse): TemplateResult {
    const { messages } = this.context;
    const { name, iconUrl, accounts_title: title } = sourceIn(state);
    if (list !== this.#list) {
      this.stop();
      this.#list = list;
      this.#picker = new AccountPicker(list, title ?? null, this.context);
      this.#options = new OptionFields(optionsIn(state), this.context);
    }
    const failure = 'failure' in state ? state.failure : null;
    if (state !== this.#state) {
      this.#options?.reword(optionsIn(state));
      this.#options?.showIssues(failure);
    }
    this.#state = state;
    const picker = this.#picker;
    const isBusy = state.name === 'submitting' || state.name === 'savingAccounts';
    const isManaging = 'connector' in state;
    if (!picker?.total) return this.#renderNone(state, list);
    const canSave = this.#canSave(picker, state);
    return html`<div class="screen">
      ${this.#back(isBusy ? messages.cancel : messages.back)}
      ${screenHead(title ?? (isManaging ? messages.accountsHeading : messages.accountsTitle(name)), picker.ids ? messages.accountsLead : messages.allAccountsLead, sourceIcon(name, iconUrl, 'small'))}
      ${/* Shown only if no field shows it. */ this.#options?.hasErrors ? nothing : failureNotice(failure, messages, partiesIn(state), isManaging ? messages.notSaved : messages.notConnected)}
      ${picker.render(isBusy, picker.count < costlyCount ? '' : messages.accountsCost)}
      ${
        list.is_complete || picker.isSearched
          ? nothing
          : html`<p class="hint" part="hint">${messages.accountsCut(list.accounts.length)}</p>`
      }
      ${
        picker.isEmpty
          ? nothing
          : html`${this.#options?.render(isBusy)}
              <div class="footer" part="footer">
                ${isManaging && picker.isReduced ? html`<p class="hint warn" part="hint" id="accounts-note">${messages.removedAccounts}</p>` : nothing}
                <button
                  type="button"
                  class="button primary ${canSave ? '' : 'incomplete'}"
                  part="primary-button"
                  aria-disabled=${isBusy || !canSave}
                  aria-describedby="accounts-note accounts-cost"
                  @click=${this.#handleSync}
                >
                  ${isBusy ? spinner : nothing}${state.name === 'submitting' ? messages.connecting : this.#saveLabel(picker, isManaging, title)}
                </button>
              </div>`
      }
    </div>`;
  }

  #canSave({ count, isChanged }: AccountPicker, state: AccountsState): boolean {
    return count > 0 && (isChanged || !!this.#options?.isChanged || !('connector' in state));
  }

  #saveLabel({ count, ids }: AccountPicker, isManaging: boolean, title: string | null | undefined): string {
    const { messages } = this.context;
    if (!count) return messages.chooseAccount;
    if (isManaging) return messages.saveChanges;
    if (title) return messages.connect;
    return ids ? messages.syncAccounts(count) : messages.syncAllAccounts;
  }

  /** Renders a grant that sees no account, or only accounts that cannot be synced. */
  #renderNone(state: AccountsState, list: ListAccountsResponse): TemplateResult {
    const { messages } = this.context;
    const { name, iconUrl } = sourceIn(state);
    const isManaging = 'connector' in state;
    const action = button(isManaging ? messages.back : messages.otherSignIn, this.context.sends('back'), {
      kind: 'primary',
    });
    if (!list.accounts.length) {
      return html`<div class="screen">
        ${this.#back(messages.back)}
        ${emptyState({
          icon: icons.search,
          title: messages.noAccountsTitle,
          hint: messages.noAccountsHint(name),
          action,
        })}
      </div>`;
    }
    return html`<div class="screen">
      ${this.#back(messages.back)}
      ${screenHead(messages.noAccountsTitle, messages.unavailableHint(name), sourceIcon(name, iconUrl, 'small'))}
      ${this.#picker?.render(false) ?? nothing}
      <div class="footer" part="footer">${action}</div>
    </div>`;
  }

  #back(label: string): TemplateResult {
    return backButton(label, this.context.sends('back'));
  }

  readonly #handleSync = (): void => {
    const { send, announce, messages } = this.context;
    const picker = this.#picker;
    const state = this.#state;
    if (!picker || !state || state.name === 'submitting' || state.name === 'savingAccounts') return;
    if (!picker.count) {
      announce(messages.chooseAccount);
      picker.focus();
      return;
    }
    if (!this.#canSave(picker, state)) return;
    const entry = this.#options?.collect();
    const isKept = 'connector' in state && !picker.isChanged;
    const ids = isKept ? (this.#list?.selected ?? null) : picker.ids;
    if (entry) send({ type: 'chooseAccounts', ids, entry });
  };
}

function listIn(state: AccountsState): ListAccountsResponse | null {
  if ('list' in state) return state.list;
  return state.name === 'submitting' ? (state.choice?.list ?? null) : null;
}

/** Returns the source's name and icon. An existing connector is named after itself if its source is not allowed. */
function sourceIn(
  state: AccountsState,
): Pick<SourceDefinition, 'name' | 'accounts_title'> & { readonly iconUrl: string | undefined } {
  if (!('connector' in state)) return state.definition;
  return sourceOf(state.catalog, state.connector) ?? { name: state.connector.name, iconUrl: undefined };
}

function partiesIn(state: AccountsState): Parties {
  return { source: sourceIn(state).name, integrator: state.catalog.integrator };
}

/** Returns the settings beside the accounts. */
function optionsIn(state: AccountsState): readonly Field[] {
  if (!('connector' in state)) return settingsOf(state.definition, state.method);
  return 'detail' in state && state.detail ? changeableSettings(state.detail, state.connector) : [];
}
