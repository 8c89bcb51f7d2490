import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const sources = ['github', 'hubspot', 'stripe'];

test('the setting KINDS loads all sources beside the built-in kinds', async () => {
  const setting = sources.map(name => `./sources/${name}/src/index.ts`).join(',');
  // In a process of its own, because the hooks of Node's resolver do not reach modules that Vite loads.
  const script = `
    const { loadKinds } = await import('@connector-auth/connectors/load');
    const { kinds, problems } = await loadKinds(${JSON.stringify(setting)}, ${JSON.stringify(root)});
    console.log(JSON.stringify({ keys: kinds.map(({ key }) => key), problems }));
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script],
    { cwd: import.meta.dirname },
  );
  const { keys, problems } = JSON.parse(stdout) as { readonly keys: string[]; readonly problems: string[] };
  expect(problems).toEqual([]);
  expect(keys).toEqual(expect.arrayContaining(['granola', ...sources]));
});
