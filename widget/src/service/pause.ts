/**
 * Resolves after `ms`. If the page is hidden at that time, resolves as soon as it is visible again. Resolves
 * early when the signal aborts.
 */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = new AbortController();
    const check = () => {
      if (!document.hidden || signal.aborted) end();
    };
    const end = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(() => {
      document.addEventListener('visibilitychange', check, { signal: done.signal });
      check();
    }, ms);
    signal.addEventListener('abort', end, { signal: done.signal });
    if (signal.aborted) end();
  });
}
