import { vi } from 'vitest';

/**
 * Resolves with what the check gives as soon as it throws nothing: soon, but a small machine runs several
 * projects at once.
 */
export function until<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}
