import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What an operator loses by leaving the page: unsaved input, or a secret that the service never shows again. */
export type Loss = 'input' | 'secret';

/** Dispatched on `window` before another page is shown. Guards add what would be lost. */
class LeavingEvent extends Event {
  static readonly type = 'console-leaving';
  readonly losses = new Set<Loss>();

  constructor() {
    super(LeavingEvent.type);
  }
}

/** Returns what would be lost if another page was shown now. */
export function findLosses(): ReadonlySet<Loss> {
  const event = new LeavingEvent();
  window.dispatchEvent(event);
  return event.losses;
}

/** Warns before the operator closes the tab or leaves the page, as long as something would be lost. */
export function guardLeaving(host: ReactiveControllerHost, loss: Loss, isAtRisk: () => boolean): void {
  host.addController(new LeaveGuard(loss, isAtRisk));
}

class LeaveGuard implements ReactiveController {
  constructor(
    private readonly loss: Loss,
    private readonly isAtRisk: () => boolean,
  ) {}

  hostConnected(): void {
    window.addEventListener('beforeunload', this.#keepTab);
    window.addEventListener(LeavingEvent.type, this.#report);
  }

  hostDisconnected(): void {
    window.removeEventListener('beforeunload', this.#keepTab);
    window.removeEventListener(LeavingEvent.type, this.#report);
  }

  readonly #keepTab = (event: BeforeUnloadEvent): void => {
    if (this.isAtRisk()) event.preventDefault();
  };

  readonly #report = (event: Event): void => {
    if (event instanceof LeavingEvent && this.isAtRisk()) event.losses.add(this.loss);
  };
}
