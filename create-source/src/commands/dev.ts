import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readCount, type Command } from './command.ts';

/** Set in the process that serves, which is started again after each change. */
const servesVariable = 'CONNECTOR_AUTH_DEV_SERVES';

/** Runs the service with the source, and starts it again when a file changes. */
export const dev: Command = {
  usage: 'dev <source>',
  summary: 'Run the service with this source, and show each request to the vendor and what became of it',
  options: {
    play: {
      type: 'string',
      description: 'The recording that answers instead of the vendor. Any credentials are accepted',
    },
    port: {
      type: 'string',
      description: 'The port of the page. The service uses the next one. Default: 8780',
    },
  },
  run: async ({ positionals: [source = ''], options, directory, environment, print }) => {
    const port = readCount(options, 'port', 8780);
    if (environment[servesVariable] !== undefined) {
      const { serve } = await import('../dev/serve.ts');
      const { play } = options;
      return serve({
        source,
        directory,
        environment,
        recordingFile: typeof play === 'string' ? play : null,
        port,
        print,
      });
    }
    const restart = restarter(environment);
    const watched = /[/\\]/.test(source) ? dirname(resolve(directory, source)) : directory;
    let timer: NodeJS.Timeout | undefined;
    const watchers = foldersIn(watched).map(folder =>
      watch(folder, (_event, file) => {
        if (file === null || !/\.(?:[cm]?[jt]s|json)$/.test(file)) return;
        clearTimeout(timer);
        timer = setTimeout(() => {
          print(`\n${file} changed. Starting again…`);
          void restart.start();
        }, 100);
      }),
    );
    await restart.start();
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    for (const watcher of watchers) watcher.close();
    clearTimeout(timer);
    await restart.stop();
    return 0;
  },
};

/**
 * Returns a folder and those in it. On Linux, a recursive watcher follows each file, and loses one that an editor replaces by
 * another.
 */
function foldersIn(folder: string): string[] {
  const inner = readdirSync(folder, { withFileTypes: true }).filter(
    entry => entry.isDirectory() && !['node_modules', '.dev', '.git'].includes(entry.name),
  );
  return [folder, ...inner.flatMap(({ name }) => foldersIn(join(folder, name)))];
}

/** Runs this command in another process, because a module cannot be loaded twice in one. */
function restarter(environment: Readonly<Record<string, string | undefined>>) {
  let child: ChildProcess | null = null;
  let last: Promise<void> = Promise.resolve();
  const stop = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    await ended;
  };
  const start = async (): Promise<void> => {
    await stop();
    child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
      env: { ...environment, [servesVariable]: 'yes' },
      stdio: 'inherit',
      // A terminal sends Ctrl-C to all processes of its group, and this one stops the other.
      detached: process.platform !== 'win32',
    });
  };
  return {
    stop,
    /** One after the other, because the database can be open only once. */
    start: () => (last = last.then(start)),
  };
}
