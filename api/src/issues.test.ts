import { expect, test } from 'vitest';
import { z } from 'zod';
import { IssueList, validate } from './issues.ts';

const schema = z.strictObject({
  name: z.string('Give a name'),
  rows: z.array(z.strictObject({ id: z.int('Give a whole number') })),
});

function issuesOf(schema: z.ZodType, value: unknown, prefix?: string) {
  const result = validate(schema, value, prefix);
  return result.ok ? [] : result.issues;
}

test('reports all issues together, with dotted paths', () => {
  expect(issuesOf(schema, { rows: [{ id: 1 }, { id: 'x' }] })).toEqual([
    { path: 'name', message: 'Give a name' },
    { path: 'rows.1.id', message: 'Give a whole number' },
  ]);
});

test('reports each unknown field, and gives the same list of fields once', () => {
  expect(issuesOf(schema, { name: 'a', rows: [{ id: 1, x: 1, y: 2 }], z: 3 })).toEqual([
    { path: 'rows.0.x', message: 'Unknown field. Fields: id' },
    { path: 'rows.0.y', message: 'Unknown field' },
    { path: 'z', message: 'Unknown field. Fields: name, rows' },
  ]);
});

test('prefixes each path and reports an issue with the whole value under the prefix alone', () => {
  expect(issuesOf(schema, { rows: [] }, 'params')).toEqual([{ path: 'params.name', message: 'Give a name' }]);
  expect(issuesOf(schema, 7, 'params')).toEqual([{ path: 'params', message: expect.any(String) }]);
  expect(issuesOf(schema, 7)).toEqual([{ path: '', message: expect.any(String) }]);
});

test('reports only the first issue of each path', () => {
  const issues = issuesOf(
    z.strictObject({ key: z.string().min(1, 'Give a key').regex(/^k/, 'It starts with k') }),
    {
      key: '',
    },
  );
  expect(issues).toEqual([{ path: 'key', message: 'Give a key' }]);
});

test('describes a missing value and a wrong type in plain words', () => {
  const issues = issuesOf(z.strictObject({ id: z.string(), limit: z.coerce.number() }), { limit: 'ten' });
  expect(issues).toEqual([
    { path: 'id', message: 'Required' },
    { path: 'limit', message: 'Must be a number' },
  ]);
});

test('uses our default messages unless the schema has its own', () => {
  const issues = issuesOf(
    z.strictObject({
      credentials: z.record(z.string(), z.unknown()),
      name: z.string(),
      cursor: z.string().min(1),
      code: z.string().length(3),
      short: z.string().max(2),
      sources: z.array(z.string()).min(1),
      few: z.array(z.string()).max(1),
      size: z.enum(['small', 'large']),
      count: z.int(),
      share: z.number().gt(0),
      is_on: z.boolean(),
      own: z.string('Invalid input: expected a colour').min(1),
    }),
    {
      credentials: 'x',
      name: 1,
      cursor: '',
      code: 'ab',
      short: 'abc',
      sources: [],
      few: ['a', 'b'],
      size: 'huge',
      count: 1.5,
      share: 0,
      is_on: 1,
      own: 1,
    },
  );
  const messages = issues.map(({ path, message }) => [path, message]);
  expect(Object.fromEntries(messages)).toEqual({
    credentials: 'Must be an object',
    name: 'Must be a string',
    cursor: 'Must not be empty',
    code: 'Must have exactly 3 characters',
    short: 'Must have at most 2 characters',
    sources: 'Must not be empty',
    few: 'Must have at most 1 item',
    size: 'Must be one of small, large',
    count: 'Must be a whole number',
    share: 'Must be more than 0',
    is_on: 'Must be true or false',
    own: 'Invalid input: expected a colour',
  });
});

test('reports at most 50 issues and says if there are more', () => {
  const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]));
  const strange = issuesOf(schema, { ...unknown, name: 'a', rows: [] });
  expect(strange).toHaveLength(51);
  expect(strange[49]).toEqual({ path: 'k49', message: 'Unknown field' });
  expect(strange[50]).toEqual({ path: '', message: 'More issues were found; only the first 50 are listed' });
  const wrong = issuesOf(schema, { name: 'a', rows: Array.from({ length: 1000 }, () => ({ id: 'x' })) });
  expect(wrong).toHaveLength(51);
});

test('reports exactly 50 issues without saying that there are more', () => {
  const list = new IssueList();
  for (let index = 0; index < 50; index++) list.add(`k${index}`, 'Wrong');
  list.add('k0', 'Wrong again');
  expect(list.entries).toHaveLength(50);
  expect(list.isFull).toBe(false);
});

test('truncates long paths and messages', () => {
  const issues = issuesOf(z.record(z.string(), z.array(z.int())), {
    ['x'.repeat(200_000)]: Array.from({ length: 1000 }, () => 'wrong'),
  });
  expect(issues).toHaveLength(51);
  expect(JSON.stringify(issues).length).toBeLessThan(20_000);
  const list = new IssueList();
  list.add('p', 'm'.repeat(100_000));
  expect(list.entries[0]?.message.length).toBeLessThan(1100);
});
