import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { ApiError } from './api-error.ts';

/** Loads one thing when its page opens. */
export class Loader<Value> implements ReactiveController {
  value: Value | null = null;
  failure: ApiError | null = null;
  isLoading = false;
  #run = 0;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly load: () => Promise<Value>,
    private readonly onLoaded: (value: Value) => void = () => {},
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    void this.reload();
  }

  hostDisconnected(): void {
    this.#run += 1;
  }

  /** Loads it again and keeps the old value until then. Does not reject: `failure` contains the error. */
  async reload(): Promise<void> {
    const run = ++this.#run;
    this.isLoading = true;
    this.host.requestUpdate();
    try {
      const value = await this.load();
      if (run !== this.#run) return;
      this.set(value);
      this.onLoaded(value);
      return;
    } catch (error) {
      if (run !== this.#run) return;
      this.failure = ApiError.of(error);
    }
    this.isLoading = false;
    this.host.requestUpdate();
  }

  /** Replaces the value, for example with the response to a change. */
  set(value: Value): void {
    // A response that is still awaited is older.
    this.#run += 1;
    this.isLoading = false;
    this.value = value;
    this.failure = null;
    this.host.requestUpdate();
  }
}
