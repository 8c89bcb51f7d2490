/**
 * Returns a JSON value with each integer beyond 53 bits as a string, because agents and their libraries would round
 * it.
 */
export function toPlainJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[name, toPlainJson(member)] as const],
    ),
  );
}
