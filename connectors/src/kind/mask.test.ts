import { ConnectorAuthError } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { vendorError } from './failure.ts';
import { createMask, readMasked } from './mask.ts';

const secret = `sk_"live"/\\'&<a+b=é-${'x'.repeat(20)}`;
const mask = createMask([secret]);
const jsonInJson = (text: string): string => JSON.stringify(JSON.stringify(text));
const formEncoded = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2);
const lowerCaseEscapes = (text: string): string =>
  encodeURIComponent(text).replaceAll(/%../g, escape => escape.toLowerCase());
const goEscaped = (text: string): string =>
  JSON.stringify(text).replaceAll(/[<>&'+]/g, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
const escapeAll = (text: string, escape: (code: number) => string): string =>
  Array.from(text, character => escape(character.codePointAt(0) ?? 0)).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('repeated secrets', () => {
  test.each([
    ['as it is', secret],
    ['in upper case', secret.toUpperCase()],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded with lower-case digits', lowerCaseEscapes(secret)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
    ['as a form', formEncoded(secret)],
    ['escaped for JSON', JSON.stringify(secret)],
    ['escaped for JSON twice', jsonInJson(secret)],
    ['escaped for JSON as Go does', goEscaped(secret)],
    ['escaped for JSON as PHP does', JSON.stringify(secret).replaceAll('/', '\\/')],
    ['escaped for HTML', html(secret)],
    ['with every character escaped for HTML', escapeAll(secret, code => `&#${code};`)],
    [
      'with every character escaped for HTML in hexadecimal',
      escapeAll(secret, code => `&#x${code.toString(16)};`),
    ],
    [
      'with every character escaped for JSON',
      escapeAll(secret, code => `\\u${code.toString(16).padStart(4, '0')}`),
    ],
    ['with every byte percent-encoded', Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&')],
    ['in base64', base64(secret)],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['in base64 in a URL', encodeURIComponent(base64(secret))],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ])('masks a secret that a vendor repeats %s', (_how, repeated) => {
    const text = mask.text(`Key ${repeated} is not valid`);
    // The end of a base64 text may remain, because its last character can also encode a following byte.
    expect(text).toMatch(/^Key [\\"]*\[redacted\](?:\w?(?:=|%3D){0,2}|[\\"]*) is not valid$/);
  });

  test.each(['', 'u', 'us', 'user:', 'client id:'])('masks a secret in base64 after %j', before => {
    const repeated = base64(`${before}${secret}:after`);
    const text = mask.text(repeated);
    expect(text).toContain('[redacted]');
    // Only characters that also encode a neighbouring byte may remain.
    expect(Buffer.from(text.replace('[redacted]', ''), 'base64').toString('latin1')).not.toContain('live');
  });

  test('masks a secret at every position of a long text', () => {
    for (let at = 1_900; at < 2_100; at++) {
      const body = `${'.'.repeat(at)}${secret}`;
      const read = (): never => {
        throw mask.error(vendorError('Vendor', 400, { kind: 'request', message: body }));
      };
      const response = { status: 400, headers: {}, body: { message: body } };
      const readMessage = ({ body: received }: { body: unknown }): never => {
        const { message } = received as { message: string };
        throw vendorError('Vendor', 400, { kind: 'request', message });
      };
      expect(() => readMasked(readMessage, response, mask)).toThrow(/^((?!sk_).)*$/);
      expect(read).toThrow(ConnectorAuthError);
    }
  });
});

test('masks the message, issues, vendor report and cause of an error, and keeps the rest', () => {
  const evidence = {
    errors: [{ path: `params.${secret}`, message: `${secret} is wrong` }],
    vendor: { name: 'Vendor', status: 429, code: secret, message: `No ${secret}` },
    retryAfterSeconds: 3,
    cause: new ConnectorAuthError('vendor_failed', secret),
  };
  const masked = mask.error(new ConnectorAuthError('vendor_rate_limited', `Vendor: ${secret}`, evidence));
  expect(masked).toMatchObject({
    code: 'vendor_rate_limited',
    message: 'Vendor: [redacted]',
    errors: [{ path: 'params.[redacted]', message: '[redacted] is wrong' }],
    vendor: { name: 'Vendor', status: 429, code: '[redacted]', message: 'No [redacted]' },
    retryAfterSeconds: 3,
    cause: { message: '[redacted]' },
  });
  expect(masked.stack).not.toContain(secret);
});

test('returns errors without a secret unchanged', () => {
  const error = vendorError('Vendor', 400, { kind: 'request', message: 'The name is missing' });
  expect(mask.error(error)).toBe(error);
  const other = new TypeError(secret);
  expect(mask.error(other)).toBe(other);
});

test('masks every string and member name of a response, and returns other responses unchanged', () => {
  const body = { id: 12n, list: ['a', { [secret]: `x${secret}y` }], empty: null, when: 'today' };
  const response = { status: 200, headers: {}, body };
  expect(mask.response(response).body).toEqual({
    ...body,
    list: ['a', { '[redacted]': 'x[redacted]y' }],
  });
  const harmless = { ...response, body: { ...body, list: [] } };
  expect(mask.response(harmless)).toBe(harmless);
});

test('masks a short secret as a word in errors, and leaves records with it unchanged', () => {
  const short = createMask(['abc', 'pass']);
  expect(short.text('abc, "abc" and abcdef, password')).toBe(
    '[redacted], "[redacted]" and abcdef, [redacted]word',
  );
  const response = { status: 200, headers: {}, body: { title: 'abc passes' } };
  expect(short.response(response)).toBe(response);
});

test('masks nothing without secrets', () => {
  expect(createMask([]).text('any text')).toBe('any text');
  expect(createMask(['']).text('any text')).toBe('any text');
});
