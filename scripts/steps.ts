import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The root folder of the workspace. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** One command of a longer run. */
export interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Its output is shown when it has ended, so that another command can run beside it. */
  readonly isQuiet?: boolean;
}

export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

/** A step that takes longer hangs, and is ended: a run that fails says more than one that never ends. */
const longestStepMs = 40 * 60_000;

/** Runs a command and shows its output; resolves when it ended, however it did. */
export async function runStep({ name, command, env, isQuiet = false }: Step): Promise<StepResult> {
  const [program, ...args] = command;
  const title = `\n── ${name} ──\n`;
  if (!isQuiet) process.stdout.write(title);
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...env },
    timeout: longestStepMs,
  });
  const output = keepOutput(child);
  const ok = await new Promise<boolean>(resolve => {
    child.once('error', error => {
      process.stderr.write(`${program} did not start: ${error.message}\n`);
      resolve(false);
    });
    child.once('close', code => resolve(code === 0));
  });
  if (isQuiet) process.stdout.write(title + output());
  return { name, ok, seconds: (performance.now() - startedAt) / 1000 };
}

/** Keeps what a command prints, if it is not shown at once. */
function keepOutput(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}
