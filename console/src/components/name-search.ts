import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { ApiError } from '../api/api-error.ts';
import { icons } from './icons.ts';

const delayMs = 250;
const shownMatches = 8;

/** Requests one match more than is shown, to find out if there are more. */
export function queryFor(text: string) {
  const search = text.trim();
  return { ...(search === '' ? {} : { search }), sort: 'name', limit: shownMatches + 1 } as const;
}

/** Finds something by a part of its name, once the operator pauses. */
export class NameSearch<Match> implements ReactiveController {
  text = '';
  /** The first matches, or null until they are loaded. */
  matches: readonly Match[] | null = null;
  hasMore = false;
  failure: ApiError | null = null;
  #request: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param find returns the matches for a text, as many as `queryFor` says. */
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly find: (text: string, signal: AbortSignal) => Promise<readonly Match[]>,
  ) {
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }

  search(text: string): void {
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), delayMs);
    this.host.requestUpdate();
  }

  /** Starts a new search, for example for other things. */
  restart(): void {
    this.text = '';
    this.matches = null;
    void this.reload();
  }

  readonly reload = async (): Promise<void> => {
    clearTimeout(this.#timer);
    this.#request?.abort();
    const { signal } = (this.#request = new AbortController());
    this.failure = null;
    this.host.requestUpdate();
    try {
      const matches = await this.find(this.text.trim(), signal);
      if (signal.aborted) return;
      this.hasMore = matches.length > shownMatches;
      this.matches = matches.slice(0, shownMatches);
    } catch (error) {
      if (signal.aborted) return;
      this.failure = ApiError.of(error);
    }
    this.host.requestUpdate();
  };
}

/** Renders a field to search in. */
export function searchField(label: string, text: string, onSearch: (text: string) => void): TemplateResult {
  return html`<div class="search">
    ${icons.search}
    <input
      type="search"
      maxlength="200"
      autocomplete="off"
      spellcheck="false"
      aria-label=${label}
      placeholder=${label}
      .value=${live(text)}
      @input=${({ target }: Event) =>
        // The handler is bound only to this control.
        onSearch((target as HTMLInputElement).value)}
    />
  </div>`;
}
