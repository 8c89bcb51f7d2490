import type { AuthMethod } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { backButton } from '../components/buttons.ts';
import { confirmDialog } from '../components/confirm-dialog.ts';
import { consentPanel } from '../components/consent-panel.ts';
import { controlId, formField } from '../components/form-field.ts';
import { integratorLogo } from '../components/integrator.ts';
import { failureNotice } from '../components/notice.ts';
import { screenHead } from '../components/screen-head.ts';
import { sourceIcon } from '../components/source-icon.ts';
import { spinner, stepIcons } from '../components/step-icons.ts';
import { connectorNameFor } from '../flow/connector-name.ts';
import type { Entry, StateOf } from '../flow/flow.ts';
import { fieldsOf, leavesOf, type Field, type SingleField } from '../form/fields.ts';
import { collectValues, initialValue, validateField } from '../form/values.ts';
import { httpAddress } from '../service/http-address.ts';
import type { RenderContext } from './render-context.ts';

type FormState = StateOf<'filling' | 'consenting' | 'submitting' | 'replacing'>;

/**
 * Renders the form of one auth method, generated from its JSON Schema, and the screens that follow: waiting
 * for an OAuth flow and confirming a switch to a different account. The input survives errors; it is
 * discarded together with this object.
 */
export class FormScreen {
  readonly method: AuthMethod;
  readonly #fields: readonly Field[];
  /** The fields shown under advanced settings. */
  readonly #advanced: readonly Field[];
  readonly #typed = new Map<string, string | boolean>();
  readonly #revealed = new Set<string>();
  #isAdvancedOpen = false;
  /** Error messages by field path. */
  #errors = new Map<string, string>();
  #state: FormState;

