/** How long a number runs up to a new value, in milliseconds. */
const durationMs = 900;

/** A number that runs up to its latest value, or jumps to it if the user prefers reduced motion. */
export class RunningCount {
  #from = 0;
  #to = 0;
  #startedAt = 0;
  #frame = 0;

  /**
   * @param host the element that shows the number.
   * @param onFrame called before each frame while the number runs.
   */
  constructor(
    private readonly host: Element,
    private readonly onFrame: () => void,
  ) {}

  /** Returns the number to show now. */
  valueAt(now: number, target: number): number {
    if (target !== this.#to) {
      this.#from = this.#value(now);
      this.#to = target;
      const isStill =
        this.host.matches('[motion=reduce]') || matchMedia('(prefers-reduced-motion: reduce)').matches;
      this.#startedAt = isStill ? -durationMs : now;
    }
    const value = this.#value(now);
    cancelAnimationFrame(this.#frame);
    if (value !== target) this.#frame = requestAnimationFrame(this.onFrame);
    return value;
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  #value(now: number): number {
    const rest = Math.max(0, 1 - (now - this.#startedAt) / durationMs);
    return Math.round(this.#to - (this.#to - this.#from) * rest ** 3);
  }
}
