import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The root folder of the workspace. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** One command in a longer run. */
export interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Shows the output only after the command ends, so that it does not interleave with other output. */
  readonly isQuiet?: boolean;
  /** Shows the output only if the command fails. */
  readonly isSilent?: boolean;
}

export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  /** Standard output and standard error, in the order in which they were written. */
  readonly output: string;
}

/** The timeout for a command, so that the run fails instead of hanging. */
const maxStepMs = 40 * 60_000;

/** Runs a command and shows its output. Resolves when the command ends, even if it fails. */
export async function runStep({
  name,
  command,
  env,
  isQuiet = false,
  isSilent = false,
}: Step): Promise<StepResult> {
  const [program, ...args] = command;
  const title = `\n── ${name} ──\n`;
  const showsWhileRunning = !isQuiet && !isSilent;
  if (showsWhileRunning) process.stdout.write(title);
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}), ...env },
    signal: AbortSignal.timeout(maxStepMs),
  });
  const chunks: Buffer[] = [];
  const record = (chunk: Buffer): void => {
    chunks.push(chunk);
    if (showsWhileRunning) process.stdout.write(chunk);
  };
  child.stdout.on('data', record);
  child.stderr.on('data', record);
  const ok = await new Promise<boolean>(resolve => {
    child.once('error', error => {
      record(
        Buffer.from(
          `Error: ${program} ${error.name === 'AbortError' ? 'took too long' : `did not start: ${error.message}`}\n`,
        ),
      );
      resolve(false);
    });
    child.once('close', code => resolve(code === 0));
  });
  const output = Buffer.concat(chunks).toString();
  if (isSilent ? !ok : isQuiet) process.stdout.write(title + output);
  return { name, ok, seconds: (performance.now() - startedAt) / 1000, output };
}
