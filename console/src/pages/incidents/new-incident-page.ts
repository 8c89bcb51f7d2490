import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { ApiError } from '../../api/api-error.ts';
import { renderFields, submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { icons } from '../../components/icons.ts';
import { NameSearch, searchField } from '../../components/name-search.ts';
import { failureNotice, skeleton } from '../../components/notice.ts';
import { button, pageHead, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { count } from '../../components/time.ts';
import { scopes, type Preview, type Scope, type Target } from './target.ts';

/** `/incidents/new`: chooses what an incident is about, shows what it will do, and declares it. */
export class NewIncidentPage extends Page {
  #search: NameSearch<Target> = new NameSearch<Target>(this, async (text, signal) =>
    this.scope === null ? [] : scopes[this.scope].find(this.app.call, text, signal),
  );
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
    ${
      this.scope === null
        ? nothing
        : section(scopes[this.scope].question, this.target ? this.#chosen(this.target) : this.#targets())
    }
    ${this.target === null ? nothing : this.#confirmation(this.target)}`;
  }

  #scopes(): TemplateResult {
    return section(
      'What is it about?',
      html`<fieldset class="choices">
        <legend class="visually-hidden">What is it about?</legend>
        ${scopeNames.map(scope => {
          const { label, hint } = scopes[scope];
          return html`<label class="choice">
            <input
              type="radio"
              name="scope"
              .checked=${scope === this.scope}
              @change=${() => this.#chooseScope(scope)}
            />
            <span><strong>${label}</strong><span class="hint">${hint}</span></span>
          </label>`;
        })}
      </fieldset>`,
    );
  }

  #chosen(target: Target): TemplateResult {
    return html`<div class="chosen">
      ${described(target)} ${button('Change', () => this.#change(target.scope))}
    </div>`;
  }

  #targets(): TemplateResult {
    const { matches, failure, text, hasMore, reload } = this.#search;
    return html`${searchField('Search by name', text, typed => this.#search.search(typed))}
    ${failureNotice(failure, () => void reload())}
    ${matches === null ? (failure ? nothing : skeleton(4)) : this.#matches(matches, hasMore)}`;
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
                ${described(target)}${icons.forward}
              </button>
            </li>`,
        )}
      </ul>`;
  }

  #confirmation({ preview }: Target): TemplateResult {
    return section(
      'What will happen',
      html`${happening(preview)}
        <h3>What stays as it is</h3>
        <ul class="preview">
          ${preview.stays.map(sentence => html`<li>${icons.check}<span>${sentence}</span></li>`)}
        </ul>
        <form novalidate @submit=${this.#submit}>
          ${renderFields(this.#form, {
            reason: {
              label: 'Reason',
              hint: 'A note for the record, which other operators can read. Don’t include secrets.',
              maxLength: 200,
            },
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
    const scope = scopeNames.find(name => name === given);
    if (scope === undefined) return;
    this.scope = scope;
    try {
      const target = id === undefined ? null : await scopes[scope].get(this.app.call, id);
      if (this.scope === scope) this.target = target;
    } catch (error) {
      this.failure = ApiError.of(error);
    }
    if (this.target === null) this.#search.restart();
  }

  #chooseScope(scope: Scope): void {
    this.scope = scope;
    this.target = null;
    this.failure = null;
    this.app.query.set({ scope });
    this.#search.restart();
  }

  #choose(target: Target): void {
    this.target = target;
    this.failure = null;
    this.app.query.set({ scope: target.scope, target: target.id });
    void this.focusOn('.chosen button');
  }

  #change(scope: Scope): void {
    this.#chooseScope(scope);
    void this.focusOn('.search input');
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { target } = this;
    if (target === null) return;
    const reason = this.#form.values.reason.trim();
    let declared = '';
    const isDone = await this.app.confirm({
      title: 'Declare this incident?',
      body: happening(target.preview),
      action: 'Declare incident',
      done: 'Incident declared',
      name: target.name,
      run: async (_option, idempotencyKey) => {
        const body = { ...target.request, ...(reason === '' ? {} : { reason }) };
        declared = (await this.app.call('declareIncident', { body, idempotencyKey })).id;
      },
    });
    if (isDone) this.app.replace(`/incidents/${declared}`);
  };
}

// The table has no other keys.
const scopeNames = Object.keys(scopes) as Scope[];

function described({ name, detail }: Target): TemplateResult {
  return html`<span
    ><strong dir="auto">${name}</strong><span class="detail" dir="auto">${detail}</span></span
  >`;
}

function happening({ happens }: Preview): TemplateResult {
  return html`<ul class="preview">
    ${happens.map(sentence => html`<li class="happens">${icons.alert}<span>${sentence}</span></li>`)}
  </ul>`;
}
