import { describe, expect, it } from 'vitest';
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
  it.each([
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
  ])('%j is a %s', (property, kind) => {
    expect(single(property)).toHaveProperty('kind', kind);
  });

  it('keep the order, and say what is required and where each value goes', () => {
    expect(fields({ b: { type: 'string' }, a: { type: 'string' } }, ['a'])).toMatchObject([
      { path: 'credentials.b', required: false },
      { path: 'credentials.a', required: true },
    ]);
  });

  it('are called by their key where there is no title', () => {
    expect(single({ title: 'API key' }).label).toBe('API key');
    expect(single({}).label).toBe('it');
  });

  it('nest for objects', () => {
    const nested = fields({ proxy: { type: 'object', properties: { host: { type: 'string' } } } });
    expect(nested).toMatchObject([{ kind: 'group', fields: [{ path: 'credentials.proxy.host' }] }]);
  });

  it('take placeholders from examples', () => {
    expect(single({ type: 'string', examples: ['grn_…'] })).toHaveProperty('placeholder', 'grn_…');
  });

  it('come out of a schema without properties as none', () => {
    expect(fieldsOf({ type: 'object' }, 'credentials')).toEqual([]);
  });
});

describe('what is wrong with a value', () => {
  it.each([
    [{ type: 'string' }, '  ', 'missing'],
    [{ enum: ['eu'] }, '', 'missing'],
    [{ type: 'string', pattern: '^grn_' }, 'abc', 'pattern'],
    [{ type: 'string', minLength: 4 }, 'abc', 'tooShort'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'tooLong'],
    [{ type: 'number' }, 'ten', 'number'],
    [{ type: 'integer' }, '1.5', 'integer'],
    [{ type: 'integer', minimum: 1 }, '0', 'tooSmall'],
    [{ type: 'integer', maximum: 9 }, '10', 'tooLarge'],
  ])('%j with "%s": %s', (property, raw, kind) => {
    expect(validateField(single(property, true), raw)).toHaveProperty('kind', kind);
  });

  it('is nothing where an optional field is empty, or a claim is not made', () => {
    expect(validateField(single({ type: 'integer', minimum: 1 }), '')).toBeNull();
    expect(validateField(single({ type: 'boolean' }, true), false)).toBeNull();
  });

  it('never is a pattern that cannot be read', () => {
    expect(validateField(single({ type: 'string', pattern: '(' }, true), 'abc')).toBeNull();
  });
});

describe('what is sent', () => {
  it('has typed values at their places, trimmed, without empty optional ones, with fixed ones', () => {
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

  it('starts from defaults', () => {
    expect(initialValue(single({ type: 'boolean', default: true }))).toBe(true);
    expect(initialValue(single({ enum: ['eu', 'us'], default: 'us' }))).toBe('1');
    expect(initialValue(single({ type: 'integer', default: 0 }))).toBe('0');
    expect(initialValue(single({ type: 'string' }))).toBe('');
  });
});
