/**
 * JSON without loss of precision in 64-bit integers.
 *
 * Vendor ids have up to 19 digits, but a JavaScript number is exact only up to 15. An integer outside the
 * safe range is parsed as a `bigint`, and a `bigint` is written as a bare JSON integer. JSON that is already
 * text is written unchanged. Everything else is plain JSON.
 */

/* oxlint-disable no-restricted-properties -- `parseUntrustedJson` adds the limits */

/** Part of ECMAScript's "JSON.parse source text access" that TypeScript does not declare yet. */
interface SourceTextJson {
  rawJSON(text: string): object;
}
// Available since Node 22; only its type is missing.
const sourceTextJson = JSON as unknown as SourceTextJson;

/** Fast check: most JSON input contains no 16-digit number and needs no special handling. */
const mayHoldLongInteger = /(?:^|[[:,\s])-?\d{16}/;
/** An integer that is a complete value, in text between strings. */
const longInteger = /(?<=^|[[:,\s])-?[1-9]\d{15,}(?=\s*(?:[,}\]]|$))/g;
const minDigits = 16;
/** The length of the smallest safe integer, with its sign. */
const maxSafeLength = 17;

/** The error for an integer with more digits than the caller of {@link parseJson} allows. */
export class LongIntegerError extends RangeError {
  override readonly name = 'LongIntegerError';
  /** Dotted path of the integer. */
  readonly path: string;
  readonly maxDigits: number;

  constructor(path: string, maxDigits: number) {
    super(`An integer has more than ${maxDigits} digits`);
    this.path = path;
    this.maxDigits = maxDigits;
  }
}

export interface ParseOptions {
  /** The maximum number of digits of an integer. Default: no limit. */
  readonly maxIntegerDigits?: number;
}

/**
 * Parses JSON; integers outside the safe range become `bigint`.
 *
 * Before `JSON.parse`, long integers are replaced with strings that start with a random mark; afterwards,
 * marked strings are converted to `bigint`. A reviver with source text access takes five times as long.
 * @throws SyntaxError if the text is not JSON; LongIntegerError if an integer has more than `maxIntegerDigits`,
 * before converting any, because the conversion takes more than linear time.
 */
export function parseJson(text: string, { maxIntegerDigits = Infinity }: ParseOptions = {}): unknown {
  if (!mayHoldLongInteger.test(text)) return JSON.parse(text) as unknown;
  const marked = markLongIntegers(text);
  if (marked === text) return JSON.parse(text) as unknown;
  let parsed: unknown;
  try {
    parsed = JSON.parse(marked);
  } catch {
    // Throws for the original text, so that the error message does not contain the mark.
    return JSON.parse(text) as unknown;
  }
  return withBigInts(parsed, maxIntegerDigits);
}

/** Random per process, so that no input contains it. */
const mark = `${crypto.randomUUID()}:`;

/** Replaces every integer outside the safe range, except inside strings, with a marked string. */
function markLongIntegers(text: string): string {
  let marked = '';
  let done = 0;
  for (let from = 0; from < text.length;) {
    const quote = text.indexOf('"', from);
    const until = quote === -1 ? text.length : quote;
    if (until - from >= minDigits) {
      const between = text.slice(from, until);
      const changed = between.replace(longInteger, integer =>
        integer.length <= maxSafeLength && Number.isSafeInteger(Number(integer))
          ? integer
          : `"${mark}${integer}"`,
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

/** Returns the index of the closing quote of the string that starts at `quote`. */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Converts marked strings to `bigint`, in place. Iterative, because JSON can be nested too deeply for
 * recursion.
 */
function withBigInts(parsed: unknown, maxDigits: number): unknown {
  const root = { value: parsed };
  const open: Record<string, unknown>[] = [root];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      if (typeof value === 'string') {
        if (!value.startsWith(mark)) continue;
        if (value.length > mark.length + maxDigits && digitsOf(value) > maxDigits) {
          throw new LongIntegerError(pathOf(root.value, value), maxDigits);
        }
        holder[key] = BigInt(value.slice(mark.length));
      } else if (typeof value === 'object' && value !== null) {
        // Objects and arrays from JSON.parse are both indexed by their keys.
        open.push(value as Record<string, unknown>);
      }
    }
  }
  return root.value;
}

function digitsOf(marked: string): number {
  return marked.length - mark.length - (marked[mark.length] === '-' ? 1 : 0);
}

/** Returns the dotted path of a value. */
function pathOf(root: unknown, wanted: unknown): string {
  const open: { readonly value: unknown; readonly path: string }[] = [{ value: root, path: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (value === wanted) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      open.push({ value: member, path: path === '' ? key : `${path}.${key}` });
    }
  }
  return '';
}

/**
 * JSON that is already text, such as a page of records that the database wrote. {@link stringifyJson} inserts
 * it unchanged, wherever it is in a value.
 */
export class JsonText {
  readonly text: string;
  /** The number of elements if the text is an array, so that they can be counted without parsing it. */
  readonly length: number | null;

  /** @param text valid JSON. It is not checked. */
  constructor(text: string, length: number | null = null) {
    this.text = text;
    this.length = length;
  }

  /** Parses the text with {@link parseJson}. */
  parse(): unknown {
    return parseJson(this.text);
  }

  /** Called by `JSON.stringify`. */
  toJSON(): unknown {
    if (insertions === null) return this.parse();
    insertions.push(this.text);
    return mark;
  }
}

/** The texts to insert for the marks that the running `stringifyJson` writes. Null while none runs. */
let insertions: string[] | null = null;

/**
 * Writes JSON like `JSON.stringify`, with a `bigint` as a bare integer and a {@link JsonText} as it is.
 * @param space indentation, for which a `JsonText` is parsed and written again.
 */
export function stringifyJson(value: unknown, space?: number): string {
  if (space !== undefined) return writeJson(value, space);
  const texts: string[] = [];
  insertions = texts;
  try {
    const json = writeJson(value);
    if (texts.length === 0) return json;
    const [first = '', ...others] = json.split(`"${mark}"`);
    return others.reduce((written, piece, index) => `${written}${texts[index]}${piece}`, first);
  } finally {
    insertions = null;
  }
}

function writeJson(value: unknown, space?: number): string {
  try {
    // Twice as fast as with a replacer.
    return JSON.stringify(value, undefined, space);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The value contains a `bigint`, or is not JSON.
    if (insertions !== null) insertions.length = 0;
    return JSON.stringify(value, writeBigInt, space);
  }
}

/**
 * A `JSON.stringify` replacer that writes a `bigint` as a bare integer. Also for Express's `json replacer`.
 */
export function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? sourceTextJson.rawJSON(value.toString()) : value;
}
