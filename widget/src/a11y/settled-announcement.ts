import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Milliseconds without another sentence before one is said: nobody wants a count after every keystroke. */
export const settleMs = 600;

/** Says the last of several sentences once they have stopped coming; nothing after its host has left. */
export class SettledAnnouncement implements ReactiveController {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    host: ReactiveControllerHost,
    private readonly announce: (text: string) => void,
  ) {
    host.addController(this);
  }

  say(text: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.announce(text);
    }, settleMs);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }
}
