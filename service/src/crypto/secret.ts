import { inspect } from 'node:util';

/** A value that does not tell itself: printing, logging or serialising it shows `[secret]`. Only `reveal()` gives it. */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself. Call it where it is used, and keep what it gives in no field. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
