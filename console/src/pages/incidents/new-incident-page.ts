import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { ApiError } from '../../api/api-error.ts';
import { submitButton, textField } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { icons } from '../../components/icons.ts';
import { failureNotice, skeleton } from '../../components/notice.ts';
import { pageHead, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { count } from '../../components/time.ts';
import { TargetSearch } from './target-search.ts';
import { previewOf, requestFor, scopes, type Scope, type Target } from './target.ts';

/** `/incidents/new`: chooses what an incident is about, shows what it will do, and declares it. */
export class NewIncidentPage extends Page {
  #search = new TargetSearch(this);
  #form = new Form(this, { reason: '' });
  @state() private scope: Scope | null = null;
  @state() private target: Target | null = null;
  @state() private failure: ApiError | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#restore();
  }

  protected override render(): TemplateResult {
    return html`${pageHead({
      title: 'Declare an incident',
      lead: 'Choose what leaked. Nothing happens before you confirm.',
      parent: { path: '/incidents', label: 'Incidents' },
    })}
    ${this.#scopes()} ${failureNotice(this.failure)}
    ${this.scope === null ? nothing : this.#targets(this.scope)}
    ${this.target === null ? nothing : this.#confirmation(this.target)}`;
  }

  #scopes(): TemplateResult {
    return section(
      'What is it about?',
      html`<fieldset class="choices">
        <legend class="visually-hidden">What is it about?</legend>
        ${entriesOf(scopes).map(
          ([scope, { label, hint }]) =>
            html`<label class="choice">
              <input
                type="radio"
                name="scope"
                .checked=${scope === this.scope}
                @change=${() => this.#chooseScope(scope)}
              />
              <span><strong>${label}</strong><span class="hint">${hint}</span></span>
            </label>`,
        )}
      </fieldset>`,
    );
  }

  #targets(scope: Scope): TemplateResult {
    const title = scopes[scope].question;
    if (this.target !== null) {
      return section(
        title,
        html`<div class="chosen">
          <span
            ><strong dir="auto">${this.target.name}</strong
            ><span class="detail" dir="auto">${detailOf(this.target)}</span></span
          >
          <button type="button" class="button" id="change-target" @click=${this.#change}>Change</button>
        </div>`,
      );
    }
    const { matches, failure, text, hasMore, reload } = this.#search;
    return section(
      title,
      html`<div class="search">
          ${icons.search}
          <input
            type="search"
            id="target-search"
            maxlength="200"
            autocomplete="off"
            spellcheck="false"
            aria-label="Search by name"
            placeholder="Search by name"
            .value=${text}
            @input=${({ target }: Event) =>
              // The handler is bound only to this control.
              this.#search.search((target as HTMLInputElement).value)}
          />
        </div>
        ${failureNotice(failure, () => void reload())}
        ${matches === null ? (failure ? nothing : skeleton(4)) : this.#matches(matches, hasMore)}`,
    );
  }

  #matches(matches: readonly Target[], hasMore: boolean): TemplateResult {
    return html`<p class="hint" role="status">
        ${matches.length === 0 ? 'Nothing matches.' : hasMore ? 'The first matches; search to narrow them down.' : count(matches.length, 'match', 'matches')}
      </p>
      <ul class="matches">
        ${repeat(
          matches,
          ({ id }) => id,
          target =>
            html`<li>
              <button type="button" class="match" @click=${() => this.#choose(target)}>
                <span
                  ><strong dir="auto">${target.name}</strong
                  ><span class="detail" dir="auto">${detailOf(target)}</span></span
                >${icons.forward}
              </button>
            </li>`,
        )}
      </ul>`;
  }

  #confirmation(target: Target): TemplateResult {
    const { happens, stays } = previewOf(target);
    return section(
      'What will happen',
      html`<ul class="preview">
          ${happens.map(sentence => html`<li class="happens">${icons.alert}<span>${sentence}</span></li>`)}
        </ul>
        <h3>What stays as it is</h3>
        <ul class="preview">
          ${stays.map(sentence => html`<li>${icons.check}<span>${sentence}</span></li>`)}
        </ul>
        <form novalidate @submit=${this.#submit}>
          ${textField(this.#form, 'reason', {
            label: 'Reason',
            hint: 'A note for the record, which other operators can read. Don’t include secrets.',
            maxLength: 200,
          })}
          <div class="actions">
            ${submitButton(this.#form, 'Declare incident…', { kind: 'danger solid' })}
          </div>
        </form>`,
    );
  }

  /** Continues with what the URL names, for example after a reload. */
  async #restore(): Promise<void> {
    const { scope: given, target: id } = this.app.query.get();
    const scope = entriesOf(scopes).find(([name]) => name === given)?.[0];
    if (scope === undefined) return;
    this.scope = scope;
    if (id === undefined) return this.#search.show(scope);
    try {
      const target = await this.#search.find(scope, id);
      if (this.scope === scope) this.target = target;
    } catch (error) {
      this.failure = ApiError.of(error);
    }
    if (this.target === null) this.#search.show(scope);
  }

  #chooseScope(scope: Scope): void {
    this.scope = scope;
    this.target = null;
    this.failure = null;
    this.app.query.set({ scope });
    this.#search.show(scope);
  }

  #choose(target: Target): void {
    this.target = target;
    this.failure = null;
    this.app.query.set({ scope: target.scope, target: target.id });
    void this.#focus('#change-target');
  }

  readonly #change = (): void => {
    if (this.target === null) return;
    this.#chooseScope(this.target.scope);
    void this.#focus('#target-search');
  };

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { target } = this;
    if (target === null) return;
    const reason = this.#form.values.reason.trim();
    let declared: string | undefined;
    const isDone = await this.app.confirm({
      title: 'Declare this incident?',
      body: html`<ul class="preview">
        ${previewOf(target).happens.map(sentence => html`<li class="happens">${icons.alert}<span>${sentence}</span></li>`)}
      </ul>`,
      action: 'Declare incident',
      name: target.name,
      run: async (_option, idempotencyKey) => {
        const incident = await this.app.call('declareIncident', {
          body: { ...requestFor(target), ...(reason === '' ? {} : { reason }) },
          idempotencyKey,
        });
        declared = incident.id;
      },
    });
    if (!isDone || declared === undefined) return;
    this.app.toast('Incident declared');
    this.app.replace(`/incidents/${declared}`);
  };

  async #focus(selector: string): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>(selector)?.focus();
  }
}

function detailOf(target: Target): string {
  switch (target.scope) {
    case 'organization':
      return `${count(target.customers, 'customer')}, ${count(target.connectors, 'connector')}`;
    case 'customer':
      return `${target.organization.name}, ${count(target.connectors, 'connector')}`;
    case 'application':
      return `${target.clientId}, ${target.organizations.join(', ')}`;
    case 'kind':
      return 'In all organizations';
  }
}

/** `Object.entries` with the keys' own type. */
function entriesOf<Key extends string, Value>(table: Readonly<Record<Key, Value>>): [Key, Value][] {
  // The tables of this module have no other keys.
  return Object.entries(table) as [Key, Value][];
}
