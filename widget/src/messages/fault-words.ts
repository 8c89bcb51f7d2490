import type { Fault } from '../form/values.ts';
import type { Messages } from './messages.ts';

/** What is wrong with a field, in a sentence. */
export function faultWords(fault: Fault, label: string, messages: Messages): string {
  switch (fault.kind) {
    case 'missing':
    case 'pattern':
      return messages[fault.kind](label);
    case 'tooShort':
    case 'tooLong':
    case 'tooSmall':
    case 'tooLarge':
      return messages[fault.kind](fault.limit);
    case 'number':
    case 'integer':
    case 'email':
    case 'url':
    case 'date':
      return messages[fault.kind];
  }
}
