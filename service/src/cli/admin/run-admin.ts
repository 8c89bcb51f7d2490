import { randomUUID } from 'node:crypto';
import {
  ConnectorAuthError,
  idempotencyKey as idempotencyKeySchema,
  parseJson,
  stringifyJson,
  validate,
} from '@connector-auth/api';
import { z } from 'zod';
import { nearest } from '../../config/edit-distance.ts';
import { alignPairs, helpOf, parseArguments, programName, type Arguments } from '../arguments.ts';
import { CommandError, exitCodes, UsageError, type CommandContext, type ExitCode } from '../command.ts';
import { printable, type Terminal } from '../terminal.ts';
import { readAdminApi, type AdminApi, type AdminResponse } from './admin-api.ts';
import { adminCommands, findCommand, type AdminCommand } from './commands.ts';
import { readFields } from './input.ts';
import { findTarget, nameOf, type Target } from './lookup.ts';
import { noteSecrets, printDetail, printItems } from './output.ts';

/** Runs `admin …`, which calls one endpoint of the administration API. */
export async function runAdmin(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { terminal, environment } = context;
  const found = findCommand(args);
  if (found === null) return showCommands(args, terminal);
  const { command, rest } = found;
  const given = parseArguments(rest, command.syntax);
  if (given === null) {
    terminal.print(helpOf(command.syntax));
    return exitCodes.ok;
  }
  const api = readAdminApi(environment, line => terminal.note(line));
  const call = await prepare(command, given, { api, terminal });
  if (command.endpoint.mediaType !== undefined) await printLines(call, given, { api, terminal });
  else if (command.isList) await printPages(call, given, { api, terminal });
  else await printResponse(call, given, { api, terminal });
  return exitCodes.ok;
}

interface Tools {
  readonly api: AdminApi;
  readonly terminal: Terminal;
}

/** A request that is ready to be sent, without paging. */
interface Call {
  readonly method: AdminCommand['endpoint']['method'];
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  readonly isRetryable: boolean;
}

/** Looks up names, checks the values against the contract, and asks for confirmation. */
async function prepare(command: AdminCommand, given: Arguments, { api, terminal }: Tools): Promise<Call> {
  const { endpoint } = command;
  requireConfirmable(command, given, terminal);
  const idempotencyKey =
    endpoint.idempotencyKey === true ? (given.get('idempotency-key') ?? randomUUID()) : undefined;
  if (idempotencyKey !== undefined && !idempotencyKeySchema.safeParse(idempotencyKey).success) {
    throw new UsageError('--idempotency-key must be 1 to 255 printable ASCII characters');
  }
  const targets = await findTargets(command, given, api);
  const findId = async (noun: string, text: string) => (await findTarget(api, noun, text)).id;
  const query = await readFields(command.query, given, { findId, terminal });
  const fields = await readFields(command.body, given, { findId, terminal });
  const path = targets.reduce(
    (filled, { id }, index) => filled.replace(`{${command.parameters[index]}}`, encodeURIComponent(id)),
    endpoint.path as string,
  );
  const body = endpoint.body === undefined ? undefined : await withVersion(command, fields, { api, path });
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  if (endpoint.body !== undefined) check(endpoint.body, body, command);
  if (endpoint.query !== undefined) check(endpoint.query, texts, command);
  await confirm(command, { given, targets, fields }, { api, terminal });
  return {
    method: endpoint.method,
    path,
    query: texts,
    body,
    idempotencyKey,
    isRetryable: endpoint.retryable || idempotencyKey !== undefined,
  };
}

async function findTargets(command: AdminCommand, given: Arguments, api: AdminApi): Promise<Target[]> {
  const targets: Target[] = [];
  for (const [index, parameter] of command.parameters.entries()) {
    const text = given.positionals[index] ?? '';
    const isId = parameter.endsWith('_id');
    targets.push(isId ? await findTarget(api, nounOf(parameter), text) : { id: text, name: text });
  }
  return targets;
}

function nounOf(parameter: string): string {
  return parameter.replace(/_id$/, '');
}

/** Adds the current version to an edit, unless the operator names the one they have seen. */
async function withVersion(
  { body, endpoint }: AdminCommand,
  fields: Record<string, unknown>,
  { api, path }: { readonly api: AdminApi; readonly path: string },
): Promise<Record<string, unknown>> {
  const needsVersion = endpoint.method === 'PATCH' && body.some(field => field.path.join('.') === 'version');
  // Without a change, the contract rejects the request.
  if (!needsVersion || fields['version'] !== undefined || Object.keys(fields).length === 0) return fields;
  const { text } = await api.send({ method: 'GET', path, isRetryable: true });
  return { version: versioned.parse(parseJson(text)).version, ...fields };
}

