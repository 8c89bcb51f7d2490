import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The root folder of the workspace. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** One command of a longer run. */
export interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

/** A step that takes longer hangs, and is ended: a run that fails says more than one that never ends. */
const longestStepMs = 40 * 60_000;

/** Runs a command with its output shown; resolves when it ended, however it did. */
export async function runStep({ name, command: [program, ...args], env }: Step): Promise<StepResult> {
  process.stdout.write(`\n── ${name} ──\n`);
  const startedAt = performance.now();
  const ok = await new Promise<boolean>(resolve => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
      timeout: longestStepMs,
    });
    child.once('error', error => {
      process.stderr.write(`${program} did not start: ${error.message}\n`);
      resolve(false);
    });
    child.once('exit', code => resolve(code === 0));
  });
  return { name, ok, seconds: (performance.now() - startedAt) / 1000 };
}
