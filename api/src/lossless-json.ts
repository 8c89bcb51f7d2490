/**
 * JSON that keeps 64-bit integers to the last digit.
 *
 * Vendor ids have up to 19 digits; a JavaScript number holds 15 of them safely. Here an integer outside the safe
 * range becomes a `bigint` when read and a bare JSON integer when written. Everything else is plain JSON.
 */

/** The part of ECMAScript's "JSON.parse source text access" that TypeScript's libraries do not describe yet. */
interface SourceTextJson {
  rawJSON(text: string): object;
}
// Node 22 and newer have it; only its type is missing.
const sourceTextJson = JSON as unknown as SourceTextJson;

/** Most texts have no number of 16 digits, and are parsed as they are. */
const mayHoldLongInteger = /(?:^|[[:,\s])-?\d{16}/;
/** An integer as a whole value, outside of strings: JSON has none with a leading zero, and none as a key. */
const longInteger = /(?<=^|[[:,\s])-?[1-9]\d{15,}(?=\s*(?:[,}\]]|$))/g;
const minDigits = 16;

/**
 * Reads a JSON text; integers beyond the safe range come back as `bigint`.
 *
 * They are put into quotes behind a mark that nobody knows, for JSON.parse to read, and found again by it afterwards: a reviver, which
 * is told every value's text, would take five times as long.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  if (!mayHoldLongInteger.test(text)) return JSON.parse(text) as unknown;
  const marked = markLongIntegers(text);
  if (marked === text) return JSON.parse(text) as unknown;
  let parsed: unknown;
  try {
    parsed = JSON.parse(marked);
  } catch {
    // It is not JSON without the marks either, and says so in its own words.
    return JSON.parse(text) as unknown;
  }
  return withBigInts(parsed);
}

/** Drawn anew by each process, so that no text holds it. */
const mark = `${crypto.randomUUID()}:`;

/** The text with every integer beyond the safe range as a marked string. Strings are left alone. */
function markLongIntegers(text: string): string {
  let marked = '';
  let done = 0;
  for (let from = 0; from < text.length;) {
    const quote = text.indexOf('"', from);
    const until = quote === -1 ? text.length : quote;
    if (until - from >= minDigits) {
      const between = text.slice(from, until);
      const changed = between.replace(longInteger, integer =>
        Number.isSafeInteger(Number(integer)) ? integer : `"${mark}${integer}"`,
      );
      if (changed !== between) {
        marked += text.slice(done, from) + changed;
        done = until;
      }
    }
    if (quote === -1) break;
    from = endOfString(text, quote) + 1;
  }
  return marked + text.slice(done);
}

/** Where the string that begins with the quote ends. */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** What was parsed, its marked strings as integers again. Without recursion: a text may be nested deeper than the stack. */
function withBigInts(parsed: unknown): unknown {
  const root = { value: parsed };
  const open: Record<string, unknown>[] = [root];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      if (typeof value === 'string') {
        if (value.startsWith(mark)) holder[key] = BigInt(value.slice(mark.length));
      } else if (typeof value === 'object' && value !== null) {
        // What JSON.parse made is an object or an array, whose members are found by their keys alike.
        open.push(value as Record<string, unknown>);
      }
    }
  }
  return root.value;
}

/** Writes JSON; a `bigint` becomes a bare integer. Otherwise as `JSON.stringify`, `undefined` included. */
export function stringifyJson(value: unknown, space?: number): string {
  return JSON.stringify(value, writeBigInt, space);
}

/** A `JSON.stringify` replacer that writes a `bigint` as a bare integer. For Express: `app.set('json replacer', …)`. */
export function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? sourceTextJson.rawJSON(value.toString()) : value;
}
