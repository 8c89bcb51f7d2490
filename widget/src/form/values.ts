import { textOf, type FixedField, type SingleField } from './fields.ts';

/** Maps paths to changed values of controls: a boolean for a checkbox, text for any other control. */
export type RawValues = ReadonlyMap<string, string | boolean>;

/** The reason why a field's text is invalid, with the limit that the message mentions. */
export type FieldIssue =
  | { readonly kind: 'missing' | 'pattern' | 'number' | 'integer' }
  | { readonly kind: 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge'; readonly limit: number };

/** Returns the initial value of a control. */
export function initialValue(field: SingleField): string | boolean {
  if (field.kind === 'boolean') return field.initial === true;
  if (field.kind === 'choice') {
    const index = field.options.findIndex(({ value }) => value === field.initial);
    return index >= 0 ? String(index) : '';
  }
  return textOf(field.initial);
}

/** Returns why a value is invalid, or null. Formats are left to the service, whose messages are better. */
export function validateField(field: SingleField, raw: string | boolean): FieldIssue | null {
  if (typeof raw === 'boolean') return null;
  const text = raw.trim();
  if (text === '') return field.required ? { kind: 'missing' } : null;
  if (field.kind === 'boolean' || field.kind === 'choice') return null;
  if (field.kind === 'number') {
    const value = Number(text);
    if (Number.isNaN(value)) return { kind: 'number' };
    if (field.integer && !Number.isInteger(value)) return { kind: 'integer' };
    if (value < field.minimum) return { kind: 'tooSmall', limit: field.minimum };
    return value > field.maximum ? { kind: 'tooLarge', limit: field.maximum } : null;
  }
  if (text.length < field.minLength) return { kind: 'tooShort', limit: field.minLength };
  if (text.length > field.maxLength) return { kind: 'tooLong', limit: field.maxLength };
  return field.pattern === null || field.pattern.test(text) ? null : { kind: 'pattern' };
}

/**
 * Returns the JSON object to send. It contains typed values at their paths and trimmed strings, and omits
 * empty optional fields.
 */
export function collectValues(
  fields: readonly (SingleField | FixedField)[],
  raw: RawValues,
): Record<string, unknown> {
  const result = emptyGroup();
  for (const field of fields) {
    const value =
      field.kind === 'fixed' ? field.initial : typedValue(field, raw.get(field.path) ?? initialValue(field));
    if (value !== undefined) setAt(result, field.path, value);
  }
  return result;
}

function typedValue(field: SingleField, raw: string | boolean): unknown {
  if (typeof raw === 'boolean') return raw;
  const text = raw.trim();
  if (text === '') return undefined;
  if (field.kind === 'choice') return field.options[Number(text)]?.value;
  if (field.kind === 'list') return text.split(/[\s,;]+/).filter(Boolean);
  return field.kind === 'number' ? Number(text) : text;
}

function setAt(target: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? path;
  let parent = target;
  for (const key of keys) {
    // Only this function writes to `target`, so the value under a group's key is an object created here.
    parent = (parent[key] ??= emptyGroup()) as Record<string, unknown>;
  }
  parent[last] = value;
}

/** Creates an object without a prototype, so that a field named `__proto__` is a member like any other. */
function emptyGroup(): Record<string, unknown> {
  // `Object.create` has no type of its own.
  return Object.create(null) as Record<string, unknown>;
}
