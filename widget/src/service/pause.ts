/**
 * Resolves after `ms`, or, where the page is hidden by then, as soon as the person looks at it again. Ends early when
 * the signal aborts.
 */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = new AbortController();
    const look = () => {
      if (!document.hidden || signal.aborted) end();
    };
    const end = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(() => {
      document.addEventListener('visibilitychange', look, { signal: done.signal });
      look();
    }, ms);
    signal.addEventListener('abort', end, { signal: done.signal });
    if (signal.aborted) end();
  });
}
