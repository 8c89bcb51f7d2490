import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The sandbox or the service as a child process. */
export interface ManagedProcess {
  /**
   * Resolves when the process reports that it is ready; rejects if it exits first or takes more than three
   * minutes, which only one that hangs does, however busy the machine is.
   */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Thrown when another process takes the port after it was found to be free. */
export class PortInUseError extends Error {}

const startTimeoutMs = 180_000;

/** Starts a workspace program that prints the event `<name>_ready` when it is ready. */
export function startProcess(
  name: 'sandbox' | 'service',
  env: Readonly<Record<string, string>>,
  onUnexpectedExit: (message: string) => void,
): ManagedProcess {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...process.execArgv, `${name}/src/main.ts`],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Runs in a separate process group. A terminal sends Ctrl-C to every process in its group at once, but
      // the parts must stop in order.
      detached: process.platform !== 'win32',
    },
  );
  const ready = Promise.withResolvers<void>();
  // `ready` is not awaited if the process is closed before it is ready.
  ready.promise.catch(() => {});
  let isReady = false;
  const outputTail = collectOutputTail(child, output => {
    if (!output.includes(`"${name}_ready"`)) return;
    isReady = true;
    ready.resolve();
  });
  const timer = setTimeout(() => {
    ready.reject(
      new Error(
        `The ${name} did not start within ${startTimeoutMs / 1000} s. Its last output:\n${outputTail()}`,
      ),
    );
  }, startTimeoutMs);
  let isClosing = false;
  const ended = new Promise<void>(resolve => {
    const end = () => {
      clearTimeout(timer);
      const message = `The ${name} exited unexpectedly. Its last output:\n${outputTail()}`;
      const isPortTaken = /EADDRINUSE|port is in use/.test(outputTail());
      ready.reject(isPortTaken ? new PortInUseError(message) : new Error(message));
      if (isReady && !isClosing) onUnexpectedExit(message);
      resolve();
    };
    // `close` fires after all output has been read.
    child.once('close', end);
    child.once('error', end);
  });
  void ready.promise.then(() => clearTimeout(timer)).catch(() => {});
  return {
    ready: ready.promise,
    close: async () => {
      isClosing = true;
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Returns the environment variables that child processes inherit. Settings for another service must not leak
 * into the demo.
 */
function inheritedEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SYSTEMROOT', 'LANG', 'TZ', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(
    names.flatMap(name => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function collectOutputTail(child: ChildProcess, onOutput: (output: string) => void): () => string {
  let text = '';
  const collect = (chunk: Buffer) => {
    text += chunk.toString();
    onOutput(text);
    text = text.slice(-4000);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return () => text.trim();
}
