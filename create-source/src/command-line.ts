import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import type { Command } from './commands/command.ts';
import { dev } from './commands/dev.ts';
import { record } from './commands/record.ts';
import { schemas } from './commands/schemas.ts';
import { test } from './commands/test.ts';

const commands: Readonly<Record<string, Command>> = { dev, record, test, schemas };
const programName = 'connector-auth-source';

/** Runs a command. Returns the exit code: 1 if it failed, 2 for wrong arguments. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const print = (line: string): unknown => process.stdout.write(`${line}\n`);
  const [name = '--help', ...rest] = args;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined || rest.includes('--help')) {
    print(helpOf(command === undefined ? Object.values(commands) : [command]));
    return command !== undefined || name === '--help' ? 0 : 2;
  }
  let given: ReturnType<typeof parse>;
  try {
    given = parse(command, rest);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${helpOf([command])}\n`);
    return 2;
  }
  try {
    return await command.run({
      ...given,
      directory: process.cwd(),
      environment: process.env,
      print,
      confirm,
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function parse({ options, usage }: Command, args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (positionals.length === 0) throw new Error(`An argument is missing: ${programName} ${usage}`);
  return { options: values, positionals };
}

/** Asks in the terminal. Without one, there is no one to ask. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

function helpOf(described: readonly Command[]): string {
  const lines = described.flatMap(({ usage, summary, options }) => [
    `  ${programName} ${usage}\n      ${summary}.`,
    ...Object.entries(options).map(
      ([name, { type, description }]) =>
        `      --${name}${type === 'string' ? ` <${name}>` : ''}  ${description}`,
    ),
  ]);
  return `Usage:\n${lines.join('\n')}\n\n<source> is a file, a package, or the name of a built-in source.`;
}
