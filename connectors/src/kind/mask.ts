import { ConnectorAuthError } from '@connector-auth/api';
import type { Grant, OAuthApp } from './grants.ts';
import { methodOf, type Kind } from './kind.ts';
import type { VendorRequest, VendorResponse } from './vendor.ts';

/** Replaces secrets that a vendor repeats in its texts, in plain or in a common encoding. */
export interface Mask {
  text(text: string): string;
  /**
   * Masks every string and member name in the body. Ignores secrets of fewer than 8 characters, because a
   * short text can occur in a record by chance.
   */
  response(response: VendorResponse): VendorResponse;
  /** Masks the message, the issues, the vendor report and the cause of a ConnectorAuthError. */
  error<Thrown>(error: Thrown): Thrown | ConnectorAuthError;
}

const redacted = '[redacted]';

/** Shorter secrets are masked only as whole words, because they would make other text unreadable. */
const minEmbeddedLength = 4;
const minLengthInRecords = 8;
/** Shorter base64 or hexadecimal texts occur by chance. */
const minEncodedLength = 6;

/**
 * Creates a mask. It ignores letter case and recognizes secrets that are percent-encoded, escaped for JSON or
 * HTML, or encoded in hexadecimal or base64, including as a part of the encoded text (an HTTP Basic pair).
 */
export function createMask(secrets: Iterable<string>): Mask {
  const known = [...new Set(secrets)].filter(secret => secret !== '');
  const maskText = replacer(known, 'every character');
  const maskRecord = replacer(
    known.filter(({ length }) => length >= minLengthInRecords),
    'punctuation',
  );
  const maskError: Mask['error'] = error =>
    error instanceof ConnectorAuthError ? maskedError(error, maskText, maskError) : error;
  return {
    text: maskText,
    response: response =>
      hasSecret(response.body, maskRecord)
        ? { ...response, body: maskValue(response.body, maskRecord) }
        : response,
    error: maskError,
  };
}

/**
 * Reads a response that may contain new tokens, which must not be masked. If `read` throws, masks its error.
 * @param read pure function.
 */
export function readMasked<Result>(
  read: (response: VendorResponse) => Result,
  response: VendorResponse,
  mask: Mask,
): Result {
  try {
    return read(response);
  } catch (error) {
    // An error contains only the beginning of a long text, where a secret may be cut off and not recognized.
    try {
      read(mask.response(response));
    } catch (masked) {
      throw mask.error(masked);
    }
    throw mask.error(error);
  }
}

/**
 * Returns what a vendor receives with a grant and must not repeat: all credentials, the values of the headers
 * that authenticate a request, and the secrets of the OAuth app.
 */
export function secretsOf(kind: Kind, grant: Grant, app: OAuthApp | null): string[] {
  const credentials = Object.values(grant.credentials).filter(value => typeof value === 'string');
  const sent = headerSecretsOf(methodOf(kind, grant).authorize(anyRequest, grant));
  return [...credentials, ...sent, ...(app === null ? [] : appSecretsOf(kind, app))];
}

/** Returns the values of a request's headers, without an authentication scheme. */
export function headerSecretsOf({ headers = {} }: VendorRequest): string[] {
  return Object.values(headers).map(header => header.replace(/^(?:Basic|Bearer) /i, ''));
}

/** Returns the client secret of an OAuth app and its vendor-specific values that are not public. */
export function appSecretsOf(kind: Kind, { clientSecret, extras }: OAuthApp): string[] {
  const fields: Readonly<Record<string, { meta(): { writeOnly?: unknown } | undefined }>> =
    kind.appExtras?.shape ?? {};
  const isPublic = (name: string): boolean =>
    Object.hasOwn(fields, name) && fields[name]?.meta()?.writeOnly !== true;
  return [
    clientSecret,
    ...Object.entries(extras).flatMap(([name, value]) => (isPublic(name) ? [] : [value])),
  ];
}

const anyRequest: VendorRequest = { method: 'GET', url: 'https://vendor.example' };

type Replace = (text: string) => string;

/** The characters whose escaped forms are recognised. Searching large records for more would take longer. */
type Escaped = 'every character' | 'punctuation';

