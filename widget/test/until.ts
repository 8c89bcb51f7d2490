import { vi } from 'vitest';

/** Resolves with the result of the check once it no longer throws. The timeout allows for busy machines. */
export function until<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 10_000, interval: 20 });
}
