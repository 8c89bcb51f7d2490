import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

test('returns the same values for the same seed, and different values for other seeds and forks', () => {
  const draw = (seed: string): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 5 }, () => random.unit());
  };
  expect(draw('a')).toEqual(draw('a'));
  expect(draw('a')).not.toEqual(draw('b'));
  const root = createRandom('a');
  expect(root.fork('note', 1).text(14)).toBe(createRandom('a').fork('note', 1).text(14));
  expect(root.fork('note', 1).text(14)).not.toBe(root.fork('note', 2).text(14));
});

test('returns values within the bounds, including both bounds', () => {
  const random = createRandom('bounds');
  const drawn = Array.from({ length: 2000 }, () => random.integer(3, 6));
  expect(new Set(drawn)).toEqual(new Set([3, 4, 5, 6]));
  expect(random.digits(19)).toMatch(/^[1-9]\d{18}$/);
  expect(() => random.pick([])).toThrow(RangeError);
});

test('samples distinct elements in order and with equal probability', () => {
  const random = createRandom('sample');
  const counts = new Map<number, number>();
  for (let round = 0; round < 3000; round++) {
    const sample = random.sample([0, 1, 2, 3, 4], 2);
    expect(sample).toEqual([...new Set(sample)].toSorted((a, b) => a - b));
    expect(sample).toHaveLength(2);
    for (const value of sample) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  for (const count of counts.values()) expect(Math.abs(count - 1200)).toBeLessThan(150);
  expect(random.sample([1, 2], 9)).toEqual([1, 2]);
});
