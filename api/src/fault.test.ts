import { expect, test } from 'vitest';
import { z } from 'zod';
import { faultsOf } from './fault.ts';

const schema = z.strictObject({
  name: z.string('Give a name'),
  rows: z.array(z.strictObject({ id: z.int('Give a whole number') })),
});

function faults(value: unknown, prefix?: string) {
  const { error } = schema.safeParse(value);
  return error ? faultsOf(error, prefix) : [];
}

test('names every wrong place at once, with dotted paths', () => {
  expect(faults({ rows: [{ id: 1 }, { id: 'x' }] })).toEqual([
    { path: 'name', message: 'Give a name' },
    { path: 'rows.1.id', message: 'Give a whole number' },
  ]);
});

test('names each field that does not exist', () => {
  expect(faults({ name: 'a', rows: [{ id: 1, x: 1, y: 2 }] })).toEqual([
    { path: 'rows.0.x', message: 'This field does not exist here' },
    { path: 'rows.0.y', message: 'This field does not exist here' },
  ]);
});

test('puts the prefix before each path, and alone for the whole value', () => {
  expect(faults({ rows: [] }, 'params')).toEqual([{ path: 'params.name', message: 'Give a name' }]);
  expect(faults(7, 'params')).toEqual([{ path: 'params', message: expect.any(String) }]);
  expect(faults(7)).toEqual([{ path: '', message: expect.any(String) }]);
});

test('tells one fault for each place, the first', () => {
  const { error } = z
    .strictObject({ key: z.string().min(1, 'Give a key').regex(/^k/, 'It starts with k') })
    .safeParse({
      key: '',
    });
  expect(error && faultsOf(error)).toEqual([{ path: 'key', message: 'Give a key' }]);
});

test('tells what is missing or no number without the words of a program', () => {
  const { error } = z.strictObject({ id: z.string(), limit: z.coerce.number() }).safeParse({ limit: 'ten' });
  expect(error && faultsOf(error)).toEqual([
    { path: 'id', message: 'This is required' },
    { path: 'limit', message: 'Give a number' },
  ]);
});
