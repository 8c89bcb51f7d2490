import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';

test('the example runs, and the README contains it verbatim', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
  await import('./in-a-test.ts');
  expect(log).toHaveBeenCalledWith(expect.stringContaining('SANDBOX_URL=http://127.0.0.1:'));
  expect(log).toHaveBeenLastCalledWith(0);
  log.mockRestore();
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read('../README.md')).toContain(read('./in-a-test.ts'));
});
