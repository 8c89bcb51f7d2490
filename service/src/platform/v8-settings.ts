/** Settings of V8 that cannot be given on the command line, because packages and containers start the service in many ways. */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * V8's limit for its young generation is 128 MB, of which a process keeps what it once needed. With half of it, requests need 2 %
 * more processor time.
 */
const maxYoungBytes = 64 * 1024 * 1024;

/** Must be called before other code is loaded. */
export function startSmall(): void {
  // Loading code creates a lot of garbage, for which V8 would enlarge its young generation. This saves 27 MB in an idle service.
  setFlagsFromString('--semi-space-growth-factor=1');
  // By default, V8 optimizes 40 of PGlite's functions during the start, one of which takes 600 MB of memory, on the cores that
  // the start needs. With this budget, it optimizes functions once they have run for longer.
  setFlagsFromString('--wasm-tiering-budget=2000000000');
}

/** Lets the young generation grow up to its limit. V8 would read one only from the command line. */
export function growUnderLoad(): void {
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const mayGrow = (young?.space_size ?? 0) < maxYoungBytes;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  }).observe({ entryTypes: ['gc'] });
}
