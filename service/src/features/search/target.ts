import { unknownField } from '@connector-auth/api';
import type { SearchType } from '@connector-auth/connectors/kind';
import { isStorable } from '../../shared/records/column-value.ts';
import type { FieldColumn, RecordTable } from '../../shared/records/record-table.ts';

/**
 * The target of a path in a query: a searchable field, a value in an object field, or, inside `any`, a value
 * in an array element.
 */
export interface Target {
  /** The path as the caller wrote it, joined with dots. */
  readonly path: string;
  /** Null inside `any`, where the path starts at the array element. */
  readonly column: FieldColumn | null;
  /** The member names that lead from the column or array element to the value. */
  readonly steps: readonly string[];
  /** `json` if the type is not declared and can differ between records. */
  readonly type: SearchType | 'json';
}

/** Resolves a path, or returns an error message. */
export type Resolve = (path: string | readonly string[]) => Target | PathIssue;

export interface PathIssue {
  readonly message: string;
}

/** Limited because each name adds several parameters to the SQL statement. */
const maxNames = 64;
const maxPathLength = 1000;

export const unstorable = 'Text must not contain U+0000 or unpaired surrogates';
const tooLong: PathIssue = {
  message: `A path can contain at most ${maxNames} names and ${maxPathLength} characters`,
};

const emptyName: PathIssue = {
  message: 'Must be a path inside the array element, such as "a.b"; names must not be empty',
};

/** The path that refers to the array element itself inside `any`. */
const itself = '*';

/**
 * Returns a function that resolves paths in a table's records. Field names can contain dots, so the longest
 * field name that starts the path wins.
 */
export function resolveIn(table: RecordTable): Resolve {
  const unknown = (): PathIssue => ({
    message: unknownField([...table.fields.keys()], 'Searchable fields'),
  });
  return asked => {
    const segments = segmentsOf(asked);
    if ('message' in segments) return segments;
    for (let length = segments.length; length > 0; length--) {
      const column = table.fields.get(segments.slice(0, length).join('.'));
      if (column === undefined) continue;
      const steps = segments.slice(length);
      if (steps.length === 0) return { path: segments.join('.'), column, steps, type: column.type };
      if (column.type !== 'object' || steps.includes('')) return unknown();
      return { path: segments.join('.'), column, steps, type: 'json' };
    }
    return unknown();
  };
}

/** Resolves paths within an array element, inside `any`. */
export const resolveInElement: Resolve = asked => {
  const segments = segmentsOf(asked);
  if ('message' in segments) return segments;
  if (segments.length === 0 || segments.includes('')) return emptyName;
  const path = segments.join('.');
  return { path, column: null, steps: path === itself ? [] : segments, type: 'json' };
};

function segmentsOf(path: string | readonly string[]): readonly string[] | PathIssue {
  const length =
    typeof path === 'string' ? path.length : path.reduce((sum, name) => sum + 1 + name.length, -1);
  if (length > maxPathLength) return tooLong;
  const segments = typeof path === 'string' ? path.split('.') : path;
  if (segments.length > maxNames) return tooLong;
  return segments.every(isStorable) ? segments : { message: unstorable };
}
