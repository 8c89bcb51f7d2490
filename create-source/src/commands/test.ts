import { glob } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadKind } from '../find-kind.ts';
import { readRecording } from '../recording.ts';
import { testSource } from '../test-source.ts';
import type { Command } from './command.ts';

/** Runs the checks on each recording. */
export const test: Command = {
  usage: 'test <source> [recordings/*.json …]',
  summary: 'Play the recordings, and check what the source makes of them',
  options: {},
  run: async ({ positionals: [source = '', ...given], directory, print }) => {
    const kind = await loadKind(source, directory);
    const files = given.length > 0 ? given : await recordingsIn(directory, kind.key);
    if (files.length === 0) {
      print(
        `There is no recording of ${kind.name} in recordings/. Make one with \`connector-auth-source record ${source}\``,
      );
      return 1;
    }
    const counts = { passed: 0, failed: 0, unproven: 0 };
    for (const file of files) {
      const recording = await readRecording(resolve(directory, file));
      print(`${file}: ${recording.exchanges.length} responses from the ${sources[recording.origin]}`);
      for await (const { call, check, outcome, message } of testSource(kind, recording)) {
        counts[outcome] += 1;
        print(`  ${marks[outcome]} ${call} ${check}`);
        if (message !== null) print(message.replaceAll(/^/gm, '      '));
      }
    }
    print(`${counts.passed} passed, ${counts.failed} failed, ${counts.unproven} not proven`);
    return counts.failed > 0 ? 1 : 0;
  },
};

const marks = { passed: '✓', failed: '✗', unproven: '?' } as const;
const sources = {
  vendor: 'vendor',
  sandbox: 'sandbox, not from the vendor',
  documentation: 'documentation, not from the vendor',
} as const;

/** Returns the recordings of a kind: its own, and those with another name that starts with its key. */
async function recordingsIn(directory: string, key: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(`recordings/${key}{,.*}.json`, { cwd: directory })) files.push(file);
  return files.sort();
}
