import { parseArgs } from 'node:util';
import { nearest } from '../platform/config/edit-distance.ts';
import { UsageError } from './command.ts';

/** An option of a command, such as `--name <text>`. */
export interface Option {
  /** What the help shows for the value, such as `text`. Null for an option without a value. */
  readonly value: string | null;
  readonly description: string;
  readonly isRequired?: boolean;
  /** Whether the option can be given several times. */
  readonly isRepeatable?: boolean;
}

/** The syntax of one command, from which its arguments are parsed and its help is written. */
export interface Syntax {
  /** Everything before the arguments, such as `admin createOrganization`. */
  readonly command: string;
  readonly summary: string;
  /** The names of the arguments without an option, all of which are required. */
  readonly positionals?: readonly string[];
  /** The name of further arguments, of which there can be any number. */
  readonly rest?: string;
  /** Keyed by name without the dashes. */
  readonly options?: Readonly<Record<string, Option>>;
  /** Paragraphs at the end of the help. */
  readonly notes?: readonly string[];
}

export interface Arguments {
  readonly positionals: readonly string[];
  has(option: string): boolean;
  /** Returns the value of an option, or undefined. */
  get(option: string): string | undefined;
  all(option: string): readonly string[];
}

/** The name of the program in help and messages. */
export const programName = 'connector-auth-service';

const help: Option = { value: null, description: 'Show this help' };

/**
 * Parses the arguments of a command. Returns null if they ask for help.
 * @throws UsageError for an unknown or incomplete option, or a wrong number of arguments.
 */
export function parseArguments(args: readonly string[], syntax: Syntax): Arguments | null {
  const options: Readonly<Record<string, Option>> = { ...syntax.options, help };
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [
        name,
        { type: value === null ? ('boolean' as const) : ('string' as const), multiple: true },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.rawName === '-h') return null;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined || !token.rawName.startsWith('--')) throw unknownOption(token.rawName, options);
    if (token.name === 'help') return null;
    checkValue(token.rawName, option, token);
    const values = given.get(token.name) ?? [];
    if (values.length > 0 && option.isRepeatable !== true) {
      throw new UsageError(`${token.rawName} can be given only once`);
    }
    given.set(token.name, [...values, token.value ?? '']);
  }
  checkCount(positionals, syntax);
  const missing = Object.entries(options).flatMap(([name, option]) =>
    option.isRequired === true && !given.has(name) ? [`--${name} <${option.value}>`] : [],
  );
  if (missing.length > 0) {
    throw new UsageError(`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} required`);
  }
  return {
    positionals,
    has: option => given.has(option),
    get: option => given.get(option)?.[0],
    all: option => given.get(option) ?? [],
  };
}

function unknownOption(rawName: string, options: Readonly<Record<string, Option>>): UsageError {
  const names = Object.keys(options);
  const wanted = rawName.replace(/^-+/, '');
  const meant = nearest(wanted, names) ?? names.find(name => wanted.length > 2 && name.startsWith(wanted));
  return new UsageError(
    `Unknown option ${rawName}${meant === undefined ? '' : `. Did you mean --${meant}?`}`,
  );
}

function checkValue(
  rawName: string,
  option: Option,
  { value, inlineValue }: { readonly value: string | undefined; readonly inlineValue: boolean | undefined },
): void {
  if (option.value === null) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
  } else if (value === undefined) {
    throw new UsageError(`${rawName} needs a value: ${rawName} <${option.value}>`);
  } else if (inlineValue !== true && value.length > 1 && value.startsWith('-')) {
    // Probably the next option. A value that starts with a dash needs an equals sign.
    throw new UsageError(
      `${rawName} needs a value: ${rawName} <${option.value}>, or ${rawName}=${value} if the value starts with "-"`,
    );
  }
}

function checkCount(positionals: readonly string[], syntax: Syntax): void {
  const wanted = syntax.positionals ?? [];
  const missing = wanted.slice(positionals.length);
  if (missing.length > 0) {
    throw new UsageError(`${missing.map(name => `<${name}>`).join(' ')} is missing: ${usageOf(syntax)}`);
  }
  const [extra] = syntax.rest === undefined ? positionals.slice(wanted.length) : [];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}": ${usageOf(syntax)}`);
}

/** Returns one line that shows how to run a command. */
function usageOf({ command, positionals = [], rest, options = {} }: Syntax): string {
  const required = Object.entries(options).flatMap(([name, { value, isRequired }]) =>
    isRequired === true ? [`--${name} <${value}>`] : [],
  );
  const hasOthers = Object.values(options).some(({ isRequired }) => isRequired !== true);
  return [
    programName,
    command,
    ...positionals.map(name => `<${name}>`),
    ...(rest === undefined ? [] : [`[<${rest}> …]`]),
    ...required,
    ...(hasOthers ? ['[options]'] : []),
  ].join(' ');
}

/** Returns the help text of a command. */
export function helpOf(syntax: Syntax): string {
  const options = Object.entries({ ...syntax.options, help }).map(([name, option]): [string, string] => [
    option.value === null ? `--${name}` : `--${name} <${option.value}>`,
    [
      option.description,
      ...(option.isRequired === true ? ['(required)'] : []),
      ...(option.isRepeatable === true ? ['(repeatable)'] : []),
    ]
      .filter(part => part !== '')
      .join(' '),
  ]);
  return [
    `${syntax.summary}.`,
    `Usage: ${usageOf(syntax)}`,
    `Options:\n${alignPairs(options)}`,
    ...(syntax.notes ?? []),
  ].join('\n\n');
}

/** Formats names and their descriptions in two columns. */
export function alignPairs(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`.trimEnd()).join('\n');
}
