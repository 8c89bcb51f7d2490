/**
 * JSON that keeps 64-bit integers to the last digit.
 *
 * Vendor ids have up to 19 digits; a JavaScript number holds 15 of them safely. Here an integer outside the safe
 * range becomes a `bigint` when read and a bare JSON integer when written. Everything else is plain JSON.
 */

/** The parts of ECMAScript's "JSON.parse source text access" that TypeScript's libraries do not describe yet. */
interface SourceTextJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
}
// Node 22 and newer have both members; only their types are missing.
const sourceTextJson = JSON as unknown as SourceTextJson;

/** A reviver makes parsing eight times slower, so it runs only on texts where a number of 16 digits could stand. */
const mayHoldLongInteger = /(?:^|[[:,\s])-?\d{16}/;
const integer = /^-?\d+$/;

/**
 * Reads a JSON text; integers beyond the safe range come back as `bigint`.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  if (!mayHoldLongInteger.test(text)) return JSON.parse(text) as unknown;
  return sourceTextJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && integer.test(source)
      ? BigInt(source)
      : value,
  );
}

/** Writes JSON; a `bigint` becomes a bare integer. Otherwise as `JSON.stringify`, `undefined` included. */
export function stringifyJson(value: unknown, space?: number): string {
  return JSON.stringify(value, writeBigInt, space);
}

/** A `JSON.stringify` replacer that writes a `bigint` as a bare integer. For Express: `app.set('json replacer', …)`. */
export function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? sourceTextJson.rawJSON(value.toString()) : value;
}
