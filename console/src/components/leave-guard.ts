import type { ReactiveControllerHost } from 'lit';

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
  const keepTab = (event: Event): void => {
    if (isAtRisk()) event.preventDefault();
  };
  const report = (event: Event): void => {
    if (event instanceof LeavingEvent && isAtRisk()) event.losses.add(loss);
  };
  host.addController({
    hostConnected() {
      window.addEventListener('beforeunload', keepTab);
      window.addEventListener(LeavingEvent.type, report);
    },
    hostDisconnected() {
      window.removeEventListener('beforeunload', keepTab);
      window.removeEventListener(LeavingEvent.type, report);
    },
  });
}
