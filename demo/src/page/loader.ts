import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What an element shows of a value that it requests. */
export type Loading<Value> =
  | { readonly is: 'loading' }
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'loaded'; readonly value: Value };

/**
 * Requests a value again whenever its key changes. Keeps the last value meanwhile, and for the next element
 * that asks for the same key, so that a page which is opened again does not wait.
 */
export class Loader<Value> implements ReactiveController {
  static readonly #values = new Map<string, unknown>();

  state: Loading<Value> = { is: 'loading' };
  readonly #host: ReactiveControllerHost;
  readonly #load: () => Promise<Value>;
  readonly #keyOf: () => string | null;
  #subject: string | undefined;
  #key: string | null = null;
  /** The key of the request under way. */
  #requested: string | null = null;

  /**
   * @param keyOf returns `subject|version`, or null while there is nothing to load. A new version of the same
   * subject replaces the value as soon as it has been loaded.
   */
  constructor(host: ReactiveControllerHost, keyOf: () => string | null, load: () => Promise<Value>) {
    this.#host = host;
    this.#keyOf = keyOf;
    this.#load = load;
    host.addController(this);
  }

  hostUpdate(): void {
    const key = this.#keyOf();
    if (key === this.#key) return;
    this.#key = key;
    if (key === null) {
      this.#subject = undefined;
      this.state = { is: 'loading' };
      return;
    }
    const subject = subjectOf(key);
    if (Loader.#values.has(key)) {
      // The value was stored under this key by the same kind of loader.
      this.state = { is: 'loaded', value: Loader.#values.get(key) as Value };
    } else {
      if (subject !== this.#subject) this.state = { is: 'loading' };
      void this.#request(key);
    }
    this.#subject = subject;
  }

  /** Requests the value again, for example after an error. */
  readonly reload = (): void => {
    if (this.#key === null) return;
    this.state = { is: 'loading' };
    this.#host.requestUpdate();
    void this.#request(this.#key);
  };

  async #request(key: string): Promise<void> {
    const subject = subjectOf(key);
    // A newer version is requested when the request under way has ended, so that they do not pile up.
    if (this.#requested !== null && subjectOf(this.#requested) === subject) return;
    this.#requested = key;
    let state: Loading<Value>;
    try {
      const value = await this.#load();
      // Only the latest version of a subject is useful.
      for (const old of Loader.#values.keys()) {
        if (subjectOf(old) === subject) Loader.#values.delete(old);
      }
      Loader.#values.set(key, value);
      state = { is: 'loaded', value };
    } catch (error) {
      state = { is: 'failed', message: messageOf(error) };
    }
    if (key === this.#requested) this.#requested = null;
    if (subject !== this.#subject || this.#key === null) return;
    this.state = state;
    this.#host.requestUpdate();
    if (key !== this.#key) void this.#request(this.#key);
  }
}

function subjectOf(key: string): string {
  return key.slice(0, key.indexOf('|'));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.';
}
