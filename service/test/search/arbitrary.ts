import type { Searchable, SearchType } from '@connector-auth/connectors/kind';
import * as fc from 'fast-check';
import { anyCharacters } from '../../../scripts/any-characters.ts';

/** An entity with indexed and unindexed fields of all types, and a key with a part that can be missing. */
export const everything: Searchable = {
  fields: {
    id: 'integer',
    'segments.day': 'string',
    'campaign.name': 'string',
    note: 'string',
    note_id: 'string',
    made_at: 'string',
    seen_at: 'string',
    clicks: 'integer',
    ratio: 'number',
    spend: 'decimal',
    cost: 'decimal',
    isOn: 'boolean',
    labels: 'array',
    owner: 'object',
  },
  primaryKey: ['id', 'segments.day'],
  nullableKey: ['segments.day'],
  indexed: ['campaign.name', 'made_at', 'clicks', 'spend'],
  text: ['campaign.name', 'note'],
  times: ['made_at', 'seen_at'],
  sync: { incremental: false, run: async function* () {} },
};

// There are only a few values, so that records share them and filters match. Many are edge cases.
const integers = [
  0,
  1,
  2,
  -5,
  9007199254740993n,
  9007199254740994n,
  9223372036854775807n,
  -9223372036854775808n,
];
const numbers = [0, 0.1, -2.5, 3, 1e21];
const decimals = ['0', '0.00', '20.000', '20', '-1.5', '9.99', '123456789012345678.01', '100'];
const texts = [
  '',
  'Summer sale',
  'summer SALE 2026',
  'Été à la plage',
  'ÉTÉ',
  'été 100%',
  'a_b\\c',
  'Σίσυφος',
  'ΣΊΣΥΦΟΣ',
  '\u{1D4B3} maths',
  '\u{FF21} wide',
  'İstanbul',
  'straße',
  'O\'Hara "quoted"',
  'line\nbreak',
  '20.5',
];
/** Times around the beginning and the end of a day in UTC, in different notations. */
const times = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T23:59:59.999Z',
  '2026-01-02T01:30:00+02:00',
  '2026-01-02T13:59:59+14:00',
  '2026-01-01T15:59:59-0800',
  '2026-01-01T16:00:00.5-08:00',
  '2026-01-01T12:00-12',
  '2026-01-02 00:00:00',
  '2026-01-02',
  '2025-12-31T23:00:00-01:00',
  '2026-02-30T10:00:00+01:00',
  '2026-01-02 is when, or not until 2026-01-05',
  'soon',
  '',
];
const noteIds = ['12', '9007199254740993', '9007199254740994', 'a-12', ''];
const days = ['2026-01-01', '2026-01-02', '2026-02-01'];
const words = [
  'sale',
  'SUMMER',
  'été',
  'É',
  '100%',
  '_',
  '\\',
  'σ',
  'Σ',
  'ß',
  'i',
  '\u{1D4B3}',
  'a',
  '2',
  "'",
];

const json: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<unknown>(null, true, false, 1, 2, 0.5, 9007199254740993n, 'Summer sale', 'été', 'a', ''),
    fc.array(tie('value'), { maxLength: 2 }),
    object(tie('value')),
  ),
})).value;

function object(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.dictionary(fc.constantFrom('name', 'id', 'a b', 'in'), value, {
    maxKeys: 3,
    noNullPrototype: true,
  });
}

const values: Readonly<Record<SearchType, fc.Arbitrary<unknown>>> = {
  string: fc.constantFrom(...texts),
  integer: fc.constantFrom(...integers),
  number: fc.constantFrom(...numbers),
  decimal: fc.constantFrom(...decimals),
  boolean: fc.boolean(),
  array: fc.array(json, { maxLength: 3 }),
  object: object(json),
};

/** Records with distinct keys. */
export const records: fc.Arbitrary<Record<string, unknown>[]> = fc.uniqueArray(
  fc.record(
    {
      id: fc.constantFrom(1, 2, 3, 9007199254740993n, 9223372036854775807n),
      'segments.day': fc.option(fc.constantFrom(...days)),
      ...Object.fromEntries(
        Object.entries(everything.fields)
          .filter(([name]) => !everything.primaryKey.includes(name))
          .map(([name, type]) => [name, fc.option(values[type], { freq: 4 })]),
      ),
      note_id: fc.option(fc.constantFrom(...noteIds)),
      made_at: fc.option(fc.constantFrom(...times)),
      seen_at: fc.option(fc.constantFrom(...times)),
    },
    { noNullPrototype: true },
  ),
  {
    selector: record => `${String(record['id'])}/${String(record['segments.day'])}`,
    maxLength: 14,
    minLength: 2,
  },
);

