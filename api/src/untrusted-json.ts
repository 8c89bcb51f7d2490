// oxlint-disable-next-line no-restricted-imports -- adds the limits
import { LongIntegerError, parseJson } from './lossless-json.ts';
import { ConnectorAuthError } from './problem.ts';
import { Turns } from './turns.ts';

/** Deep enough for search filters, which have a lower limit of their own. */
const maxNesting = 128;
/**
 * High enough for a body that consists of vendor ids. The limit bounds the cost of validation, because each
 * value may cause an issue.
 */
const maxValues = 100_000;
/** Far above any vendor id. Longer integers take long to convert. */
const maxIntegerDigits = 100;
/** Longer paths are omitted from error messages. */
const maxPathLength = 500;
/** Longer texts are parsed one after another, with other work in between. */
const longText = 64 * 1024;
const turns = new Turns(1);

/**
 * Parses JSON from a caller, as {@link parseUntrustedJson} does. Returns a promise for a long text, which waits for its
 * turn, so that many of them do not block the event loop.
 */
export function readUntrustedJson(text: string, path?: string): unknown {
  if (text.length <= longText) return parseUntrustedJson(text, path);
  return turns.take().then(() => parseUntrustedJson(text, path));
}

/**
 * Parses JSON from a caller. Returns integers beyond the safe range as `bigint`.
 * @param path the path of the text in the request; empty if it is the whole body.
 * @throws ConnectorAuthError `malformed_request` if the text is not JSON, is nested over 128 levels deep, has over
 * 100,000 values, an integer with over 100 digits, or a member named `__proto__`.
 */
export function parseUntrustedJson(text: string, path = ''): unknown {
  const reject = (message: string): never => {
    if (path !== '')
      throw ConnectorAuthError.invalid('malformed_request', [{ path, message: `JSON ${message}` }]);
    throw new ConnectorAuthError('malformed_request', `The request body ${message}`);
  };
  let value: unknown;
  try {
    value = parseJson(text, { maxIntegerDigits });
  } catch (error) {
    // The parser's error message quotes the text around the error, which may be a credential.
    if (!(error instanceof LongIntegerError)) return reject('is not valid JSON');
    const inner = error.path.length > maxPathLength ? '' : error.path;
    const message = `Integers can have at most ${maxIntegerDigits} digits`;
    throw ConnectorAuthError.invalid('malformed_request', [
      { path: [path, inner].filter(part => part !== '').join('.'), message },
    ]);
  }
  const { isTooDeep, values, hasPrototype } = measure(value);
  if (isTooDeep) return reject(`can be nested at most ${maxNesting} levels deep`);
  // Code that copies object members would silently drop this member.
  if (hasPrototype) return reject('must not contain a member named __proto__');
  if (values > maxValues) return reject(`can contain at most ${maxValues} values`);
  return value;
}

/**
 * Parses JSON from a vendor, whose responses have a limit of bytes instead of values.
 * @throws Error if the text is not JSON, is nested over 128 levels deep or has an integer with over 100 digits.
 */
export function parseVendorJson(text: string): unknown {
  const value = parseJson(text, { maxIntegerDigits });
  if (measure(value).isTooDeep) throw new RangeError(`The JSON is nested over ${maxNesting} levels deep`);
  return value;
}

/** Stops at `maxNesting`, so that it cannot exhaust the stack. */
function measure(root: unknown): { isTooDeep: boolean; values: number; hasPrototype: boolean } {
  let values = 0;
  let hasPrototype = false;
  const isDeeper = (value: object, levels: number): boolean => {
    if (levels === 0) return true;
    if (Array.isArray(value)) {
      values += value.length;
      return value.some(member => isObject(member) && isDeeper(member, levels - 1));
    }
    // Creates no list of the members. A parsed JSON object has no inherited ones.
    for (const name in value) {
      values += 1;
      hasPrototype ||= name === '__proto__';
      const member = (value as Readonly<Record<string, unknown>>)[name];
      if (isObject(member) && isDeeper(member, levels - 1)) return true;
    }
    return false;
  };
  return { isTooDeep: isObject(root) && isDeeper(root, maxNesting), values, hasPrototype };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