function replacer(secrets: readonly string[], escaped: Escaped): Replace {
  const minLength = Math.min(...secrets.map(({ length }) => length));
  let pattern: RegExp | null = null;
  return text => {
    // No encoding is shorter than the secret, so most values of a record are not searched.
    if (text.length < minLength) return text;
    pattern ??= new RegExp(secrets.flatMap(secret => patternsOf(secret, escaped)).join('|'), 'gi');
    return text.replace(pattern, redacted);
  };
}

/** Creates no objects, because responses can be large and hardly any contains a secret. */
function hasSecret(value: unknown, mask: Replace): boolean {
  if (typeof value === 'string') return mask(value) !== value;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (hasSecret(item, mask)) return true;
    return false;
  }
  for (const name in value) {
    // A parsed JSON object has no inherited members.
    if (hasSecret(name, mask) || hasSecret((value as Readonly<Record<string, unknown>>)[name], mask))
      return true;
  }
  return false;
}

function maskValue(value: unknown, mask: Replace): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(item => maskValue(item, mask));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [mask(name), maskValue(member, mask)]),
  );
}

function maskedError(error: ConnectorAuthError, mask: Replace, maskCause: Mask['error']): ConnectorAuthError {
  const { code, message, errors, vendor, retryAfterSeconds, requestId, status } = error;
  const cause = maskCause(error.cause);
  const shown = JSON.stringify([message, errors, vendor]);
  if (mask(shown) === shown && cause === error.cause) return error;
  return new ConnectorAuthError(code, mask(message), {
    errors: errors.map(issue => ({ path: mask(issue.path), message: mask(issue.message) })),
    ...(vendor === null
      ? {}
      : {
          vendor: {
            ...vendor,
            code: vendor.code === null ? null : mask(vendor.code),
            message: vendor.message === null ? null : mask(vendor.message),
          },
        }),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    ...(requestId === null ? {} : { requestId }),
    ...(cause === undefined ? {} : { cause }),
    status,
  });
}

/** Returns regular expressions for a secret and its encodings, the longest matches first. */
function patternsOf(secret: string, escaped: Escaped): string[] {
  const plain = Array.from(secret, character => patternOfCharacter(character, escaped)).join('');
  if (secret.length < minEmbeddedLength) return [`(?<![a-z0-9])(?:${plain})(?![a-z0-9])`];
  const bytes = Buffer.from(secret);
  const encoded = [bytes.toString('hex'), ...[0, 1, 2].map(offset => base64Within(bytes, offset))];
  return [
    plain,
    ...encoded
      .filter(({ length }) => length >= minEncodedLength)
      .map(text => Array.from(text, patternOfBase64Character).join('')),
  ];
}

/**
 * Returns the base64 characters that encode only these bytes, if `offset` bytes precede them in a group of
 * three.
 */
function base64Within(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const start = Math.ceil((offset * 8) / 6);
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  return text.slice(start, end);
}

const htmlNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Returns a regular expression for a character in plain text and its escaped forms. */
function patternOfCharacter(character: string, escaped: Escaped): string {
  if (escaped === 'punctuation' && /[a-z0-9]/i.test(character)) return character;
  const percent = encodeURIComponent(character)
    .replaceAll('%', '%(?:25)?')
    // encodeURIComponent leaves some punctuation as it is, and a form encodes it.
    .replace(/^[^%]$/, one => `%(?:25)?${hexOf(one)}`);
  const code = character.codePointAt(0) ?? 0;
  const name = htmlNames[character];
  const forms = [
    // A text that was escaped repeatedly has several backslashes.
    /[a-z0-9]/i.test(character) ? character : `\\\\{0,7}${escapeForPattern(character)}`,
    percent,
    ...(code <= 0xff_ff ? [`\\\\{1,7}u${code.toString(16).padStart(4, '0')}`] : []),
    `&#(?:0*${code}|x0*${code.toString(16)});`,
    ...(name === undefined ? [] : [`&${name};`]),
    ...(character === ' ' ? ['\\+'] : []),
  ];
  return `(?:${forms.join('|')})`;
}

/** Returns a regular expression for a character of base64 or base64url, which may be percent-encoded. */
function patternOfBase64Character(character: string): string {
  if (character === '+') return '(?:[+-]|%2b)';
  return character === '/' ? '(?:[/_]|%2f|\\\\/)' : character;
}

function escapeForPattern(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`);
}

function hexOf(character: string): string {
  return Buffer.from(character).toString('hex');
}
