import type { AuthMethod } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { accessList } from '../components/access-list.ts';
import { backButton, button } from '../components/buttons.ts';
import { connectionHead } from '../components/connection-head.ts';
import { emptyState } from '../components/empty-state.ts';
import { icons } from '../components/icons.ts';
import { supportLink } from '../components/integrator.ts';
import { failureNotice } from '../components/notice.ts';
import { OptionFields } from '../components/option-fields.ts';
import { passwordPromise } from '../components/trust-line.ts';
import { unbroken } from '../components/unbroken.ts';
import type { StateOf } from '../flow/flow.ts';
import { canOnlySendLink, isAllowed } from '../flow/rights.ts';
import { vendorNameOf } from '../flow/vendor-name.ts';
import { settingsOf } from '../form/fields.ts';
import { refusalOf } from '../messages/failure-words.ts';
import { linkButton, linkOffer } from './link-offer.ts';
import type { RenderContext } from './render-context.ts';

type IntroductionState = StateOf<'introducing'>;

/**
 * Renders what the connection reads and changes, and the ways to sign in. The input in the options survives a failed
 * sign-in; it is discarded together with this object.
 */
export class IntroductionScreen {
  definition: IntroductionState['definition'];
  /** The settings of a method whose accounts cannot be listed. With accounts, the user sets them later. */
  readonly #options: OptionFields;
  #state: IntroductionState | undefined;
  #hasIssues = false;

  constructor(
    state: IntroductionState,
    private readonly context: RenderContext,
  ) {
    this.definition = state.definition;
    this.#options = new OptionFields(optionsFor(state), context);
  }

  render(state: IntroductionState): TemplateResult {
    const { messages, sends } = this.context;
    const { catalog, definition, methods, failure, target } = state;
    const { integrator } = catalog;
    const { name } = definition;
    if (definition !== this.definition) {
      this.definition = definition;
      this.#options.reword(optionsFor(state));
    }
    if (state !== this.#state) {
      this.#state = state;
      this.#hasIssues = this.#options.showIssues(failure);
    }
    const back = backButton(messages.back, sends('back'));
    if (!methods.length) {
      return html`<div class="screen">
        ${back}
        ${emptyState({
          icon: icons.plug,
          title: messages.noMethodTitle(name),
          hint: integrator?.name ? messages.noMethodHintBy(integrator.name) : messages.noMethodHint,
          action: supportLink(integrator, messages),
        })}
      </div>`;
    }
    const signIn = methods.find(({ type }) => type === 'oauth');
    const isLinkOnly = canOnlySendLink(catalog, target);
    const isHandedOver = isRefused(state);
    // The notice says who can allow it.
    const signInLead = isHandedOver ? '' : (signIn?.description ?? '');
    const lead = isLinkOnly ? messages.linkOnlyLead(name) : signInLead;
    return html`<div class="screen">
      ${back}${connectionHead(
        definition,
        {
          integrator,
          target,
          isChoice: !signIn && !isLinkOnly,
          // Otherwise a link is the primary action.
          offer: isLinkOnly || isHandedOver ? nothing : linkOffer(messages.linkOffer, catalog, this.context),
        },
        messages,
        lead,
      )}
      ${isHandedOver ? nothing : accessList(definition, integrator, messages)}
      ${/* Beside the button that repeats what failed. */ this.#hasIssues ? nothing : failureNotice(failure, messages, { source: vendorNameOf(definition), integrator })}
      ${
        isLinkOnly
          ? html`<div class="footer" part="footer">
              ${linkButton(messages.linkTitle((target ?? definition).name), this.context, { kind: 'primary' })}
            </div>`
          : signIn
            ? html`${this.#options.render(false)} ${this.#renderSignIn(signIn, state)}`
            : this.#renderChoice(methods)
      }
    </div>`;
  }

  /** Renders the primary action, and below it the other ones. */
  #renderSignIn(signIn: AuthMethod, state: IntroductionState): TemplateResult {
    const { messages, sends } = this.context;
    const { catalog, methods, retry } = state;
    const [other, ...more] = methods
      .filter(method => method !== signIn)
      .map(method => this.#renderMethod(method, method.instead ?? method.title, 'quiet'));
    const actions = retry
      ? html`${button(messages.retry, sends('retry'), { kind: 'primary' })}
        ${this.#renderMethod(signIn, signIn.title, '')}`
      : isRefused(state)
        ? html`${linkButton(messages.linkToAdmin, this.context, { kind: 'primary' })}
          ${this.#renderMethod(signIn, messages.signInAgain, '')}`
        : html`${passwordPromise(catalog.integrator, messages)}
          ${this.#renderMethod(signIn, signIn.title, 'primary')}`;
    return html`${more}
      <div class="footer" part="footer">${actions} ${other}</div>`;
  }

  #renderMethod({ id, type }: AuthMethod, words: string, kind: string): TemplateResult {
    return html`<button
      type="button"
      class="button ${kind}"
      part="method"
      data-id=${id}
      @click=${() => {
        this.#choose(id, type);
      }}
    >
      <span class="clamp" dir="auto">${words}</span>
    </button>`;
  }

  /** Renders the methods of a source at which users cannot sign in. */
  #renderChoice(methods: readonly AuthMethod[]): TemplateResult {
    return html`<div class="rows methods">
      ${methods.map(
        ({ id, type, title, description }) =>
          html`<button
            type="button"
            class="row"
            part="method"
            data-id=${id}
            @click=${() => {
              this.#choose(id, type);
            }}
          >
            <span class="text">
              <span class="name" part="name" dir="auto">${title}</span>
              ${description ? html`<span class="note" part="description" dir="auto">${unbroken(description)}</span>` : nothing}
            </span>
            ${icons.forward}
          </button>`,
      )}
    </div>`;
  }

  #choose(methodId: string, type: AuthMethod['type']): void {
    const { send } = this.context;
    if (type !== 'oauth') {
      send({ type: 'choose', methodId });
      return;
    }
    const entry = this.#options.collect();
    // The pop-up opens during this click.
    if (entry) send({ type: 'choose', methodId, entry });
  }
}

/** Returns whether the vendor refused the access, which a colleague may be able to get by a link. */
function isRefused({ catalog, failure }: IntroductionState): boolean {
  return isAllowed(catalog, 'link') && failure !== null && refusalOf(failure) !== '';
}

function optionsFor({ definition, methods, target }: IntroductionState): ReturnType<typeof settingsOf> {
  const method = methods.find(({ type, lists_accounts }) => type === 'oauth' && !lists_accounts);
  return method && !target ? settingsOf(definition, method) : [];
}
