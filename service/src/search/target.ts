import type { SearchType } from '@connector-auth/connectors/kind';
import { isStorable } from '../records/column-value.ts';
import type { FieldColumn, RecordTable } from '../records/record-table.ts';

/**
 * What a path in a query leads to: a searchable field, a place within an object field, or, inside `any`, a place within the element
 * of an array.
 */
export interface Target {
  /** As it was asked for. */
  readonly path: string;
  /** Null inside `any`: the element is meant. */
  readonly column: FieldColumn | null;
  /** Names of members on the way into an object. */
  readonly steps: readonly string[];
  /** `json` where only the data knows. */
  readonly type: SearchType | 'json';
}

/** Finds what a path leads to, or says what is wrong with it: above all, that it leads to nothing that is declared. */
export type Resolve = (path: string | readonly string[]) => Target | PathFault;

export interface PathFault {
  readonly fault: string;
}

/** Every name costs the statement a parameter, several times over. */
const mostNames = 64;
const longestPath = 1000;

export const unstorable = 'Text has no U+0000 and no half of a surrogate pair';
const tooLong: PathFault = {
  fault: `A path has at most ${mostNames} names and ${longestPath} characters`,
};
const unknownField: PathFault = { fault: 'The entity has no such searchable field' };

/** The path that means the element itself, inside `any`. */
const itself = '*';

/** Paths into the records of a table. The longest field that the path begins with is taken; what is left reaches into its object. */
export function resolveIn(table: RecordTable): Resolve {
  return asked => {
    const segments = segmentsOf(asked);
    if ('fault' in segments) return segments;
    for (let length = segments.length; length > 0; length--) {
      const column = table.fields.get(segments.slice(0, length).join('.'));
      if (column === undefined) continue;
      const steps = segments.slice(length);
      if (steps.length === 0) return { path: segments.join('.'), column, steps, type: column.type };
      if (column.type !== 'object' || steps.includes('')) return unknownField;
      return { path: segments.join('.'), column, steps, type: 'json' };
    }
    return unknownField;
  };
}

/** Paths into an element of an array. */
export const resolveInElement: Resolve = asked => {
  const segments = segmentsOf(asked);
  if ('fault' in segments) return segments;
  if (segments.length === 0 || segments.includes('')) return unknownField;
  const path = segments.join('.');
  return { path, column: null, steps: path === itself ? [] : segments, type: 'json' };
};

function segmentsOf(path: string | readonly string[]): readonly string[] | PathFault {
  const length =
    typeof path === 'string' ? path.length : path.reduce((sum, name) => sum + 1 + name.length, -1);
  if (length > longestPath) return tooLong;
  const segments = typeof path === 'string' ? path.split('.') : path;
  if (segments.length > mostNames) return tooLong;
  return segments.every(isStorable) ? segments : { fault: unstorable };
}
