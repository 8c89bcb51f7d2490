import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Runs something regularly while the host is in the page, except in the background. Runs do not overlap. */
export function poll(
  host: ReactiveControllerHost,
  intervalMs: number,
  run: () => Promise<unknown> | undefined,
): void {
  host.addController(new Polling(intervalMs, run));
}

class Polling implements ReactiveController {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDue = false;
  #isConnected = false;

  constructor(
    private readonly intervalMs: number,
    private readonly run: () => Promise<unknown> | undefined,
  ) {}

  hostConnected(): void {
    this.#isConnected = true;
    document.addEventListener('visibilitychange', this.#runIfDue);
    this.#schedule();
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    document.removeEventListener('visibilitychange', this.#runIfDue);
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#isDue = true;
      this.#runIfDue();
    }, this.intervalMs);
  }

  readonly #runIfDue = (): void => {
    if (!this.#isDue || document.hidden) return;
    this.#isDue = false;
    void Promise.resolve(this.run()).finally(() => {
      if (this.#isConnected) this.#schedule();
    });
  };
}
