import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { ApiError } from './api-error.ts';
import type { Call, ListName, ResponseOf } from './call.ts';

export type ItemOf<Name extends ListName> =
  ResponseOf<Name> extends { data: readonly (infer Item)[] } ? Item : never;

/** Search text, sort key and filters by query parameter. */
export type ListQuery = Readonly<Record<string, string>>;

/** What a list needs from the console. */
export interface ListContext {
  readonly call: Call;
  /** The query of the page's URL, which contains what the operator searched for. */
  readonly query: { get(): ListQuery; set(query: ListQuery): void };
}

interface Options {
  /** The parameters in the endpoint's path. */
  readonly params?: () => Readonly<Record<string, string>>;
  /** Filters that always apply, such as the organization of a detail page. Null until they are known. */
  readonly fixed?: () => ListQuery | null;
  /** Whether the list is part of a page about something else, so that it takes nothing from the URL. */
  readonly isPart?: boolean;
  /** The sort key until the operator chooses one. */
  readonly sort?: string;
  readonly pageSize?: number;
}

const delayMs = 250;

/** Loads a paged list of the API one page at a time. Search text, sort key and filters are part of the page's URL. */
export class PagedList<Name extends ListName> implements ReactiveController {
  items: readonly ItemOf<Name>[] | null = null;
  isLoading = false;
  failure: ApiError | null = null;
  hasMore = false;
  /** The cursors of the pages up to this one; the first page has none. */
  #cursors: readonly (string | undefined)[] = [undefined];
  #next: string | null = null;
  #query: ListQuery = {};
  #request: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost & { readonly app: ListContext },
    private readonly name: Name,
    private readonly options: Options = {},
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    if (!this.options.isPart) this.#query = this.host.app.query.get();
    void this.reload();
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }

  /** Search text, filters and sort key, as far as the operator has chosen them. */
  get query(): ListQuery {
    return this.#query;
  }

  get pageNumber(): number {
    return this.#cursors.length;
  }

  get isFiltered(): boolean {
    return Object.keys(this.#query).some(name => name !== 'sort');
  }

  get sort(): string {
    return this.#query['sort'] ?? this.options.sort ?? '';
  }

  /** Returns the search text or the value of a filter. Empty if it is not set. */
  valueOf(name: string): string {
    return this.#query[name] ?? '';
  }

  /** Changes the search text, the sort key or a filter, and loads the first page. */
  set(name: string, value: string): void {
    const { [name]: _old, ...others } = this.#query;
    this.#query = value === '' ? others : { ...others, [name]: value };
    this.#cursors = [undefined];
    this.host.app.query.set(this.#query);
    clearTimeout(this.#timer);
    if (name === 'search') this.#timer = setTimeout(() => void this.reload(), delayMs);
    else void this.reload();
    this.host.requestUpdate();
  }

  /** Removes the search text and all filters. */
  clear(): void {
    const { sort } = this.#query;
    this.#query = sort === undefined ? {} : { sort };
    this.#cursors = [undefined];
    this.host.app.query.set(this.#query);
    void this.reload();
  }

  async showNext(): Promise<void> {
    if (this.#next === null) return;
    this.#cursors = [...this.#cursors, this.#next];
    await this.reload();
  }

  async showPrevious(): Promise<void> {
    if (this.#cursors.length > 1) this.#cursors = this.#cursors.slice(0, -1);
    await this.reload();
  }

  /** Loads the current page again. */
  async reload(): Promise<void> {
    this.isLoading = true;
    this.failure = null;
    this.host.requestUpdate();
    await this.refresh();
  }

  /** Loads the current page again without showing that it is being loaded. */
  async refresh(): Promise<void> {
    this.#request?.abort();
    const fixed = this.options.fixed?.();
    if (fixed === null) return;
    const request = (this.#request = new AbortController());
    try {
      // Every list accepts these parameters. The API validates the values, which come from the URL.
      const input = {
        params: this.options.params?.(),
        query: {
          ...this.#query,
          ...fixed,
          search: this.valueOf('search').trim() || undefined,
          sort: this.sort || undefined,
          limit: this.options.pageSize ?? 25,
          cursor: this.#cursors.at(-1),
        },
        signal: request.signal,
      };
      const call = this.host.app.call as (name: Name, input: object) => Promise<unknown>;
      const page = (await call(this.name, input)) as {
        data: ItemOf<Name>[];
        meta: { cursor: string | null; has_more: boolean };
      };
      if (request.signal.aborted) return;
      this.items = page.data;
      this.failure = null;
      this.#next = page.meta.cursor;
      this.hasMore = page.meta.has_more && page.meta.cursor !== null;
    } catch (error) {
      if (request.signal.aborted) return;
      this.failure = ApiError.of(error);
    }
    this.isLoading = false;
    this.host.requestUpdate();
  }
}
