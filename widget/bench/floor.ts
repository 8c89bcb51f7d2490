/**
 * The benchmark's baseline: the minimal Lit code that fetches and lists the same catalog, without search,
 * styles, languages, error handling, focus management or interaction.
 */
import { html, LitElement, type TemplateResult } from 'lit';

interface Source {
  readonly name: string;
  readonly iconUrl: string;
  readonly description: string;
}

class FloorList extends LitElement {
  static override properties = { sources: { state: true } };
  declare private sources: readonly Source[];

  override connectedCallback(): void {
    super.connectedCallback();
    this.sources = [];
    void this.#load();
  }

  protected override render(): TemplateResult {
    return html`<ul>
      ${this.sources.map(
        ({ name, iconUrl, description }) =>
          html`<li>
            <button class="row" part="source">
              <img loading="lazy" decoding="async" alt="" width="26" height="26" src=${iconUrl} />
              <b>${name}</b> <span>${description}</span>
            </button>
          </li>`,
      )}
    </ul>`;
  }

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

customElements.define('floor-list', FloorList);
