import type { AuthMethod, SourceDefinitionDetail } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { accessClaims, includedData } from '../components/access-list.ts';
import { backButton } from '../components/buttons.ts';
import { confirmDialog } from '../components/confirm-dialog.ts';
import { connectionHead } from '../components/connection-head.ts';
import { consentPanel } from '../components/consent-panel.ts';
import { announceInvalid, FormFields } from '../components/form-fields.ts';
import { guideFor, hasGuide } from '../components/guide.ts';
import { failureNotice } from '../components/notice.ts';
import { OptionFields } from '../components/option-fields.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { spinner } from '../components/step-icons.ts';
import { keyPromise } from '../components/trust-line.ts';
import { connectorNameFor } from '../flow/connector-name.ts';
import type { Entry, StateOf } from '../flow/flow.ts';
import { fieldsOf, settingsOf, type Field } from '../form/fields.ts';
import type { Messages } from '../messages/messages.ts';
import type { AccountPair } from '../service/failure.ts';
import { linkOffer } from './link-offer.ts';
import type { RenderContext } from './render-context.ts';

type FormState = StateOf<'filling' | 'consenting' | 'submitting' | 'replacing'>;

/**
 * Renders the form of one auth method, generated from its JSON Schema, and the screens that follow: waiting
 * for an OAuth flow and confirming a switch to a different account. The input survives errors; it is
 * discarded together with this object.
 */
export class FormScreen {
  method: AuthMethod;
  readonly #fields: FormFields;
  readonly #options: OptionFields;
  #state: FormState | undefined;
  /** Whether a field shows why the request failed. */
  #hasIssues = false;

  constructor(
    state: FormState,
    private readonly context: RenderContext,
  ) {
    this.method = state.method;
    this.#fields = new FormFields(fieldsFor(state), context);
    this.#options = new OptionFields(optionsFor(state), context);
  }

  render(state: FormState): TemplateResult {
    const { messages, sends } = this.context;
    if (state.method !== this.method) {
      this.method = state.method;
      this.#fields.reword(fieldsFor(state));
      this.#options.reword(optionsFor(state));
    }
    if (state !== this.#state) {
      this.#state = state;
      const failure = state.name === 'filling' ? state.failure : null;
      const hasOptionIssues = this.#options.showIssues(failure);
      this.#hasIssues = this.#fields.showIssues(failure) || hasOptionIssues;
    }
    const { definition, method, target } = state;
    const { integrator } = state.catalog;
    const isBusy = state.name === 'submitting';
    const isAsking = state.name === 'consenting';
    const back = sends('back');
    const backTo = backButton(
      isAsking || isBusy ? messages.cancel : messages.back,
      back,
      isAsking && !state.consent?.isBlocked ? 'target' : '',
    );
    if (isAsking || (isBusy && method.type === 'oauth')) {
      return html`<div class="screen">${backTo}${consentPanel(state, messages)}</div>`;
    }
    if (state.name === 'replacing') {
      return html`<div class="screen">
        ${confirmDialog({
          icon: sourceIcon(definition.name, definition.iconUrl, 'large'),
          title: messages.replaceTitle(definition.name),
          hint: messages.replaceHint,
          details: state.accounts && renderAccounts(state.accounts, messages),
          label: messages.replace,
          keep: messages.keepAccount,
          onConfirm: sends('confirm'),
          onCancel: back,
          messages,
        })}
      </div>`;
    }
    const failure = isBusy || this.#hasIssues ? null : state.failure;
    // Otherwise the user has just read what the connection does.
    const isFirst = target !== null || definition.auth_methods.length === 1;
    const isGuided = hasGuide(method);
    const source = definition.name;
    const offer = linkOffer(messages.linkOfferKey, state.catalog, this.context, isBusy);
    return html`<div class="screen ${isGuided ? 'guided' : ''}">
      ${backTo}${connectionHead(definition, { integrator, target, offer }, messages, isGuided ? '' : (method.description ?? ''))}
      <form novalidate part="form" @submit=${this.#handleSubmit}>
        ${failureNotice(failure, messages, { source, integrator })}
        <div class="panes">
          <div class="fields">
            ${isFirst ? accessClaims(definition, integrator, messages) : nothing}
            ${this.#fields.render(isBusy)} ${guideFor(method, { source, place: 'below', messages })}
            ${isFirst ? includedData(definition, messages) : nothing} ${this.#options.render(isBusy)}
          </div>
          ${guideFor(method, { source, place: 'beside', messages })}
        </div>
        <div class="footer" part="footer">
          ${keyPromise(messages)}
          <button class="button primary" part="primary-button" aria-disabled=${isBusy}>
            ${isBusy ? html`${spinner}${messages.connecting}` : messages.connect}
          </button>
        </div>
      </form>
    </div>`;
  }

  readonly #handleSubmit = (event: SubmitEvent): void => {
    const { context } = this;
    event.preventDefault();
    if (this.#state?.name === 'submitting') return;
    this.#hasIssues = false;
    const count = this.#fields.validate() + this.#options.validate();
    if (count) {
      this.#hasIssues = true;
      void announceInvalid(count, context);
      return;
    }
    // The paths are `name`, `credentials.…` and `replication_config.…`, so the values have the shape of an
    // entry.
    const entry = { credentials: {}, ...this.#fields.values(), ...this.#options.values() } as Entry;
    context.send({ type: 'submit', entry });
  };
}

/** Names the vendor account of a connection and the one to which the user signed in. */
function renderAccounts({ current, given }: AccountPair, messages: Messages): TemplateResult {
  return html`<dl part="accounts">
    <dt>${messages.currentAccount}</dt>
    <dd><bdi>${current}</bdi></dd>
    <dt>${messages.newAccount}</dt>
    <dd><bdi>${given}</bdi></dd>
  </dl>`;
}

function fieldsFor({ catalog, definition, method, target }: FormState): readonly Field[] {
  const isAnother =
    !target &&
    catalog.connectors.some(({ definition_id }) => definition_id === definition.sourceDefinitionId);
  return [
    ...(isAnother ? [nameField(connectorNameFor(definition, catalog.connectors))] : []),
    ...fieldsOf(method.schema, 'credentials'),
    ...(target ? [] : settingsOf(definition, method).filter(isNeeded(definition))),
  ];
}

function optionsFor({ definition, method, target }: FormState): readonly Field[] {
  const isInForm = isNeeded(definition);
  return target ? [] : settingsOf(definition, method).filter(field => !isInForm(field));
}

/**
 * Required settings are part of the form, and so are the accounts if the vendor cannot list them. Users would overlook them among
 * the options.
 */
function isNeeded({ accounts_setting: setting }: SourceDefinitionDetail) {
  return ({ path, required, initial }: Field): boolean =>
    path === `replication_config.${setting}` || (required && initial === undefined);
}

/**
 * Returns the field for the name of an additional connector for a source. Its label and hint are in the current
 * language.
 */
function nameField(initial: string): Field {
  return {
    path: 'name',
    kind: 'text',
    label: '',
    description: '',
    required: true,
    initial,
    placeholder: '',
    pattern: null,
    minLength: 1,
    maxLength: 200,
  };
}
