import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacters } from '../../scripts/any-characters.ts';
import { JsonText, parseJson, stringifyJson } from './lossless-json.ts';

/**
 * Any JSON value. Integers have up to 64 bits and are `bigint` only outside the safe range, as
 * {@link parseJson} returns them.
 */
const jsonValue = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    anyCharacters(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isNotAnUnsafeInteger),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }).map(asRead),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
  ),
})).value;

function isNotAnUnsafeInteger(value: number): boolean {
  return !Object.is(value, -0) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function asRead(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

test('round-trips every JSON value', () => {
  fc.assert(
    fc.property(jsonValue, value => {
      expect(parseJson(stringifyJson(value))).toEqual(value);
    }),
  );
});

test('parsing and serializing its own output again changes nothing', () => {
  fc.assert(
    fc.property(jsonValue, fc.integer({ min: 0, max: 3 }), (value, space) => {
      const text = stringifyJson(value, space);
      expect(stringifyJson(parseJson(text), space)).toBe(text);
    }),
  );
});

test('integers of any length keep every digit at any position', () => {
  const spots = [
    (digits: string) => digits,
    (digits: string) => `[${digits}]`,
    (digits: string) => `[0,${digits}]`,
    (digits: string) => `{"id":${digits}}`,
    (digits: string) => `{"rows":[{"id":${digits},"name":"a"}]}`,
  ];
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.constantFrom(...spots), (id, spot) => {
      const text = spot(id.toString());
      expect(stringifyJson(parseJson(text))).toBe(text);
    }),
  );
});

test('finds a long integer surrounded by white space', () => {
  for (const gap of [' ', '\n', '\t', '\r\n']) {
    expect(parseJson(`{"id":${gap}1234567890123456789${gap}}`)).toEqual({ id: 1234567890123456789n });
  }
});

test('matches JSON.parse and JSON.stringify except for long integers', () => {
  fc.assert(
    fc.property(fc.json(), text => {
      const rounded: unknown = JSON.parse(stringifyJson(parseJson(text)));
      expect(rounded).toEqual(JSON.parse(text));
    }),
  );
});

test('integers outside the safe range are bigints, all others numbers', () => {
  expect(parseJson('9007199254740991')).toBe(9007199254740991);
  expect(parseJson('9007199254740992')).toBe(9007199254740992n);
  expect(parseJson('-9007199254740991')).toBe(-9007199254740991);
  expect(parseJson('-9007199254740992')).toBe(-9007199254740992n);
});

test('parses long runs of digits in a string or after a decimal point as JSON.parse does', () => {
  expect(parseJson('["1234567890123456789"]')).toEqual(['1234567890123456789']);
  expect(
    parseJson('{"id":1234567890123456789,"a":"[1234567890123456789]","b":0.1234567890123456789}'),
  ).toEqual({
    id: 1234567890123456789n,
    a: '[1234567890123456789]',
    b: 0.12345678901234568,
  });
});

test('a member named __proto__ is data and does not change the prototype', () => {
  const value = parseJson('{"__proto__":{"admin":true},"id":1234567890123456789}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(stringifyJson(value)).toBe('{"__proto__":{"admin":true},"id":1234567890123456789}');
});

test('rejects invalid JSON, with or without long integers', () => {
  for (const text of [
    '',
    '{',
    'undefined',
    '01',
    '[1,]',
    '{"id":1234567890123456789',
    '1234567890123456789n',
  ]) {
    expect(() => parseJson(text), text).toThrow(SyntaxError);
  }
});

interface Source {
  readonly source?: string;
}

/** Reference implementation with a reviver, which is slower. */
function parseByReviver(text: string): unknown {
  // TypeScript does not declare the reviver's `source` yet.
  const { parse } = JSON as unknown as {
    parse: (text: string, reviver: (key: string, value: unknown, context: Source) => unknown) => unknown;
  };
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
      ? BigInt(source ?? '')
      : value,
  );
}

function outcomeOf(parse: (text: string) => unknown, text: string): unknown {
  try {
    return { value: parse(text) };
  } catch (error) {
    return { message: error instanceof SyntaxError ? error.message : error };
  }
}

