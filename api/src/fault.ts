import type { z } from 'zod';
import type { Fault } from './problem.ts';

/**
 * The faults a zod schema found, one for each wrong place, with dotted paths.
 * @param prefix put before each path, e.g. `params`.
 */
export function faultsOf(error: z.ZodError, prefix = ''): Fault[] {
  const faults = error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => ({
        path: dotted(prefix, [...issue.path, key]),
        message: 'This field does not exist here',
      }));
    }
    return [{ path: dotted(prefix, issue.path), message: wordsOf(issue) }];
  });
  // Of several faults at one place the first says enough: an empty text need not also be told that it has the wrong shape.
  return faults.filter(({ path }, index) => faults.findIndex(other => other.path === path) === index);
}

/** What zod says by itself of a missing field or a text that is no number names types of a program. */
function wordsOf({ code, message }: z.core.$ZodIssue): string {
  if (code !== 'invalid_type') return message;
  if (/^Invalid input: expected .+, received undefined$/.test(message)) return 'This is required';
  return message === 'Invalid input: expected number, received NaN' ? 'Give a number' : message;
}

function dotted(prefix: string, path: readonly PropertyKey[]): string {
  return [...(prefix === '' ? [] : [prefix]), ...path.map(String)].join('.');
}
