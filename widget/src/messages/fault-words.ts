import type { Fault } from '../form/values.ts';
import type { Messages } from './messages.ts';

/** What is wrong with a field, in a sentence. */
export function faultWords(fault: Fault, label: string, messages: Messages): string {
  if ('limit' in fault) return messages[fault.kind](fault.limit);
  return messages[fault.kind](label);
}
