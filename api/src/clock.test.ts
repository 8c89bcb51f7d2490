import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';

test('ends a sleep with the reason of its signal, also if that was aborted before', async () => {
  const stop = new AbortController();
  const sleeping = systemClock.sleep(60_000, stop.signal);
  stop.abort('stopped');
  await expect(sleeping).rejects.toBe('stopped');
  await expect(systemClock.sleep(60_000, stop.signal)).rejects.toBe('stopped');
});