  constructor(
    state: FormState,
    private readonly context: RenderContext,
  ) {
    const { catalog, definition, method, target } = state;
    this.#state = state;
    this.method = method;
    const { replication_schema: settings, sourceDefinitionId } = definition;
    const isAnother =
      !target && catalog.connectors.some(({ definition_id }) => definition_id === sourceDefinitionId);
    this.#fields = [
      ...(isAnother ? [nameField(connectorNameFor(definition, catalog.connectors))] : []),
      ...fieldsOf(method.schema, 'credentials'),
    ];
    this.#advanced = !target && settings ? fieldsOf(settings, 'replication_config') : [];
  }

  render(state: FormState): TemplateResult {
    const { messages, send } = this.context;
    if (state !== this.#state) {
      this.#state = state;
      const failure = state.name === 'filling' ? state.failure : null;
      this.#errors = new Map(failure?.issues.map(({ path, message }) => [path, message]));
    }
    const { definition, method, target } = state;
    const { integrator } = state.catalog;
    const isConsent = method.type === 'oauth';
    const isBusy = state.name === 'submitting';
    const isAsking = state.name === 'consenting';
    const back = () => {
      send({ type: 'back' });
    };
    const backTo = backButton(
      isAsking || isBusy ? messages.cancel : messages.back,
      back,
      isAsking && !state.consent?.isBlocked ? 'target' : '',
    );
    if (isAsking || (isBusy && isConsent)) {
      return html`<div class="screen">${backTo}${consentPanel(state, messages)}</div>`;
    }
    const head = screenHead(
      target?.name ?? messages.formTitle(definition.name),
      method.description ?? definition.description,
      html`${integratorLogo(integrator)}${sourceIcon(definition.name, definition.iconUrl, 'large')}`,
    );
    if (state.name === 'replacing') {
      const replace = () => {
        send({ type: 'confirm' });
      };
      return html`<div class="screen">
        ${backTo}${head}
        ${confirmDialog({
          title: messages.replaceTitle(definition.name),
          hint: messages.replaceHint,
          label: messages.replace,
          onConfirm: replace,
          onCancel: back,
          messages,
        })}
      </div>`;
    }
    const failure = isBusy ? null : state.failure;
    const helpUrl = httpAddress(method.help_url);
    return html`<div class="screen">
      ${backTo}${head}
      <form novalidate part="form" @submit=${this.#handleSubmit}>
        ${/* Shown only if no field shows it. */ this.#firstInvalidField() ? nothing : failureNotice(failure, messages, definition.name)}
        ${this.#renderFields(this.#fields)}
        ${
          this.#advanced.length
            ? html`<details
                part="advanced"
                ?open=${this.#isAdvancedOpen || this.#hasErrors(this.#advanced)}
                @toggle=${this.#handleToggle}
              >
                <summary part="heading">${messages.advanced}</summary>
                ${this.#renderFields(this.#advanced)}
              </details>`
            : nothing
        }
        ${
          helpUrl
            ? html`<p>
                <a class="link" part="help-link" href=${helpUrl} target="_blank" rel="noopener noreferrer"
                  >${messages.helpLink}${stepIcons.leave}<span class="visually-hidden">
                    (${messages.opensInNewTab})</span
                  ></a
                >
              </p>`
            : nothing
        }
        <div class="actions">
          <button class="button primary" part="primary-button" aria-disabled=${isBusy}>
            ${isBusy ? html`${spinner}${messages.connecting}` : messages.connect}
          </button>
        </div>
        <p class="trust" part="trust">
          ${stepIcons.lock}${trustWords(messages, isConsent ? definition.name : null, integrator?.name)}
        </p>
      </form>
    </div>`;
  }

  #renderFields(fields: readonly Field[]): readonly (TemplateResult | typeof nothing)[] {
    const { messages, host } = this.context;
    return fields.map(field => {
      const { kind, path, label, description } = field;
      if (kind === 'fixed') return nothing;
      if (kind === 'group') {
        return html`<fieldset part="group">
          <legend part="heading" dir="auto">${label}</legend>
          ${description ? html`<p class="hint" part="hint" dir="auto">${description}</p>` : nothing}
          ${this.#renderFields(field.fields)}
        </fieldset>`;
      }
      return formField(path === 'name' ? { ...field, ...nameTexts(messages) } : field, {
        value: this.#valueOf(field),
        error: this.#errors.get(path),
        isRevealed: this.#revealed.has(path),
        isReadonly: this.#state.name === 'submitting',
        messages,
        onInput: value => {
          this.#typed.set(path, value);
          if (this.#errors.delete(path)) host.requestUpdate();
        },
        onReveal: () => {
          if (!this.#revealed.delete(path)) this.#revealed.add(path);
          host.requestUpdate();
        },
      });
    });
  }

  #valueOf(field: SingleField): string | boolean {
    return this.#typed.get(field.path) ?? initialValue(field);
  }

  #leaves(): ReturnType<typeof leavesOf> {
    return leavesOf([...this.#fields, ...this.#advanced]);
  }

  #firstInvalidField(): { readonly path: string } | undefined {
    return this.#leaves().find(({ path }) => this.#errors.has(path));
  }

  #hasErrors(fields: readonly Field[]): boolean {
    return leavesOf(fields).some(({ path }) => this.#errors.has(path));
  }

  readonly #handleToggle = ({ target }: Event): void => {
    // Bound to the advanced settings only.
    this.#isAdvancedOpen = (target as HTMLDetailsElement).open;
  };

  readonly #handleSubmit = (event: SubmitEvent): void => {
    const { messages, send } = this.context;
    event.preventDefault();
    if (this.#state.name === 'submitting') return;
    const fields = this.#leaves();
    this.#errors = new Map();
    for (const field of fields) {
      const issue = field.kind === 'fixed' ? null : validateField(field, this.#valueOf(field));
      if (issue) {
        const label = field.path === 'name' ? messages.nameLabel : field.label;
        this.#errors.set(
          field.path,
          'limit' in issue ? messages[issue.kind](issue.limit) : messages[issue.kind](label),
        );
      }
    }
    if (this.#errors.size) {
      void this.#showErrors();
      return;
    }
    // The paths are `name`, `credentials.…` and `replication_config.…`, so the values have the shape of an
    // entry.
    const entry = {
      ...(this.method.type === 'oauth' ? null : { credentials: {} }),
      ...collectValues(fields, this.#typed),
    } as Entry;
    send({ type: 'submit', entry });
  };

  async #showErrors(): Promise<void> {
    const { host, announce, messages } = this.context;
    host.requestUpdate();
    announce(messages.issuesFound(this.#errors.size));
    await host.updateComplete;
    const first = this.#firstInvalidField();
    if (first) host.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(controlId(first))}`)?.focus();
  }
}

/**
 * Returns the field for the name of an additional connector for a source. {@link nameTexts} provides its
 * label and hint in the current language.
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

/**
 * Returns what happens to the user's credentials, and names the integrator if its name is known.
 * @param source the source at which the user signs in, or null for a form.
 */
function trustWords(
  messages: RenderContext['messages'],
  source: string | null,
  integrator: string | null | undefined,
): string {
  if (source !== null)
    return integrator ? messages.trustSignInBy(source, integrator) : messages.trustSignIn(source);
  return integrator ? messages.trustBy(integrator) : messages.trust;
}

function nameTexts({ nameLabel: label, nameHint: description }: RenderContext['messages']) {
  return { label, description };
}
