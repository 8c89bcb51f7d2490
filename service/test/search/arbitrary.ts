import type { Searchable, SearchType } from '@connector-auth/connectors/kind';
import * as fc from 'fast-check';

/** An entity with indexed and unindexed fields of all types, and a key with a part that can be missing. */
export const everything: Searchable = {
  fields: {
    id: 'integer',
    'segments.day': 'string',
    'campaign.name': 'string',
    note: 'string',
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
  indexed: ['campaign.name', 'clicks', 'spend'],
  text: ['campaign.name', 'note'],
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

/** Up to three sort keys, which can be fields of any sortable type or paths into objects. */
export const sorts: fc.Arbitrary<Record<string, 'asc' | 'desc'>[]> = fc
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
  .map(pairs => pairs.map(([name, direction]) => ({ [name]: direction })));
