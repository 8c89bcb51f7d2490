import type { Reference } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Call } from '../api/call.ts';
import { DocumentElement } from './element.ts';
import { NameSearch, queryFor, searchField } from './name-search.ts';
import { failureNotice } from './notice.ts';

/** `<console-organization-picker>`: chooses organizations, with a search if there are many. */
export class OrganizationPicker extends DocumentElement {
  @property({ attribute: false }) call!: Call;
  /** The ids of the chosen organizations. */
  @property({ attribute: false }) selected: readonly string[] = [];
  /** The names of those that were chosen before. */
  @property({ attribute: false }) known: readonly Reference[] = [];
  @property({ attribute: false }) isInvalid = false;
  @property({ attribute: false }) onChange: (selected: readonly string[]) => void = () => {};
  readonly #seen = new Map<string, Reference>();
  /** Those that were chosen or deselected here, which stay in the list. */
  readonly #toggled = new Set<string>();
  readonly #search = new NameSearch<Reference>(this, async (text, signal) => {
    const { data } = await this.call('listOrganizations', { query: queryFor(text), signal });
    return data.map(({ id, name }) => ({ id, name }));
  });

  protected override firstUpdated(): void {
    void this.#search.reload();
  }

  protected override render(): TemplateResult {
    const { text, matches, hasMore, failure, reload } = this.#search;
    const found = matches ?? [];
    for (const organization of [...this.known, ...found]) this.#seen.set(organization.id, organization);
    const others = [...this.#seen.values()].filter(
      ({ id }) => (this.selected.includes(id) || this.#toggled.has(id)) && !found.some(one => one.id === id),
    );
    return html`${failureNotice(failure, () => void reload())}
      ${
        hasMore || text !== ''
          ? searchField('Search organizations', text, typed => this.#search.search(typed))
          : nothing
      }
      <div class="picker-list">
        ${repeat(
          [...others, ...found],
          ({ id }) => id,
          ({ id, name }, index) =>
            html`<label class="check"
              ><input
                type="checkbox"
                id=${index === 0 ? 'field-organization_ids' : nothing}
                aria-invalid=${this.isInvalid}
                .checked=${live(this.selected.includes(id))}
                @change=${() => this.#toggle(id)}
              /><span class="clamp">${name}</span></label
            >`,
        )}
        ${text !== '' && found.length === 0 ? html`<p class="hint">No organization matches.</p>` : nothing}
        ${hasMore ? html`<p class="hint">Search to find more organizations.</p>` : nothing}
      </div>`;
  }

  #toggle(id: string): void {
    this.#toggled.add(id);
    const left = this.selected.filter(other => other !== id);
    this.onChange(left.length < this.selected.length ? left : [...this.selected, id]);
  }
}
