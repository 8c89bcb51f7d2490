import { en } from './en.ts';
import { replaceNamed, type Messages } from './messages.ts';

/**
 * Validates an integrator's messages. Returns the valid messages, and one sentence for each invalid message.
 */
export function checkMessages(own: object): { valid: Partial<Messages>; issues: readonly string[] } {
  const valid: Record<string, unknown> = {};
  const issues: string[] = [];
  for (const [key, value] of Object.entries(own)) {
    // The value is undefined if the name is unknown.
    const wanted = typeof en[key as keyof Messages];
    if (typeof value === wanted) valid[key] = value;
    else
      issues.push(
        wanted === 'undefined' ? `unknown message "${key}"` : `message "${key}" must be a ${wanted}`,
      );
  }
  return { valid: replaceNamed(valid), issues };
}