const long = '1234567890123456789';
test.each([
  `{"a":", ${long},"}`,
  `{"\\":":${long},"${long}":[${long}]}`,
  `["\\\\",${long},"\\\\\\",${long}"]`,
  `{"__proto__":${long}}`,
  `{${long}:1}`,
  `[0${long}]`,
  `[+${long}]`,
  `[${long}.5,${long}e3,-${long}]`,
  `"${long}"${long}`,
  `[${long}`,
  ` ${long} `,
])('parses or rejects %s exactly as the reference implementation does', text => {
  expect(outcomeOf(parseJson, text)).toEqual(outcomeOf(parseByReviver, text));
});

test('parses or rejects any text exactly as the reference implementation does', () => {
  const token = fc.oneof(
    fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '\\"', ' ', '\n', '-', '.', 'e', 'null', '"a"'),
    fc.constantFrom(
      long,
      `-${long}`,
      `0${long}`,
      '9007199254740991',
      '9007199254740993',
      '"a":',
      `"${long}"`,
    ),
  );
  const nearlyJson = fc.array(token, { maxLength: 12 }).map(tokens => tokens.join(''));
  const framed = nearlyJson.map(text => `[${text}]`);
  fc.assert(
    fc.property(fc.oneof(nearlyJson, framed), text => {
      expect(outcomeOf(parseJson, text)).toEqual(outcomeOf(parseByReviver, text));
    }),
    { numRuns: 5_000 },
  );
});

test('rejects an integer with more digits than allowed and reports its path', () => {
  const options = { maxIntegerDigits: 20 };
  const longest = '9'.repeat(20);
  expect(parseJson(`{"id":-${longest},"text":"${longest}9"}`, options)).toEqual({
    id: -BigInt(longest),
    text: `${longest}9`,
  });
  for (const integer of [`${longest}9`, `-${longest}9`]) {
    expect(() => parseJson(`{"rows":[1,{"id":${integer}}]}`, options)).toThrow(
      expect.objectContaining({ name: 'LongIntegerError', path: 'rows.1.id', maxDigits: 20 }),
    );
  }
});

test('parses integers that are nested too deeply for recursion', () => {
  const depth = 100_000;
  let value = parseJson(`${'['.repeat(depth)}${long}${']'.repeat(depth)}`);
  while (Array.isArray(value)) [value] = value as unknown[];
  expect(value).toBe(BigInt(long));
});

test('writes JSON that is already text unchanged, wherever it is', () => {
  const page = new JsonText('[{"id": 1234567890123456789, "cost": 1.50}]', 1);
  const before = { text: 'a "mark"', page, rows: [1n, new JsonText('{}'), 'b'] };
  expect(stringifyJson(before)).toBe(
    '{"text":"a \\"mark\\"","page":[{"id": 1234567890123456789, "cost": 1.50}],"rows":[1,{},"b"]}',
  );
  expect(stringifyJson(page)).toBe(page.text);
});

test('writes any value the same with a part of it as text', () => {
  fc.assert(
    fc.property(jsonValue, jsonValue, jsonValue, (first, second, third) => {
      const written = stringifyJson([first, { second, third }]);
      const partly = [first, { second: new JsonText(stringifyJson(second)), third }];
      expect(stringifyJson(partly)).toBe(written);
      expect(parseJson(stringifyJson(partly, 2))).toEqual(parseJson(written));
    }),
  );
});

test('parses JSON that is already text for readers that need the value', () => {
  const long = new JsonText('{"id":1234567890123456789}');
  expect(long.parse()).toEqual({ id: 1234567890123456789n });
  expect(stringifyJson({ long }, 1)).toBe('{\n "long": {\n  "id": 1234567890123456789\n }\n}');
  expect(JSON.stringify({ short: new JsonText('{"id": 1}') })).toBe('{"short":{"id":1}}');
});

test('writes values as before after a value that is not JSON', () => {
  const page = new JsonText('[]');
  const circular: Record<string, unknown> = { page };
  circular['self'] = circular;
  expect(() => stringifyJson(circular)).toThrow(TypeError);
  expect(JSON.stringify({ page })).toBe('{"page":[]}');
});