const versioned = z.looseObject({ version: z.number() });

function check(schema: z.ZodType, value: unknown, command: AdminCommand): void {
  const result = validate(schema, value);
  if (result.ok) return;
  const fields = [...command.body, ...command.query];
  const lines = result.issues.map(({ path, message }) => {
    const name = path.replace(/(?:\.\d+|\[\d+\])$/, '');
    const field = fields.find(each => each.path.join('.') === name);
    return `  ${field === undefined ? (path === '' ? '' : `${path}: `) : `--${field.option}: `}${message}`;
  });
  throw new UsageError(`Invalid options:\n${lines.join('\n')}`);
}

/** Requires `--yes` where no one can confirm. */
function requireConfirmable({ isDestructive }: AdminCommand, given: Arguments, { ask }: Terminal): void {
  if (!isDestructive || given.has('yes') || ask !== null) return;
  throw new UsageError('This command asks for confirmation. Add --yes to run it without a terminal');
}

/** Asks the operator to type the name of what the command is about. */
async function confirm(
  command: AdminCommand,
  {
    given,
    targets,
    fields,
  }: { given: Arguments; targets: readonly Target[]; fields: Record<string, unknown> },
  { api, terminal }: Tools,
): Promise<void> {
  if (!command.isDestructive || given.has('yes') || terminal.ask === null) return;
  const name = printable(await nameToType(command, { given, targets, fields }, api));
  terminal.note(`${command.endpoint.summary}: ${name}`);
  const typed = await terminal.ask(`Type ${name} to continue: `);
  if (typed.trim() !== name.trim())
    throw new CommandError('Cancelled. Nothing was changed.', exitCodes.usage);
}

async function nameToType(
  { parameters, body, words }: AdminCommand,
  {
    given,
    targets,
    fields,
  }: { given: Arguments; targets: readonly Target[]; fields: Record<string, unknown> },
  api: AdminApi,
): Promise<string> {
  const [target, parameter] = [targets.at(-1), parameters.at(-1)];
  if (target !== undefined && parameter !== undefined) {
    return target.name === target.id && parameter.endsWith('_id')
      ? await nameOf(api, nounOf(parameter), target.id)
      : target.name;
  }
  const scope = body.find(field => fields[field.path[0] ?? ''] !== undefined && field.option !== 'reason');
  const scoped = body.filter(field => field.path[0] === scope?.path[0]).at(-1);
  return (scoped && given.get(scoped.option)) ?? words.join(' ');
}

/** Sends a request for one thing or a change, and prints the response. */
async function printResponse(call: Call, given: Arguments, { api, terminal }: Tools): Promise<void> {
  const response = await api.send(call);
  if (response.text === '') {
    terminal.note('Done.');
    return;
  }
  const value = readBody(response);
  if (given.has('json')) {
    terminal.print(stringifyJson(value, 2));
    noteSecrets(value, terminal);
  } else if (Array.isArray(value['data'])) {
    // A list without pages.
    printItems(z.array(anyObject).parse(value['data']), terminal, { isWide: given.has('wide') });
  } else {
    printDetail(value, terminal);
  }
}

const anyObject = z.record(z.string(), z.unknown());

/** @throws CommandError if the response is not a JSON object. */
function readBody({ text }: AdminResponse): Record<string, unknown> {
  try {
    return anyObject.parse(parseJson(text));
  } catch (error) {
    throw new CommandError(
      "Error: the response is not from the service. Check that CONNECTOR_AUTH_URL is the service's URL.",
      exitCodes.failed,
      { cause: error },
    );
  }
}

const page = z.object({
  data: z.array(anyObject),
  meta: z.object({ cursor: z.string().nullable(), has_more: z.boolean() }),
});
const maxPageSize = 1000;
const defaultLimit = 100;

