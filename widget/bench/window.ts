/**
 * The benchmark's baseline for long lists: the minimal Lit code that fetches the same catalog and renders the
 * rows in view, all of the same height.
 */
import { html, LitElement, type TemplateResult } from 'lit';

interface Source {
  readonly name: string;
  readonly iconUrl: string;
  readonly description: string;
}

const rowHeight = 64;
const viewHeight = 576;

class WindowList extends LitElement {
  static override properties = { sources: { state: true }, first: { state: true } };
  declare private sources: readonly Source[];
  /** The index of the first row in view. */
  declare private first: number;

  override connectedCallback(): void {
    super.connectedCallback();
    this.sources = [];
    this.first = 0;
    void this.#load();
  }

  protected override render(): TemplateResult {
    const { first, sources } = this;
    const rows = sources.slice(first, first + viewHeight / rowHeight + 1);
    return html`<div style="height: ${viewHeight}px; overflow: auto" @scroll=${this.#handleScroll}>
      <ul style="margin: 0; padding: ${first * rowHeight}px 0 0; height: ${sources.length * rowHeight}px">
        ${rows.map(
          ({ name, iconUrl, description }) =>
            html`<li style="height: ${rowHeight}px; overflow: hidden">
              <button class="row" part="source">
                <img loading="lazy" decoding="async" alt="" width="26" height="26" src=${iconUrl} />
                <b>${name}</b> <span>${description}</span>
              </button>
            </li>`,
        )}
      </ul>
    </div>`;
  }

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
    this.sources = (catalog as { definitions: readonly Source[] }).definitions;
  }
}

customElements.define('window-list', WindowList);
