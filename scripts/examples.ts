/**
 * Runs the examples as an integrator does: copied out of the workspace, with the packages installed from their
 * packed files.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../demo/src/free-port.ts';
import { root } from './steps.ts';

/** The folders of the examples that npm installs. */
export const examples = readdirSync(join(root, 'examples')).filter(name =>
  existsSync(join(root, 'examples', name, 'package.json')),
);

interface PackageJson {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** An npm script in the background. */
export interface RunningScript {
  /** Resolves with the first URL that the script prints; rejects if the script exits first. */
  readonly url: Promise<string>;
  /** Resolves with the exit code and all output. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly output: string }>;
  stop(): Promise<void>;
}

export interface ScriptOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Receives the output while the script runs. */
  readonly onOutput?: (text: string) => void;
}

/** Copies an example, without what a run in its folder may have created. */
export function copyExample(example: string, folder: string): void {
  const created = new Set(['node_modules', 'dist', '.next', '.env', 'package-lock.json']);
  cpSync(join(root, 'examples', example), folder, {
    recursive: true,
    filter: path => !created.has(path.split(/[/\\]/).at(-1) ?? ''),
  });
}

/** Returns an example's `package.json`. */
export function packageJsonOf(example: string): PackageJson {
  return JSON.parse(readFileSync(join(root, 'examples', example, 'package.json'), 'utf8')) as PackageJson;
}

/**
 * Writes a `package.json` that takes our packages from their packed files, and installs its dependencies.
 * @param packed the path to each packed file, by package name
 */
export async function installPacked(
  folder: string,
  packageJson: PackageJson,
  packed: ReadonlyMap<string, string>,
): Promise<void> {
  const files = Object.fromEntries([...packed].map(([name, path]) => [name, `file:${path}`]));
  const dependencies = Object.entries(packageJson.dependencies ?? {}).map(([name, range]) => [
    name,
    files[name] ?? range,
  ]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      ...packageJson,
      dependencies: Object.fromEntries(dependencies),
      // Our packages also depend on each other, and are not in the registry yet.
      overrides: files,
    }),
  );
  const { exitCode, output } = await npm(folder, ['install', '--no-audit', '--no-fund']).ended;
  if (exitCode !== 0) throw new Error(`npm install failed in ${folder}:\n${output}`);
}

/**
 * Starts a server with one of the npm scripts in a folder.
 * @param port the preferred port, which is used if it is free; 0 selects any free port
 */
export async function startServer(
  folder: string,
  script: string,
  port: number,
  { env = {}, ...options }: ScriptOptions = {},
): Promise<RunningScript> {
  return runScript(folder, script, { env: { ...env, PORT: String(await freePort(port)) }, ...options });
}

/** Starts one of the npm scripts in a folder. */
export function runScript(folder: string, script: string, options: ScriptOptions = {}): RunningScript {
  return npm(folder, ['run', '--silent', script], options);
}

function npm(
  cwd: string,
  args: readonly string[],
  { env = {}, onOutput = () => {} }: ScriptOptions = {},
): RunningScript {
  const isWindows = process.platform === 'win32';
  const child = spawn('npm', args, {
    cwd,
    // The test runner sets `NODE_ENV` to `test`, which integrators do not use.
    env: { ...process.env, NODE_ENV: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Runs in a separate process group, because npm does not forward every signal to the script.
    detached: !isWindows,
    shell: isWindows,
  });
  const url = Promise.withResolvers<string>();
  // Not every caller waits for the URL.
  url.promise.catch(() => {});
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
    onOutput(chunk.toString());
    const [found] = /http:\/\/localhost:\d+/.exec(output) ?? [];
    if (found !== undefined) url.resolve(found);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = new Promise<{ exitCode: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', exitCode => {
      url.reject(new Error(`npm ${args.join(' ')} ended with ${String(exitCode)}:\n${output}`));
      resolve({ exitCode, output });
    });
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      if (isWindows) child.kill();
      else process.kill(-child.pid, 'SIGTERM');
    }
    await ended;
  };
  return { url: url.promise, ended, stop };
}
