import type { SearchType } from '@connector-auth/connectors/kind';
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

/** Finds what a path leads to; null when it leads to nothing that is declared. */
export type Resolve = (path: string | readonly string[]) => Target | null;

/** The path that means the element itself, inside `any`. */
const itself = '*';

/** Paths into the records of a table. The longest field that the path begins with is taken; what is left reaches into its object. */
export function resolveIn(table: RecordTable): Resolve {
  return asked => {
    const segments = segmentsOf(asked);
    for (let length = segments.length; length > 0; length--) {
      const column = table.fields.get(segments.slice(0, length).join('.'));
      if (column === undefined) continue;
      const steps = segments.slice(length);
      if (steps.length === 0) return { path: segments.join('.'), column, steps, type: column.type };
      if (column.type !== 'object' || steps.includes('')) return null;
      return { path: segments.join('.'), column, steps, type: 'json' };
    }
    return null;
  };
}

/** Paths into an element of an array. */
export const resolveInElement: Resolve = asked => {
  const segments = segmentsOf(asked);
  if (segments.length === 0 || segments.includes('')) return null;
  const path = segments.join('.');
  return { path, column: null, steps: path === itself ? [] : segments, type: 'json' };
};

function segmentsOf(path: string | readonly string[]): readonly string[] {
  return typeof path === 'string' ? path.split('.') : path;
}
