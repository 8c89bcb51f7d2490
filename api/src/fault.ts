import type { z } from 'zod';
import type { Fault } from './problem.ts';

/**
 * The faults a zod schema found, one for each wrong place, with dotted paths.
 * @param prefix put before each path, e.g. `params`.
 */
export function faultsOf(error: z.ZodError, prefix = ''): Fault[] {
  return error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => ({
        path: dotted(prefix, [...issue.path, key]),
        message: 'This field does not exist here',
      }));
    }
    return [{ path: dotted(prefix, issue.path), message: issue.message }];
  });
}

function dotted(prefix: string, path: readonly PropertyKey[]): string {
  return [...(prefix === '' ? [] : [prefix]), ...path.map(String)].join('.');
}
