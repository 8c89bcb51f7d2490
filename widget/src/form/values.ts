import { textOf, type FixedField, type SingleField } from './fields.ts';

/** What a control holds: text for most, a claim for a checkbox. Absent: never touched. */
export type RawValues = ReadonlyMap<string, string | boolean>;

/** What is wrong with a field's text, with the number its message needs. */
export type FieldIssue =
  | { readonly kind: 'missing' | 'pattern' | 'number' | 'integer' }
  | { readonly kind: 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge'; readonly limit: number };

/** The text or claim a control starts with. */
export function initialValue(field: SingleField): string | boolean {
  if (field.kind === 'boolean') return field.initial === true;
  if (field.kind === 'choice') {
    const index = field.options.findIndex(({ value }) => value === field.initial);
    return index >= 0 ? String(index) : '';
  }
  return textOf(field.initial);
}

/** What is wrong with a raw value, or null. Formats are left to the service, which says it better. */
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
 * The JSON object to send: typed values at their paths, white space around texts removed, empty optional fields left
 * out.
 */
export function collectValues(
  fields: readonly (SingleField | FixedField)[],
  raw: RawValues,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    const value =
      field.kind === 'fixed' ? field.initial : typedValue(field, raw.get(field.path) ?? initialValue(field));
    if (value !== undefined) put(result, field.path, value);
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

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? path;
  let parent = target;
  for (const key of keys) {
    // Only this function writes into `target`: what is at a group's key is an object of its own making.
    parent = (parent[key] ??= {}) as Record<string, unknown>;
  }
  parent[last] = value;
}