/** Prints a list, following its pages up to `--limit`. */
async function printPages(call: Call, given: Arguments, { api, terminal }: Tools): Promise<void> {
  const limit = readLimit(given) ?? defaultLimit;
  const items: Record<string, unknown>[] = [];
  let cursor = given.get('cursor') ?? null;
  let meta: z.infer<typeof page>['meta'];
  do {
    const size = Math.min(limit - items.length, maxPageSize);
    const query = { ...call.query, limit: String(size), ...(cursor === null ? {} : { cursor }) };
    const read = page.parse(readBody(await api.send({ ...call, query })));
    items.push(...read.data);
    ({ meta } = read);
    if (meta.cursor !== null && meta.cursor === cursor) throw repeatedCursor();
    ({ cursor } = meta);
  } while (meta.has_more && cursor !== null && items.length < limit);
  if (given.has('json')) terminal.print(stringifyJson({ data: items, meta }, 2));
  else printItems(items, terminal, { isWide: given.has('wide') });
  if (meta.has_more && cursor !== null && !given.has('json')) {
    terminal.note(`There are more. Raise --limit, or continue with --cursor ${cursor}`);
  }
}

const maxLinesPerRequest = 10_000;

/** Prints the lines of an export as they arrive. The last cursor goes to standard error. */
async function printLines(call: Call, given: Arguments, { api, terminal }: Tools): Promise<void> {
  let left = readLimit(given) ?? Infinity;
  let cursor = given.get('cursor') ?? null;
  for (;;) {
    const size = Math.min(left, maxLinesPerRequest);
    const query = { ...call.query, limit: String(size), ...(cursor === null ? {} : { cursor }) };
    const { headers, text } = await api.send({ ...call, query });
    const lines = text.split('\n').filter(line => line !== '');
    for (const line of lines) terminal.print(line);
    await terminal.flushed();
    left -= lines.length;
    const next = headers.get('x-next-cursor');
    const isEnd = next === null || next === cursor || lines.length < size;
    cursor = next ?? cursor;
    if (isEnd || left <= 0) break;
  }
  if (cursor !== null) terminal.note(`Continue this export later with --cursor ${cursor}`);
}

function repeatedCursor(): ConnectorAuthError {
  return new ConnectorAuthError('unexpected_answer', 'The service returned the same cursor twice');
}

function readLimit(given: Arguments): number | null {
  const text = given.get('limit');
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--limit must be a whole number from 1');
  return Number(text);
}

/** Shows the commands that start with the arguments, or reports an unknown command. */
function showCommands(args: readonly string[], terminal: Terminal): ExitCode {
  const words = args.filter(arg => !arg.startsWith('-'));
  const isHelp = words.length === 0 || args.some(arg => arg === '--help' || arg === '-h');
  const matching = adminCommands().filter(command =>
    words.every((word, index) => command.words[index] === word),
  );
  if (matching.length === 0 || !isHelp) throw unknownCommand(words, matching);
  const tags = [...new Set(matching.map(({ endpoint }) => endpoint.tag))];
  const sections = tags.map(tag => {
    const pairs = matching
      .filter(({ endpoint }) => endpoint.tag === tag)
      .map(
        ({ words: each, syntax, endpoint }) =>
          [commandWithArguments(each, syntax.positionals), endpoint.summary] as const,
      );
    return `${tag}:\n${alignPairs(pairs)}`;
  });
  terminal.print(
    [
      `Usage: ${programName} admin <command> [options]`,
      ...sections,
      'Environment:\n' +
        alignPairs([
          ['CONNECTOR_AUTH_URL', "The service's URL, such as https://connect.example.com"],
          ['CONNECTOR_AUTH_ADMIN_KEY', 'An admin key'],
        ]),
      '"admin <command> --help" lists the options of a command.',
    ].join('\n\n'),
  );
  return exitCodes.ok;
}

function commandWithArguments(words: readonly string[], positionals: readonly string[] = []): string {
  return [...words, ...positionals.map(name => `<${name}>`)].join(' ');
}

function unknownCommand(words: readonly string[], matching: readonly AdminCommand[]): UsageError {
  if (matching.length > 0) {
    const verbs = [...new Set(matching.map(command => command.words[words.length]))];
    return new UsageError(`"admin ${words.join(' ')}" is incomplete. It continues with ${verbs.join(', ')}`);
  }
  // Compares word by word, so that a positional argument does not count as a typo.
  const ranked = adminCommands().map(command => ({
    command,
    typed: words.slice(0, command.words.length).join(' '),
  }));
  const meant = ranked.find(({ command, typed }) => nearest(typed, [command.words.join(' ')], 3) !== null);
  const suggestion = meant === undefined ? '' : `. Did you mean "admin ${meant.command.words.join(' ')}"?`;
  return new UsageError(`Unknown command "admin ${printable(words.join(' '))}"${suggestion}`);
}
