/**
 * Calls `stop` once, on Ctrl-C, when the terminal closes or when the parent process exits, and then ends the
 * process. A package manager that is killed does not always forward the signal.
 * @returns a function that does the same with an exit code
 */
export function untilStopped(stop: () => Promise<void>): (exitCode: number) => Promise<void> {
  let isStopping = false;
  const end = async (exitCode: number): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await stop();
    process.exit(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void end(0);
  }, 500).unref();
  return end;
}