const anyText = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...texts.filter(text => text.trim() !== '')),
  fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map(two => two.join(' ')),
);
const pattern = fc
  .array(fc.constantFrom('%', '_', '\\%', '\\_', '\\', ...words), { minLength: 1, maxLength: 4 })
  .map(parts => parts.join(''));

const jsonPaths = ['owner.name', 'owner.id', 'owner.name.id', 'owner.a b', 'owner.in'];
const fieldsOf = (...types: SearchType[]): string[] =>
  Object.entries(everything.fields).flatMap(([name, type]) => (types.includes(type) ? [name] : []));

/** `{operator: {field: operand}}` */
const leaf = (operators: readonly string[], fields: readonly string[], operand: fc.Arbitrary<unknown>) =>
  fc
    .tuple(fc.constantFrom(...operators), fc.constantFrom(...fields), operand)
    .map(([operator, field, value]) => ({ [operator]: { [field]: value } }));
const list = (value: fc.Arbitrary<unknown>) => fc.array(value, { minLength: 1, maxLength: 3 });
const order = ['gt', 'gte', 'lt', 'lte'];
const equality = ['eq', 'neq'];
const present = json.filter(value => value !== null);
const jsonBound = fc.constantFrom<unknown>(0, 1, 9007199254740993n, 'a', 'Été', '');

function leaves(jsonFields: readonly string[]): fc.Arbitrary<unknown>[] {
  return [
    leaf(equality, jsonFields, present),
    leaf(equality, jsonFields, fc.constant(null)),
    leaf(['in'], jsonFields, list(present)),
    leaf(order, jsonFields, jsonBound),
    leaf(['like'], jsonFields, pattern),
    leaf(['fuzzy', 'keyword'], jsonFields, anyText),
    leaf(['contains'], jsonFields, present),
  ];
}

const elementNode: fc.Arbitrary<unknown> = fc.letrec(tie => {
  const paths = ['*', 'name', 'id', 'name.id'];
  return {
    node: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      ...leaves(paths),
      fc.record({ not: tie('node') }),
      fc.record({ or: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
      leaf(['any'], paths, tie('node')),
    ),
  };
}).node;

const scalarTypes = ['string', 'integer', 'number', 'decimal'] as const;
/** Integers, also as strings of digits. */
const integerId = fc
  .constantFrom(...integers, 3, 9007199254740993n)
  .chain(id => fc.constantFrom<unknown>(id, String(id), String(id).replace(/^(?=\d{1,16}$)/, '00')));
const textId = fc.constantFrom<unknown>(...noteIds, 12, 9007199254740993n, 9007199254740994n);
const time = fc.constantFrom(...times, '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03', '2026-02-30');
const timeFields = ['made_at', 'seen_at'];
const decimalOperand = fc.oneof(values.decimal, fc.constantFrom(20, 0.1, -1.5, 9.99));

/** Nested filters with every operator on every type. */
export const filters: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      ...scalarTypes.flatMap(type => {
        const operand = type === 'decimal' ? decimalOperand : values[type];
        return [
          leaf([...order, ...equality], fieldsOf(type), operand),
          leaf(['in'], fieldsOf(type), list(operand)),
        ];
      }),
      leaf([...order, ...equality], ['id'], integerId),
      leaf(['in'], ['id'], list(integerId)),
      leaf(equality, ['note_id'], textId),
      leaf(['in'], ['note_id'], list(textId)),
      leaf([...order, ...equality], timeFields, time),
      leaf(['in'], timeFields, list(time)),
      leaf(equality, Object.keys(everything.fields), fc.constant(null)),
      leaf(equality, ['isOn'], fc.boolean()),
      leaf(equality, ['labels'], values.array),
      leaf(equality, ['owner'], values.object),
      leaf(['in'], ['isOn'], list(fc.boolean())),
      leaf(['like'], fieldsOf('string'), pattern),
      leaf(['fuzzy', 'keyword'], fieldsOf('string'), anyText),
      leaf(['contains'], ['labels', ...jsonPaths], present),
      leaf(['any'], ['labels', ...jsonPaths], elementNode),
      ...leaves(jsonPaths),
      fc.record({ gt: fc.record({ clicks: values.integer, note: values.string }) }),
    ),
    fc.record({ not: tie('node') }),
    fc.record({ and: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
  ),
})).node;

