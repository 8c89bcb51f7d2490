/**
 * The benchmark's baseline for long lists: the minimal Lit code that fetches the same catalog, searches it by the
 * same rules, and renders the rows in view, with the same content and all of the same height.
 */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { fold } from '../src/flow/search.ts';

interface Source {
  readonly name: string;
  readonly iconUrl: string;
  readonly description: string;
  readonly connectorType: string;
  readonly supportLevel: string;
}

const rowHeight = 78;
const viewHeight = 480;

class WindowList extends LitElement {
  static override properties = {
    sources: { state: true },
    query: { state: true },
    first: { state: true },
  };

  static override styles = css`
    .list {
      height: ${viewHeight}px;
      overflow: auto;
    }
    ul {
      box-sizing: border-box;
      margin: 0;
      padding: 0;
      list-style: none;
    }
    .row {
      display: flex;
      gap: 13px;
      align-items: center;
      width: 100%;
      height: ${rowHeight}px;
      overflow: hidden;
      border: 0;
      background: none;
      font: inherit;
      text-align: start;
    }
    .text {
      flex: 1;
    }
  `;

  /** The sources with the text in which they are searched. */
  declare private sources: readonly (Source & { readonly text: string })[];
  declare private query: string;
  /** The index of the first row in view. */
  declare private first: number;

  override connectedCallback(): void {
    super.connectedCallback();
    this.sources = [];
    this.query = '';
    this.first = 0;
    void this.#load();
  }

  protected override render(): TemplateResult {
    const { first } = this;
    const found = this.#find();
    const rows = found.slice(first, first + Math.ceil(viewHeight / rowHeight) + 1);
    return html`<input type="search" @input=${this.#handleInput} />
      <div class="list" @scroll=${this.#handleScroll}>
        <ul style="padding-top: ${first * rowHeight}px; height: ${found.length * rowHeight}px">
          ${rows.map(
            ({ name, iconUrl, description, supportLevel }) =>
              html`<li>
                <button class="row" part="source">
                  <img loading="lazy" decoding="async" alt="" width="44" height="44" src=${iconUrl} />
                  <span class="text">
                    <b>${name}</b> ${supportLevel === 'community' ? html`<small>Beta</small>` : nothing}<br />
                    ${description}
                  </span>
                  Connect
                </button>
              </li>`,
          )}
        </ul>
      </div>`;
  }

  /** Returns the sources that contain every word of the query, those whose names begin with it first. */
  #find(): readonly Source[] {
    const query = fold(this.query.trim());
    const words = query.split(/\s+/);
    const found = this.sources.filter(({ text }) => words.every(word => text.includes(word)));
    if (!query) return found;
    return [
      ...found.filter(({ text }) => text.startsWith(query)),
      ...found.filter(({ text }) => !text.startsWith(query)),
    ];
  }

  readonly #handleInput = ({ target }: Event): void => {
    // The handler is bound only to the search field.
    this.query = (target as HTMLInputElement).value;
  };

  readonly #handleScroll = ({ target }: Event): void => {
    // The handler is bound only to the box that scrolls.
    this.first = Math.floor((target as HTMLElement).scrollTop / rowHeight);
  };

  async #load(): Promise<void> {
    const response = await fetch('/token', { method: 'POST' });
    // Both responses come from the benchmark's own server.
    const { token, service_url } = (await response.json()) as { token: string; service_url: string };
    const load = async (path: string) =>
      (
        await fetch(`${service_url}/api/v1/integrations/${path}`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).json();
    const [catalog] = await Promise.all([load('definitions/sources'), load('connectors?limit=1000')]);
    this.sources = (catalog as { definitions: readonly Source[] }).definitions.map(source => ({
      ...source,
      text: fold(`${source.name} ${source.connectorType} ${source.description}`),
    }));
  }
}

customElements.define('window-list', WindowList);
