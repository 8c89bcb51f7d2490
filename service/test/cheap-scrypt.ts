import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll } from 'vitest';

/** Makes scrypt cheap in the tests of a suite: by design, each hash takes a tenth of a second of processor time. */
export function useCheapScrypt(): void {
  const { scrypt } = crypto;
  beforeAll(() => {
    const cheap = (
      password: BinaryLike,
      salt: BinaryLike,
      length: number,
      options: ScryptOptions,
      done: Parameters<typeof scrypt>[4],
    ): void => scrypt(password, salt, length, { ...options, N: 16 }, done);
    // The service passes options.
    replace(cheap as typeof scrypt);
  });
  afterAll(() => replace(scrypt));
}

function replace(scrypt: typeof crypto.scrypt): void {
  crypto.scrypt = scrypt;
  // Changes what modules have imported.
  syncBuiltinESMExports();
}
