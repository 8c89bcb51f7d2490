import { describe, expect, test } from 'vitest';
import { fieldsOf, leavesOf, type SingleField } from './fields.ts';
import { collectValues, initialValue, validateField } from './values.ts';

const fields = (properties: Record<string, unknown>, required: string[] = []) =>
  fieldsOf({ type: 'object', properties, required }, 'credentials');
const single = (property: Record<string, unknown>, required = false): SingleField => {
  const [field] = fields({ it: property }, required ? ['it'] : []);
  if (field === undefined || field.kind === 'group' || field.kind === 'fixed')
    throw new Error('No single field');
  return field;
};

describe('fields of a JSON Schema', () => {
  test.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', writeOnly: true }, 'secret'],
    [{ type: 'string', format: 'password' }, 'secret'],
    [{ type: 'string', 'x-multiline': true }, 'multiline'],
    [{ type: 'string', format: 'email' }, 'email'],
    [{ type: 'string', format: 'uri' }, 'url'],
    [{ type: 'string', format: 'date' }, 'date'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'number' }, 'number'],
    [{ type: 'boolean' }, 'boolean'],
    [{ enum: ['eu', 'us'] }, 'choice'],
    [{ oneOf: [{ const: 'eu', title: 'Europe' }] }, 'choice'],
    [{ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, 'boolean'],
    [{ type: 'array' }, 'list'],
    [{}, 'text'],
  ])('the schema %j becomes a field of kind %s', (property, kind) => {
    expect(single(property)).toHaveProperty('kind', kind);
  });

  test('keeps the schema’s field order, paths and required fields', () => {
    expect(fields({ b: { type: 'string' }, a: { type: 'string' } }, ['a'])).toMatchObject([
      { path: 'credentials.b', required: false },
      { path: 'credentials.a', required: true },
    ]);
  });

  test('labels a field without a title with its key', () => {
    expect(single({ title: 'API key' }).label).toBe('API key');
    expect(single({}).label).toBe('it');
  });

  test('converts an object to a group of fields', () => {
    const nested = fields({ proxy: { type: 'object', properties: { host: { type: 'string' } } } });
    expect(nested).toMatchObject([{ kind: 'group', fields: [{ path: 'credentials.proxy.host' }] }]);
  });

  test('uses an example as the placeholder', () => {
    expect(single({ type: 'string', examples: ['grn_…'] })).toHaveProperty('placeholder', 'grn_…');
  });

  test('returns no fields for a schema without properties', () => {
    expect(fieldsOf({ type: 'object' }, 'credentials')).toEqual([]);
  });
});

describe('validation', () => {
  test.each([
    [{ type: 'string' }, '  ', 'missing'],
    [{ enum: ['eu'] }, '', 'missing'],
    [{ type: 'string', pattern: '^grn_' }, 'abc', 'pattern'],
    [{ type: 'string', minLength: 4 }, 'abc', 'tooShort'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'tooLong'],
    [{ type: 'number' }, 'ten', 'number'],
    [{ type: 'integer' }, '1.5', 'integer'],
    [{ type: 'integer', minimum: 1 }, '0', 'tooSmall'],
    [{ type: 'integer', maximum: 9 }, '10', 'tooLarge'],
  ])('the schema %j rejects "%s": %s', (property, raw, kind) => {
    expect(validateField(single(property, true), raw)).toHaveProperty('kind', kind);
  });

  test('accepts an empty optional field and an unchecked checkbox', () => {
    expect(validateField(single({ type: 'integer', minimum: 1 }), '')).toBeNull();
    expect(validateField(single({ type: 'boolean' }, true), false)).toBeNull();
  });

  test('ignores a pattern that is not a valid regular expression', () => {
    expect(validateField(single({ type: 'string', pattern: '(' }, true), 'abc')).toBeNull();
  });
});

describe('values', () => {
  test('collects typed and trimmed values at their paths, including constants but not empty fields', () => {
    const all = leavesOf(
      fields({
        key: { type: 'string' },
        quota: { type: 'integer', default: 60 },
        region: {
          oneOf: [
            { const: 1, title: 'Europe' },
            { const: 2, title: 'Asia' },
          ],
        },
        test: { type: 'boolean' },
        empty: { type: 'string' },
        type: { const: 'access_key' },
        proxy: { type: 'object', properties: { host: { type: 'string' } } },
      }),
    );
    const raw = new Map<string, string | boolean>([
      ['credentials.key', '  grn_1\n'],
      ['credentials.region', '1'],
      ['credentials.test', true],
      ['credentials.proxy.host', 'proxy.example.com'],
    ]);
    expect(collectValues(all, raw)).toEqual({
      credentials: {
        key: 'grn_1',
        quota: 60,
        region: 2,
        test: true,
        type: 'access_key',
        proxy: { host: 'proxy.example.com' },
      },
    });
  });

  test('sends fields that are named like members of Object, and changes no prototype', () => {
    const schema =
      '{"__proto__":{"type":"object","properties":{"admin":{}}},"constructor":{"type":"object","properties":{"admin":{}}}}';
    // The schema is an object.
    const all = leavesOf(fields(JSON.parse(schema) as Record<string, unknown>));
    const raw = new Map(all.map(({ path }) => [path, 'yes']));
    expect(all.map(({ path }) => path)).toEqual([
      'credentials.__proto__.admin',
      'credentials.constructor.admin',
    ]);
    const sent = JSON.stringify(collectValues(all, raw));
    expect(sent).toBe('{"credentials":{"__proto__":{"admin":"yes"},"constructor":{"admin":"yes"}}}');
    expect({}).not.toHaveProperty('admin');
    expect(Object).not.toHaveProperty('admin');
  });

  test('takes initial values from the schema’s defaults', () => {
    expect(initialValue(single({ type: 'boolean', default: true }))).toBe(true);
    expect(initialValue(single({ enum: ['eu', 'us'], default: 'us' }))).toBe('1');
    expect(initialValue(single({ type: 'integer', default: 0 }))).toBe('0');
    expect(initialValue(single({ type: 'string' }))).toBe('');
  });
});
