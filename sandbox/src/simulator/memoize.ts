/** Calls `make` once per key and returns the same result from then on. */
export function memoize<Input, Result>(
  make: (input: Input) => Result,
  keyOf: (input: Input) => string,
): (input: Input) => Result {
  const results = new Map<string, Result>();
  return input => {
    const key = keyOf(input);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = make(input);
    results.set(key, result);
    return result;
  };
}
