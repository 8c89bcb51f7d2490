import type { ReactiveControllerHost } from 'lit';

/** Runs something regularly while the host is in the page, except in the background. Runs do not overlap. */
export function poll(
  host: ReactiveControllerHost,
  intervalMs: number,
  run: () => Promise<unknown> | undefined,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let isConnected = false;
  const schedule = (): void => {
    timer = setTimeout(() => {
      isDue = true;
      runIfDue();
    }, intervalMs);
  };
  const runIfDue = (): void => {
    if (!isDue || document.hidden) return;
    isDue = false;
    void Promise.resolve(run()).finally(() => {
      if (isConnected) schedule();
    });
  };
  host.addController({
    hostConnected() {
      isConnected = true;
      document.addEventListener('visibilitychange', runIfDue);
      schedule();
    },
    hostDisconnected() {
      isConnected = false;
      document.removeEventListener('visibilitychange', runIfDue);
      clearTimeout(timer);
    },
  });
}
