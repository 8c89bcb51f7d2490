import { test } from 'vitest';

/** Declares a test that only `pnpm test:full` runs, because it takes long and a cheaper one fails for most of the same faults. */
export const fullTest = process.env['TEST_FULL'] === undefined ? withoutTests() : test;

/** Returns a function that takes the same arguments as `test` and declares nothing. */
function withoutTests(): typeof test {
  const declareNothing = () => {};
  // Tests use only the call and `each`.
  return Object.assign(declareNothing, { each: () => declareNothing }) as unknown as typeof test;
}
