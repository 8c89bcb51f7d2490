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

test('writes many lines without waiting', () => {
  const written: string[] = [];
  const stream = writeTogether({ write: text => void written.push(text) });
  const line = `${'x'.repeat(1023)}\n`;
  for (let count = 0; count < 64; count += 1) stream.write(line);
  expect(written).toEqual([line.repeat(64)]);
});

test('writes what waits when the process exits', () => {
  const written: string[] = [];
  const before = process.listeners('exit');
  const stream = writeTogether({ write: text => void written.push(text) });
  stream.write('last\n');
  for (const listener of process.listeners('exit')) if (!before.includes(listener)) listener(0);
  expect(written).toEqual(['last\n']);
});
