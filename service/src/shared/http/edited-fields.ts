import { isDeepStrictEqual } from 'node:util';
import { ConnectorAuthError } from '@connector-auth/api';

type Value = string | number | boolean | null | readonly string[];

/** A field of an edit. The wanted value is undefined if the edit leaves the field as it is. */
export interface EditedField {
  readonly path: string;
  readonly current: Value;
  readonly wanted: Value | undefined;
}

/**
 * Returns the paths of the fields that an edit changes. Repeating an edit is allowed: it changes nothing.
 * @param versions the version that the operator has seen, and the current one.
 * @throws ConnectorAuthError `edit_conflict` if the edit is based on another version and would change something.
 */
export function changedFields(
  versions: { readonly seen: number; readonly current: number },
  fields: readonly EditedField[],
): readonly string[] {
  const changed = fields.filter(
    ({ current, wanted }) => wanted !== undefined && !isDeepStrictEqual(current, wanted),
  );
  if (changed.length > 0 && versions.seen !== versions.current) {
    const issues = changed.map(({ path, current }) => ({ path, message: `Is now ${describe(current)}` }));
    throw ConnectorAuthError.invalid(
      'edit_conflict',
      [...issues, { path: 'version', message: `Is now ${versions.current}` }],
      'It was changed in the meantime. Check the current values, and repeat the change with the current version',
    );
  }
  return changed.map(({ path }) => path);
}

function describe(value: Value): string {
  if (value === null) return 'not set';
  if (typeof value === 'string') return `“${value}”`;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value.length === 0 ? 'empty' : value.map(describe).join(', ');
}
