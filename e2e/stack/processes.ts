import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The root folder of the workspace. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A program running in the background. */
export interface RunningProgram {
  readonly process: ChildProcess;
  /** Returns everything that the program has printed so far. */
  output(): string;
  /** Resolves with the first match in the output; rejects if the program exits first. */
  waitForOutput(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Stops the program; resolves with its exit code, or null if a signal ended it. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>;
}

/**
 * Starts a Node program from the workspace. With `ownGroup`, signals also reach its child processes, as in a
 * terminal.
 */
export function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { ownGroup = false } = {},
): RunningProgram {
  const options = ['--conditions=source', '--disable-warning=ExperimentalWarning'];
  return runCommand(process.execPath, [...options, ...args], { env, ownGroup });
}

/** Starts a command, by default in the root folder of the workspace. */
export function runCommand(
  command: string,
  args: readonly string[],
  {
    cwd = root,
    env = {},
    ownGroup = false,
  }: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly ownGroup?: boolean;
  },
): RunningProgram {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  });
  let output = '';
  const listeners = new Set<() => void>();
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return {
    process: child,
    output: () => output,
    waitForOutput: pattern =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = output.match(pattern);
          if (match) resolve(match);
        };
        listeners.add(check);
        child.once('exit', code =>
          reject(
            new Error(`exited with code ${String(code)} before it printed ${String(pattern)}:\n${output}`),
          ),
        );
        check();
      }),
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit') as Promise<[number | null]>;
      if (ownGroup && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
      return (await exit)[0];
    },
  };
}
