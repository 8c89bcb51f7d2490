import { expect, test } from 'vitest';
import { RecentlyUsed } from './recently-used.ts';

test('forgets the entry that was not used for longest, and no other', () => {
  const map = new RecentlyUsed<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  map.set('a', 4);
  expect([map.get('a'), map.get('c')]).toEqual([4, 3]);
});
