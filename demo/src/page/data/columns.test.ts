import { expect, test } from 'vitest';
import { columnsOf } from './columns.ts';
import { fieldsOf } from './fields.ts';

const rows = [
  { object: 'note', id: 'n1', hour: null, owner: { name: 'A' }, clicks: 4, title: 'One', tags: [] },
  { object: 'note', id: 'n2', hour: null, owner: { name: 'B' }, clicks: 9, title: 'Two', tags: [] },
];
const names = (first: string[]) => columnsOf(rows, fieldsOf(rows), first).map(({ name }) => name);

test('shows the columns in which records differ, names first', () => {
  expect(names([])).toEqual(['title', 'clicks', 'id']);
});

test('starts with the given columns that have values, even if all rows have the same', () => {
  expect(names(['hour', 'object', 'owner', 'unknown'])).toEqual(['object', 'owner', 'title', 'clicks', 'id']);
});

test('shows at most eight columns', () => {
  const wide = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, index]));
  expect(columnsOf([wide], fieldsOf([wide]), [])).toHaveLength(8);
});
