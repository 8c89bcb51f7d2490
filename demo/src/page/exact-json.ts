/**
 * Parses JSON, with integers that a JavaScript number would round as strings of their digits. Search filters
 * accept ids as strings.
 */
export function parseExactly(text: string): unknown {
  const keep = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && /^-?\d{16,}$/.test(context?.source ?? '') && !Number.isSafeInteger(value)
      ? context?.source
      : value;
  return JSON.parse(text, keep) as unknown;
}
