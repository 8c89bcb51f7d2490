import type { Reference } from '@connector-auth/api/admin';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { ApiError } from '../api/api-error.ts';
import type { Call } from '../api/call.ts';
import { icons } from './icons.ts';
import { failureNotice } from './notice.ts';

const shownCount = 8;
const delayMs = 250;

/** `<console-organization-picker>`: chooses organizations, with a search if there are many. */
export class OrganizationPicker extends LitElement {
  @property({ attribute: false }) call!: Call;
  @property({ attribute: false }) selected: readonly Reference[] = [];
  @property({ attribute: false }) issue: string | null = null;
  @property({ attribute: false }) onChange: (selected: readonly Reference[]) => void = () => {};
  @state() private found: readonly Reference[] = [];
  @state() private hasMore = false;
  @state() private search = '';
  @state() private failure: ApiError | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run = 0;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(_changed: PropertyValues): void {
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult {
    const ids = new Set(this.selected.map(({ id }) => id));
    const found = new Set(this.found.map(({ id }) => id));
    const others = this.selected.filter(({ id }) => !found.has(id));
    const isSearchable = this.hasMore || this.search !== '';
    return html`<fieldset
      class="field picker"
      aria-describedby=${this.issue === null ? nothing : 'picker-error'}
    >
      <legend class="label">Organizations</legend>
      ${failureNotice(this.failure, () => void this.#load())}
      ${
        isSearchable
          ? html`<div class="search">
              ${icons.search}<input
                type="search"
                aria-label="Search organizations"
                placeholder="Search organizations"
                autocomplete="off"
                maxlength="200"
                .value=${live(this.search)}
                @input=${this.#handleSearch}
              />
            </div>`
          : nothing
      }
      <div class="picker-list">
        ${repeat(
          [...others, ...this.found],
          ({ id }) => id,
          (organization, index) =>
            html`<label class="check"
              ><input
                type="checkbox"
                id=${index === 0 ? 'field-organization_ids' : nothing}
                aria-invalid=${this.issue !== null}
                .checked=${live(ids.has(organization.id))}
                @change=${() => this.#toggle(organization)}
              /><span class="clamp">${organization.name}</span></label
            >`,
        )}
        ${
          this.search !== '' && this.found.length === 0
            ? html`<p class="hint">No organization matches.</p>`
            : nothing
        }
        ${this.hasMore ? html`<p class="hint">Search to find more organizations.</p>` : nothing}
      </div>
      ${
        this.issue === null
          ? nothing
          : html`<p class="field-error" id="picker-error">${icons.alert}<span>${this.issue}</span></p>`
      }
    </fieldset>`;
  }

  #toggle(organization: Reference): void {
    const left = this.selected.filter(({ id }) => id !== organization.id);
    this.onChange(left.length < this.selected.length ? left : [...this.selected, organization]);
    // Keeps an organization that was deselected in the list.
    if (!this.found.some(({ id }) => id === organization.id)) this.found = [organization, ...this.found];
  }

  readonly #handleSearch = ({ target }: Event): void => {
    // The handler is bound only to the search field.
    this.search = (target as HTMLInputElement).value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(), delayMs);
  };

  async #load(): Promise<void> {
    const run = ++this.#run;
    const search = this.search.trim();
    this.failure = null;
    try {
      const { data, meta } = await this.call('listOrganizations', {
        query: { sort: 'name', limit: shownCount, ...(search === '' ? {} : { search }) },
      });
      if (run !== this.#run) return;
      this.found = data.map(({ id, name }) => ({ id, name }));
      this.hasMore = meta.has_more;
    } catch (error) {
      if (run === this.#run) this.failure = ApiError.of(error);
    }
  }
}
