import { en } from './en.ts';
import type { Messages } from './messages.ts';

/**
 * Validates an integrator's messages: returns the valid ones, and the issues of the others, one sentence
 * each.
 */
export function checkMessages(own: object): { valid: Partial<Messages>; issues: readonly string[] } {
  const valid: Record<string, unknown> = {};
  const issues: string[] = [];
  for (const [key, value] of Object.entries(own)) {
    // Undefined for an unknown name.
    const wanted = typeof en[key as keyof Messages];
    if (typeof value === wanted) valid[key] = value;
    else
      issues.push(
        wanted === 'undefined' ? `unknown message "${key}"` : `message "${key}" must be a ${wanted}`,
      );
  }
  return { valid, issues };
}
