import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { nearest } from '../platform/config/edit-distance.ts';
import { ConfigurationError } from '../platform/config/environment.ts';
import { redactText } from '../platform/log/log.ts';
import { runAdmin } from './admin.ts';
import { alignPairs, helpOf, parseArguments, programName, type Syntax } from './arguments.ts';
import { runBackup, runRestore } from './backup.ts';
import { CommandError, exitCodes, UsageError, type CommandContext, type ExitCode } from './command.ts';
import { runDoctor } from './doctor/run-doctor.ts';
import { runEvents } from './events.ts';
import { runInit } from './init.ts';
import { runKeys } from './keys.ts';
import { runMigrate } from './migrate.ts';
import { runMove } from './move.ts';

export { processTerminal } from './terminal.ts';

/** Runs a command with its arguments. Returns the exit code, or throws a `CommandError`. */
type Command = (args: readonly string[], context: CommandContext) => Promise<ExitCode>;

const commands: Readonly<Record<string, { readonly summary: string; readonly run: Command }>> = {
  admin: { summary: 'Administer a running service over its API', run: runAdmin },
  doctor: { summary: 'Check the configuration and everything the service depends on', run: runDoctor },
  serve: { summary: 'Start the service, as without a command', run: explainServe },
  init: { summary: 'Write a file with the variables of the service, with generated secrets', run: runInit },
  events: { summary: "Forward an organization's events to a developer's machine", run: runEvents },
  backup: { summary: 'Copy the embedded database, also while the service runs', run: runBackup },
  restore: { summary: 'Copy a backup of the embedded database to DATA_DIR', run: runRestore },
  move: { summary: 'Copy the embedded database to a PostgreSQL server', run: runMove },
  migrate: { summary: 'Apply or show pending changes of the database schema', run: runMigrate },
  keys: { summary: 'Generate, inspect and rotate encryption and signing keys', run: runKeys },
};

/**
 * Runs the command line. Writes results to standard output, and errors with what to do to standard error.
 * @returns the exit code.
 */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { terminal } = context;
  const [name = '--help', ...rest] = args;
  try {
    if (['--help', '-h', 'help'].includes(name)) {
      terminal.print(generalHelp);
      return exitCodes.ok;
    }
    if (name === '--version') {
      terminal.print(await readVersion());
      return exitCodes.ok;
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw unknownCommand(name);
    return await command.run(rest, context);
  } catch (error) {
    terminal.note(explain(error));
    if (error instanceof UsageError) {
      const scope = Object.hasOwn(commands, name) ? `${name} ` : '';
      terminal.note(`See "${programName} ${scope}--help".`);
    }
    return error instanceof CommandError ? error.exitCode : exitCodes.failed;
  }
}

const serve: Syntax = {
  command: 'serve',
  summary: 'Start the service',
  notes: ['Environment variables configure it. "doctor" checks them.'],
};

/** Runs `serve` with other arguments, which ask for help or are wrong. `main.ts` starts the service. */
function explainServe(args: readonly string[], { terminal }: CommandContext): Promise<ExitCode> {
  parseArguments(args, serve);
  terminal.print(helpOf(serve));
  return Promise.resolve(exitCodes.ok);
}

function unknownCommand(name: string): UsageError {
  const known = [...Object.keys(commands), '--help', '--version'];
  const meant = nearest(name, known);
  const what = name.startsWith('-') ? 'option' : 'command';
  return new UsageError(
    `Unknown ${what} ${JSON.stringify(name)}. ${meant === null ? `Known: ${known.join(', ')}` : `Did you mean ${meant}?`}`,
  );
}

function explain(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (error instanceof ConfigurationError) return error.message;
  return redactText(`Error: ${messagesOf(error).join('\n  Caused by: ')}`);
}

/** Returns the messages of an error and its causes. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : [inspect(error)];
  return [error.message || error.name, ...messagesOf(error.cause)];
}

const generalHelp = `The Agent Data Access Service.

Usage: ${programName}             Start the service, configured by environment variables
       ${programName} <command>   Run a command; "<command> --help" explains it

Commands:
${alignPairs(Object.entries(commands).map(([name, { summary }]) => [name, summary] as const))}

Options:
${alignPairs([
  ['--help', 'Show this help'],
  ['--version', 'Show the version'],
])}

Exit codes: 0 success; 1 the command failed, or doctor found a problem; 2 wrong arguments, nothing was changed;
3 the service cannot be reached or is overloaded, so run the command again.`;

async function readVersion(): Promise<string> {
  const file = new URL('../../package.json', import.meta.url);
  // The file is part of every installation.
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return version;
}