type Direction = 'asc' | 'desc';

/** A field to sort by, in one of the forms that the search language has for it. */
export type SortForm =
  | string
  | { readonly field: string; readonly order?: Direction }
  | Readonly<Record<string, Direction>>;

function formsOf(name: string, direction: Direction): fc.Arbitrary<SortForm> {
  return fc.constantFrom<SortForm>(
    { [name]: direction },
    { field: name, order: direction },
    direction === 'asc' ? name : `-${name}`,
    direction === 'asc' ? { field: name } : { [name]: direction },
  );
}

/**
 * Up to three sort keys, which can be fields of any sortable type or paths into objects, in any form. A single one
 * can also be outside a list.
 */
export const sorts: fc.Arbitrary<SortForm | readonly SortForm[]> = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom(
        ...fieldsOf('string', 'integer', 'number', 'decimal', 'boolean'),
        'owner.name',
        'owner.id',
      ),
      fc.constantFrom('asc' as const, 'desc' as const),
    ),
    { selector: ([name]) => name, maxLength: 3 },
  )
  .chain(pairs => fc.tuple(...pairs.map(([name, direction]) => formsOf(name, direction))))
  .chain(([...forms]) => {
    const [only] = forms;
    return forms.length === 1 && only !== undefined ? fc.constantFrom(only, forms) : fc.constant(forms);
  });

// Any value that a column can store, so that few records share values.
const anyInteger = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.integer(),
  fc.constantFrom(...integers),
);
/** Numbers of up to 15 digits around the limits from which JavaScript and PostgreSQL write an exponent. */
const anyNumber = fc.oneof(
  fc
    .tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.integer({ min: -20, max: 6 }))
    .map(([digits, exponent]) => Number(`${digits}e${exponent}`)),
  fc.constantFrom(0, -0, 1e-4, 9.9e-5, 1e-6, 9.9e-7, -1e-7, 5e-324, 0.1 + 0.2, Math.PI, -2.5),
  fc.constantFrom(
    999_999_999_999_999,
    1e15,
    -1e15,
    2 ** 53,
    123_456_789_012_345_680,
    1e20,
    1e21,
    -1e21,
    1.5e300,
  ),
);
const anyDecimal = fc.oneof(
  fc.constantFrom(...decimals, '-0', '+7', '.5', '5.', '1e5', '1.50e-7', '-1e-300', '1e300'),
  anyInteger,
  anyNumber,
);
const anyUnicode = fc.oneof(
  anyCharacters(),
  fc.constantFrom('\u2028\u2029', '\u007f\u0080\ufeff', '"\\/\b\f\n\r\t\u0000\u001f', '\ud800 alone', "it's"),
);
const anyJson: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    anyInteger,
    anyUnicode,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(anyUnicode, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const anyValues: Readonly<Record<SearchType, fc.Arbitrary<unknown>>> = {
  string: anyUnicode,
  integer: anyInteger,
  number: anyNumber,
  decimal: anyDecimal,
  boolean: fc.boolean(),
  array: fc.array(anyJson, { maxLength: 3 }),
  object: fc.dictionary(anyUnicode, anyJson, { maxKeys: 3, noNullPrototype: true }),
};

/** Records of any values that the columns can store, numbered by their ids. */
export const unusualRecords: fc.Arbitrary<Record<string, unknown>[]> = fc
  .array(
    fc.record(
      Object.fromEntries(
        Object.entries(everything.fields).map(([name, type]) => [
          name,
          fc.option(anyValues[type], { freq: 9 }),
        ]),
      ),
      { noNullPrototype: true },
    ),
    { minLength: 1, maxLength: 20 },
  )
  .map(found => found.map((record, index) => ({ ...record, id: index })));
