import { array, assert, bigInt, double, integer, property, record, string, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { createReplacer } from '../src/replace-values.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const none = new Set<string>();

function replacerOf(values: readonly unknown[]) {
  return createReplacer({ values, ownWords: none, hosts: ['*.forum.example'], nowMs });
}

function wordsIn(value: unknown): string[] {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  );
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => /[^0]/.test(word));
}

const seconds = integer({ min: nowMs / 1000 - 300_000_000, max: nowMs / 1000 + 300_000_000 });

test('different values are replaced by different ones, times by times as far apart, and none stays outside of kept fields', () => {
  const vendor = record({
    texts: uniqueArray(string({ unit: 'grapheme', minLength: 1 }), { maxLength: 40 }),
    small: uniqueArray(integer({ min: 1, max: 99 }), { maxLength: 99 }),
    ids: uniqueArray(seconds, { maxLength: 20 }),
    long: uniqueArray(bigInt({ min: 10n ** 18n, max: 2n ** 63n - 1n }), { maxLength: 5 }),
    amounts: uniqueArray(double({ min: 0.001, max: 1e9, noNaN: true }), {
      maxLength: 20,
    }),
    created: array(seconds, { maxLength: 20 }),
    status: string(),
  });
  assert(
    property(vendor, sent => {
      const kept = new Set(['status']);
      const { value, shiftMs } = replacerOf([sent]);
      const stored = value(sent, kept) as typeof sent;
      expect(stored.status).toBe(sent.status);
      expect(stored.created).toEqual(sent.created.map(time => time + shiftMs / 1000));
      for (const name of ['texts', 'small', 'ids', 'long', 'amounts'] as const) {
        expect(new Set<unknown>(stored[name]).size).toBe(sent[name].length);
        const open = new Set(wordsIn(stored[name]));
        // Parts of numbers are not words.
        if (name !== 'amounts') expect(wordsIn(sent[name]).filter(word => open.has(word))).toEqual([]);
        else expect(stored[name].filter(amount => amount !== 0 && sent[name].includes(amount))).toEqual([]);
      }
      expect(value(sent, kept)).toEqual(stored);
    }),
    { numRuns: 300 },
  );
});

test('a text that begins with a date, or has an address, is replaced as a whole', () => {
  const sent = [
    '2026-01-05 10:00 with Ada',
    'See https://other.example/ada?who=ada#ada for Ada',
    'ada.forum.example',
    { link: '<https://api.example/ada?page=2>; rel="next"' },
  ];
  const replaced = JSON.stringify(replacerOf([sent]).value(sent, none));
  expect(replaced).not.toMatch(/ada|2026|other|with|who=ada/i);
  expect(replaced).toMatch(/"[a-z]{3}\.forum\.example"/);
  expect(replaced).toMatch(/\?page=\d>; rel=\\"next\\""/);
});

test('a number moves as a time only in a field of times, because ids can look like times', () => {
  const id = 1_712_345_678;
  const sent = { id, phone: id + 1, note: `Call ${id + 2}`, updated_at: id + 3, seen: [`${id + 4}000`] };
  const { value, shiftMs } = replacerOf([sent]);
  const stored = value(sent, none) as typeof sent;
  const distances = wordsIn(stored).flatMap(word =>
    /^\d{10}/.test(word) ? Number(word.slice(0, 10)) - id : [],
  );
  const weeks = distances.map((distance, index) => (distance - index) * 1000 === shiftMs);
  expect(weeks).toEqual([false, false, false, true, true]);
  expect(value(sent, new Set(['id', 'updated_at']))).toMatchObject({ id, updated_at: stored.updated_at });
});

test('the prefix of generated ids stays, and no part of a name', () => {
  const body = {
    id: ['cus_9f8K2mNq', 'cus_4hT6zzP1', 'kim_tanaka111', 'kim_1990'],
    customer: 'cus_9f8K2mNq',
    login: ['lea_9f8K2mNq', 'kim_42'],
  };
  const replaced = replacerOf([body]).value(body, none) as typeof body;
  expect(replaced.customer).toBe(replaced.id[0]);
  for (const id of replaced.id.slice(0, 2)) expect(id).toMatch(/^cus_\w{8}$/);
  expect(JSON.stringify(replaced)).not.toMatch(/lea|kim|tanaka/);
});
