import { vi } from 'vitest';

/** Retries the check until it does not throw, for up to 60 s, and returns its result. */
export function until<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}
