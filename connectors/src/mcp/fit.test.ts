import { array, assert, jsonValue, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOf, fitRecords, start, type Place } from './fit.ts';

/** Reads all parts and returns the records of each, or throws if it does not end. */
function readAll(records: readonly unknown[], maxBytes: number): unknown[][] {
  const pages: unknown[][] = [];
  let place: Place | null = start;
  while (place !== null) {
    const { records: kept, next } = fitRecords(records, place, maxBytes);
    pages.push([...kept]);
    expect(pages.length).toBeLessThan(1_000);
    place = next;
  }
  return pages;
}

describe('fitRecords', () => {
  test('returns everything if it fits', () => {
    expect(fitRecords([{ id: 1 }], start, 1_000)).toEqual({ records: [{ id: 1 }], next: null, cut: null });
  });

  test('splits a page between records, and says which ones it returned', () => {
    const records = Array.from({ length: 10 }, (_, id) => ({ id, text: 'x'.repeat(100) }));
    const { records: kept, next, cut } = fitRecords(records, start, 1_000);
    expect(kept.length).toBeGreaterThan(1);
    expect(next).toEqual({ skip: kept.length, rest: [] });
    expect(cut).toBe(`Returned records 1 to ${kept.length} of the 10 on this page.`);
    expect(readAll(records, 1_000).flat()).toEqual(records);
  });

  test('returns a long record in parts', () => {
    const transcript = Array.from({ length: 50 }, (_, index) => ({ speaker: 'Ada', text: `line ${index}` }));
    const record = { id: 'n1', title: 'Weekly', transcript };
    const [[first], ...others] = readAll([record], 1_500) as [Record<string, unknown>[], ...object[][]];
    expect(first).toMatchObject({ id: 'n1', title: 'Weekly' });
    const lines = others.flat().flatMap(part => Object.values(part).flat());
    expect([first?.['transcript'], lines].flat()).toEqual(transcript);
  });

  test('returns a record, or a part of one, of exactly the limit', () => {
    const record = { text: 'x'.repeat(500) };
    const size = bytesOf(record);
    expect(fitRecords([record], start, size)).toEqual({ records: [record], next: null, cut: null });
    expect(fitRecords([record, record], start, 2 * size - 1).records).toEqual([record]);
    const exactly = { path: ['text'], from: 400 };
    const rest = fitRecords([record], { skip: 0, rest: [exactly] }, bytesOf('x'.repeat(100)));
    expect(rest).toEqual({ records: [{ 'text[400:]': 'x'.repeat(100) }], next: null, cut: null });
  });

  test('shares the limit among the long members of a record', () => {
    const names = ['agenda', 'notes', 'summary', 'transcript'];
    const record = Object.fromEntries(names.map(name => [name, name.slice(0, 1).repeat(5_000)]));
    const [first] = fitRecords([record], start, 4_000).records as [Record<string, string>];
    expect(Object.keys(first)).toEqual(names);
    for (const text of Object.values(first)) expect(text.length).toBeGreaterThan(300);
    expect(bytesOf(first)).toBeLessThanOrEqual(4_000);
  });

  test('does not split a character', () => {
    const text = '😀'.repeat(500);
    const pages = readAll([{ text }], 500).flat() as Record<string, string>[];
    const parts = pages.map(page => Object.values(page).join(''));
    expect(parts.join('')).toBe(text);
    for (const part of parts) expect(part.isWellFormed()).toBe(true);
  });

  test('does not trust a place that the caller changed', () => {
    expect(fitRecords([{ id: 1 }], { skip: 5, rest: [] }, 1_000).records).toEqual([]);
    const rest = [{ path: ['__proto__', 'constructor'], from: 0 }];
    expect(fitRecords([{ id: 1 }], { skip: 0, rest }, 1_000)).toEqual({
      records: [{}],
      next: null,
      cut: null,
    });
  });

  test('stays within the limit for any records, and ends', () => {
    assert(
      property(array(jsonValue({ maxDepth: 5 }), { maxLength: 30 }), records => {
        let place: Place | null = start;
        for (let pages = 0; place !== null; pages++) {
          const { records: kept, next } = fitRecords(records, place, 2_000);
          expect(kept.reduce<number>((sum, record) => sum + bytesOf(record), 0)).toBeLessThan(4_000);
          expect(pages).toBeLessThan(1_000);
          place = next;
        }
      }),
      { numRuns: 200 },
    );
  });
});
