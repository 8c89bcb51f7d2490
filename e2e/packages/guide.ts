/** Reads the operating guides, and runs their commands as a person does who pastes them into one shell. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../stack/processes.ts';

/** A fenced block of a guide with commands. */
export interface Block {
  readonly guide: string;
  /** The line of its first command. */
  readonly line: number;
  /** The heading above it. */
  readonly section: string;
  readonly text: string;
  /** Whether the paragraph above says "Not run by the tests". */
  readonly isRun: boolean;
}

/** Reads the commands of a guide in `docs/operating`. */
export function readGuide(name: string): Block[] {
  const guide = `docs/operating/${name}`;
  const lines = readFileSync(join(root, guide), 'utf8').split('\n');
  const blocks: Block[] = [];
  let section = '';
  let paragraph = '';
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const [, indentation, language] = /^(\s*)```(\w+)$/.exec(line) ?? [];
    if (indentation !== undefined && language !== undefined) {
      const first = index + 1;
      const end = lines.indexOf(`${indentation}\`\`\``, first);
      const text = lines
        .slice(first, end)
        .map(each => each.slice(indentation.length))
        .join('\n');
      const isRun = !paragraph.includes('Not run by the tests');
      if (language === 'sh') blocks.push({ guide, line: first + 1, section, text, isRun });
      index = end;
      paragraph = '';
    } else if (line.startsWith('#')) {
      section = line.replace(/^#+ /, '');
      paragraph = '';
    } else if (line !== '') {
      // The lines of a paragraph up to the block, which an empty line follows.
      paragraph = lines[index - 1] === '' ? line : `${paragraph} ${line}`;
    }
  }
  return blocks;
}

/** What the test uses instead of a name or path in a guide. */
export type Replacements = Readonly<Record<string, string>>;

/** A shell that runs blocks one after the other. */
export interface GuideShell {
  /** Runs a block, and returns what it printed. Throws an error that names the guide, line, commands and output if it fails. */
  run(block: Block, replacements?: Replacements): Promise<string>;
  /** Ends the shell with everything that it has started. */
  close(): Promise<void>;
}

/**
 * Starts a shell in a folder.
 * @param replacements what the test uses instead of names and paths in all blocks.
 */
export function openShell(folder: string, environment: Replacements, replacements: Replacements): GuideShell {
  const scripts = mkdtempSync(join(folder, 'blocks-'));
  const child = spawn('sh', [], {
    cwd: folder,
    // With a process group of its own, what runs in the background can be ended with it.
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let notify = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      notify();
    });
  }
  const ended = once(child, 'close');
  child.stdin.write(`trap 'code=$?; echo; echo "Block ended with $code"' EXIT\n`);
  return {
    run: async (block, more = {}) => {
      const where = `${block.guide}:${block.line}`;
      const text = Object.entries({ ...more, ...replacements }).reduce(
        (result, [before, after]) => result.replaceAll(before, after),
        block.text,
      );
      const [placeholder] = /<[a-z][a-z ]*>|…/.exec(text) ?? [];
      if (placeholder !== undefined) throw new Error(`${where}: the test replaces no ${placeholder}`);
      const script = join(scripts, `${block.guide.replaceAll('/', '-')}-${block.line}.sh`);
      writeFileSync(script, `${text}\n`);
      const from = output.length;
      const code = await new Promise<string>((resolve, reject) => {
        notify = () => {
          const [, code] = /^Block ended with (\d+)$/m.exec(output.slice(from)) ?? [];
          if (code !== undefined) resolve(code);
        };
        ended.then(() => reject(new Error(`${where}: the shell was killed:\n${output.slice(from)}`)), reject);
        // A command that fails ends the shell, so that the test does not continue with a later block.
        child.stdin.write(`set -e; . '${script}' < /dev/null; set +e; echo; echo 'Block ended with 0'\n`);
      });
      const printed = output.slice(from).replace(/\nBlock ended with \d+\n/, '');
      if (code !== '0') throw new Error(`${where} failed with ${code}:\n${text}\n\nOutput:\n${printed}`);
      return printed;
    },
    close: async () => {
      // Also ends what the shell started, if the shell itself has ended. Services end later than the shell.
      const group = -(child.pid ?? 0);
      for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; isSent(group, signal); signal = 0) await delay(100);
      await ended;
    },
  };
}

/** Returns whether there was a process to send a signal to. */
function isSent(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, signal);
  } catch {
    return false;
  }
}
