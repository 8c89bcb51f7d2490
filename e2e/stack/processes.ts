import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The root folder of the workspace. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A command that runs in the background, with what it has printed so far. */
export interface RunningCommand {
  readonly process: ChildProcess;
  output(): string;
  /** Resolves with the first match in what it prints; rejects when it ends first. */
  prints(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Ends it; resolves with its exit code, null when a signal ended it. */
  end(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>;
}

/** Starts a Node program of the workspace; with `ownGroup`, whoever it starts can be signalled with it, as by a terminal. */
export function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { ownGroup = false } = {},
): RunningCommand {
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', ...args],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: ownGroup,
    },
  );
  let output = '';
  const listeners = new Set<() => void>();
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return {
    process: child,
    output: () => output,
    prints: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = output.match(pattern);
          if (match) resolve(match);
        };
        listeners.add(look);
        child.once('exit', code =>
          reject(new Error(`ended with ${String(code)} before it printed ${String(pattern)}:\n${output}`)),
        );
        look();
      }),
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit') as Promise<[number | null]>;
      if (ownGroup && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
      return (await exit)[0];
    },
  };
}
