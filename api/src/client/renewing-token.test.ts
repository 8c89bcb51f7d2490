import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TestClock } from '../../test/test-clock.ts';
import { renewingToken, type MintedToken } from './renewing-token.ts';

const unlimited = new AbortController().signal;

/** A `mint` that the test resolves or rejects by hand. */
function handMint() {
  const open: { resolve: (token: MintedToken) => void; reject: (error: Error) => void }[] = [];
  return {
    open,
    mint: () => new Promise<MintedToken>((resolve, reject) => open.push({ resolve, reject })),
  };
}

/** A `mint` that returns `t1`, `t2` … immediately. */
function quickMint(expiresInSeconds: number) {
  let count = 0;
  return {
    mint: () => Promise.resolve({ token: `t${(count += 1)}`, expiresInSeconds }),
    get count() {
      return count;
    },
  };
}

test('100 concurrent calls mint one token', async () => {
  const { mint, open } = handMint();
  const tokens = renewingToken(mint, new TestClock());
  const calls = Array.from({ length: 100 }, () => tokens.get(unlimited));
  expect(open).toHaveLength(1);
  open[0]?.resolve({ token: 't1', expiresInSeconds: 900 });
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['t1']));
});

test('renews a token once in its last minute, without delaying any call', async () => {
  const clock = new TestClock();
  const { mint, open } = handMint();
  const tokens = renewingToken(mint, clock);
  const first = tokens.get(unlimited);
  open[0]?.resolve({ token: 't1', expiresInSeconds: 900 });
  await first;
  clock.advance(839_999);
  expect(await tokens.get(unlimited)).toBe('t1');
  expect(open).toHaveLength(1);
  clock.advance(1);
  expect(await Promise.all([tokens.get(unlimited), tokens.get(unlimited)])).toEqual(['t1', 't1']);
  expect(open).toHaveLength(2);
  open[1]?.resolve({ token: 't2', expiresInSeconds: 900 });
  await settle();
  expect(await tokens.get(unlimited)).toBe('t2');
  expect(open).toHaveLength(2);
});

test('ignores and retries a failed renewal while the token is valid', async () => {
  const clock = new TestClock();
  const { mint, open } = handMint();
  const tokens = renewingToken(mint, clock);
  const first = tokens.get(unlimited);
  open[0]?.resolve({ token: 't1', expiresInSeconds: 900 });
  await first;
  clock.advance(850_000);
  expect(await tokens.get(unlimited)).toBe('t1');
  open[1]?.reject(new Error('down'));
  await settle();
  expect(await tokens.get(unlimited)).toBe('t1');
  expect(open).toHaveLength(3);
  clock.advance(50_000);
  const late = tokens.get(unlimited);
  open[2]?.reject(new Error('still down'));
  await expect(late).rejects.toThrow('still down');
});

test('never returns an expired token', async () => {
  const clock = new TestClock();
  const minted = quickMint(900);
  const tokens = renewingToken(minted.mint, clock);
  expect(await tokens.get(unlimited)).toBe('t1');
  clock.advance(900_000);
  expect(await tokens.get(unlimited)).toBe('t2');
});

test('counts the lifetime from before the request was sent', async () => {
  const clock = new TestClock();
  const { mint, open } = handMint();
  const tokens = renewingToken(mint, clock);
  const slow = tokens.get(unlimited);
  clock.advance(100_000);
  open[0]?.resolve({ token: 't1', expiresInSeconds: 100 });
  expect(await slow).toBe('t1');
  void tokens.get(unlimited);
  expect(open).toHaveLength(2);
});

test('renews a short-lived token at half its lifetime', async () => {
  const clock = new TestClock();
  const minted = quickMint(10);
  const tokens = renewingToken(minted.mint, clock);
  await tokens.get(unlimited);
  clock.advance(4_999);
  await tokens.get(unlimited);
  expect(minted.count).toBe(1);
  clock.advance(1);
  await tokens.get(unlimited);
  expect(minted.count).toBe(2);
});

test('replaces an invalidated token once, even if several calls report it', async () => {
  const minted = quickMint(900);
  const tokens = renewingToken(minted.mint, new TestClock());
  await tokens.get(unlimited);
  tokens.invalidate('t1');
  expect(await tokens.get(unlimited)).toBe('t2');
  tokens.invalidate('t1');
  expect(await tokens.get(unlimited)).toBe('t2');
  expect(minted.count).toBe(2);
});

describe('aborted callers', () => {
  test('an aborted caller stops waiting while the others still get the token', async () => {
    const { mint, open } = handMint();
    const tokens = renewingToken(mint, new TestClock());
    const impatient = new AbortController();
    const pending = tokens.get(impatient.signal);
    const other = tokens.get(unlimited);
    impatient.abort(new Error('no patience'));
    await expect(pending).rejects.toThrow('no patience');
    open[0]?.resolve({ token: 't1', expiresInSeconds: 900 });
    expect(await other).toBe('t1');
  });

  test('a caller that is already aborted does not start a renewal', async () => {
    const { mint, open } = handMint();
    await expect(
      renewingToken(mint, new TestClock()).get(AbortSignal.abort(new Error('gone'))),
    ).rejects.toThrow('gone');
    expect(open).toHaveLength(0);
  });
});

test('at most one mint runs at a time, and no expired or invalidated token is returned', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 1_000_000 }) }),
    fc.record({ do: fc.constant('ask' as const), callers: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ do: fc.constantFrom('invalidate' as const, 'break' as const, 'repair' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
      const clock = new TestClock();
      const expiries: number[] = [];
      const invalidated = new Set<string>();
      let running = 0;
      let broken = false;
      let last = '';
      const tokens = renewingToken(async () => {
        expect((running += 1)).toBe(1);
        await settle();
        running -= 1;
        if (broken) throw new Error('down');
        expiries.push(clock.now() + 900_000);
        return { token: `${expiries.length - 1}`, expiresInSeconds: 900 };
      }, clock);

      for (const each of steps) {
        if (each.do === 'advance') clock.advance(each.ms);
        if (each.do === 'invalidate') invalidated.add(last);
        if (each.do === 'invalidate') tokens.invalidate(last);
        if (each.do === 'break' || each.do === 'repair') broken = each.do === 'break';
        if (each.do !== 'ask') continue;
        const asked = Array.from({ length: each.callers }, () => tokens.get(unlimited));
        for (const outcome of await Promise.allSettled(asked)) {
          if (outcome.status === 'rejected') {
            expect(broken).toBe(true);
            continue;
          }
          last = outcome.value;
          expect(invalidated).not.toContain(last);
          expect(expiries[Number(last)]).toBeGreaterThan(clock.now());
        }
      }
    }),
  );
});

/** Lets all pending promise callbacks run. */
function settle(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
