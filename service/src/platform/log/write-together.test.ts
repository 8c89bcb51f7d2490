import { expect, test, vi } from 'vitest';
import { writeTogether } from './write-together.ts';

test('writes the lines of some milliseconds together, in order', () => {
  vi.useFakeTimers();
  try {
    const written: string[] = [];
    const stream = writeTogether({ write: text => void written.push(text) });
    for (const line of ['a\n', 'b\n', 'c\n']) stream.write(line);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(10);
    expect(written).toEqual(['a\nb\nc\n']);
    stream.write('d\n');
    vi.advanceTimersByTime(10);
    expect(written).toEqual(['a\nb\nc\n', 'd\n']);
    vi.advanceTimersByTime(1_000);
    expect(written).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('writes at most 4 KiB at once, in whole lines, unless one line is longer', () => {
  const written: string[] = [];
  const stream = writeTogether({ write: text => void written.push(text) });
  // é takes two bytes.
  const line = `${'é'.repeat(511)}\n`;
  for (let count = 0; count < 9; count += 1) stream.write(line);
  expect(written).toEqual([line.repeat(4), line.repeat(4)]);
  const long = `${'x'.repeat(5000)}\n`;
  stream.write(long);
  stream.write(line);
  expect(written.slice(2)).toEqual([line, long]);
});

test('writes what waits when the process exits', () => {
  const written: string[] = [];
  const before = process.listeners('exit');
  const stream = writeTogether({ write: text => void written.push(text) });
  stream.write('last\n');
  for (const listener of process.listeners('exit')) if (!before.includes(listener)) listener(0);
  expect(written).toEqual(['last\n']);
});
