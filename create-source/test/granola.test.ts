/** One of our own kinds passes the checks in each run of the tests; the others do in the full one. */
import { startSandbox } from '@connector-auth/sandbox';
import { expect, test } from 'vitest';
import { builtIn, captureFromSandbox, findProblems, recordFromCapture } from './sandbox-recordings.ts';

test('granola passes all checks on what the sandbox sends', async () => {
  const sandbox = await startSandbox();
  try {
    const kind = builtIn('granola');
    const captured = await captureFromSandbox(sandbox, kind);
    expect(captured.notes).toEqual([]);
    expect(await findProblems(kind, await recordFromCapture(captured))).toEqual([]);
  } finally {
    await sandbox.close();
  }
});
