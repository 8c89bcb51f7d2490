import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { parseJson, stringifyJson, validate, type Endpoint } from '@connector-auth/api';
import { adminEndpoints } from '@connector-auth/api/admin';
import type { Send } from '@connector-auth/api/client';
import { z } from 'zod';
import { nearest } from '../platform/config/edit-distance.ts';
import { anyObject, connect, environmentNotes, readObject, receive } from './admin-api.ts';
import { alignPairs, helpOf, parseArguments, programName, type Arguments, type Option } from './arguments.ts';
import { CommandError, exitCodes, UsageError, type CommandContext, type ExitCode } from './command.ts';
import { formatTable } from './table.ts';
import { printable, printableJson, type Terminal } from './terminal.ts';

/** The operations that an admin key can call, by their names in the contract. A new one needs no code here. */
export const adminOperations: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries<Endpoint>(adminEndpoints).filter(([, { callers }]) => callers.includes('admin')),
);

/**
 * Runs `admin <operation> --field value …`, which calls one endpoint of the administration API. Each member of its path,
 * query and body is an option.
 */
export async function runAdmin(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { terminal, environment } = context;
  const [name = '--help', ...rest] = args;
  if (['--help', '-h'].includes(name)) {
    terminal.print(overview());
    return exitCodes.ok;
  }
  const endpoint = adminOperations.get(name);
  if (endpoint === undefined) throw unknownOperation(name);
  const fields = fieldsOf(endpoint);
  const syntax = {
    command: `admin ${name}`,
    summary: endpoint.summary,
    options: optionsOf(endpoint, fields),
  };
  const given = parseArguments(rest, syntax);
  if (given === null) {
    terminal.print(`${helpOf(syntax)}\n\n${valueNotes}`);
    return exitCodes.ok;
  }
  const send = connect(environment, terminal);
  const input = await readInput(endpoint, fields, given, { send, terminal });
  await confirm(endpoint, fields, given, terminal);
  const call = { endpoint, input, given, send, terminal };
  await (endpoint.mediaType === undefined ? printResponse(call) : printLines(call));
  return exitCodes.ok;
}

/** A member of a request, and the option that sets it. */
interface Field {
  readonly name: string;
  /** Without the dashes. */
  readonly option: string;
  readonly part: 'params' | 'query' | 'body';
  readonly isRequired: boolean;
  readonly schema: FieldSchema;
}

/** Returns the option for a member of a request: `organization-id` for `organization_id`. */
export function optionOf(name: string): string {
  return name.replaceAll('_', '-');
}

/** The parts of JSON Schema that decide how the text of an option becomes a value. */
interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly writeOnly?: boolean;
  readonly description?: string;
  readonly anyOf?: readonly FieldSchema[];
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

function fieldsOf(endpoint: Endpoint): Field[] {
  return (['params', 'query', 'body'] as const).flatMap(part => {
    const schema = endpoint[part];
    if (schema === undefined) return [];
    // What JSON Schema cannot express becomes an empty schema, so the conversion is total.
    const object = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as FieldSchema;
    return Object.entries(object.properties ?? {}).map(([name, property]) => ({
      name,
      option: optionOf(name),
      part,
      isRequired: (object.required ?? []).includes(name) && !isVersion(endpoint, name),
      schema: property,
    }));
  });
}

/** An edit names the version that it is based on. Without the option, that is the current one. */
function isVersion({ method }: Endpoint, name: string): boolean {
  return method === 'PATCH' && name === 'version';
}

function optionsOf(endpoint: Endpoint, fields: readonly Field[]): Record<string, Option> {
  const options = Object.fromEntries(fields.map(field => [field.option, describeOption(field)]));
  if (endpoint.idempotencyKey === true) options['idempotency-key'] = idempotencyKeyOption;
  if (needsConfirmation(endpoint)) options['yes'] = { value: null, description: 'Does not ask' };
  if (endpoint.mediaType === undefined && endpoint.response !== null) {
    options['json'] = { value: null, description: "Print the API's response" };
  }
  return options;
}

const idempotencyKeyOption: Option = {
  value: 'key',
  description: 'Repeats an earlier attempt without making a second thing. Default: a new key',
};

function describeOption({ schema, isRequired }: Field): Option {
  const { type, enum: values, description } = valueSchema(schema);
  const explained = schema.description ?? description ?? '';
  return {
    value: isFlag(schema) ? null : type === 'string' ? 'text' : (type ?? 'json'),
    description:
      values === undefined || isFlag(schema) ? explained : `One of ${values.join(', ')}. ${explained}`.trim(),
    isRequired,
    isRepeatable: schema.type === 'array',
  };
}

/** Returns the schema of one given value: that of an array's items, and of what may also be null. */
function valueSchema(schema: FieldSchema): FieldSchema {
  const present = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  return present.type === 'array' ? (present.items ?? {}) : present;
}

/** Query parameters that are either `true` or left out. */
function isFlag({ type, enum: values }: FieldSchema): boolean {
  return type === 'boolean' || values?.join() === 'true,false' || values?.join() === 'true';
}

const valueNotes =
  'Objects are JSON. For objects, secrets and images, @ and a path reads the value from a file, and @- from the standard\n' +
  'input, so that a secret need not be an argument. Where a value can be removed, null removes it.';

type Input = Readonly<Record<Field['part'], Record<string, unknown>>>;

/** Reads the options, and checks them against the contract before anything is sent. */
async function readInput(
  endpoint: Endpoint,
  fields: readonly Field[],
  given: Arguments,
  { send, terminal }: { readonly send: Send; readonly terminal: Terminal },
): Promise<Input> {
  const input: Input = { params: {}, query: {}, body: {} };
  for (const field of fields) {
    const values: unknown[] = [];
    for (const value of given.all(field.option)) values.push(await readValue(field, value, terminal));
    if (values.length > 0) input[field.part][field.name] = field.schema.type === 'array' ? values : values[0];
  }
  const { query, body } = input;
  const isEdit = fields.some(({ name }) => isVersion(endpoint, name));
  if (isEdit && body['version'] === undefined && Object.keys(body).length > 0) {
    const current = await receive(send, { method: 'GET', path: pathOf(endpoint, { ...input, query: {} }) });
    body['version'] = readObject(current.text)['version'];
  }
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  check(endpoint.params, input.params);
  check(endpoint.query, texts);
  check(endpoint.body, body);
  return input;
}

async function readValue({ option, schema }: Field, given: string, { input }: Terminal): Promise<unknown> {
  if (isFlag(schema)) return true;
  const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false;
  if (given === 'null' && isNullable) return null;
  const { type, format, contentEncoding, writeOnly = false } = valueSchema(schema);
  const isBase64 = contentEncoding === 'base64' || format === 'base64';
  // A file of text, such as a key, must not become a name or a part of a URL.
  const isFile = given.startsWith('@') && (type === 'object' || isBase64 || writeOnly);
  const bytes = isFile ? await readBytes(option, given.slice(1), input) : Buffer.from(given);
  if (isBase64) return bytes.toString('base64');
  const value = isFile ? bytes.toString('utf8').replace(/\r?\n$/, '') : given;
  if (type === 'string') return format === 'date-time' && value.length === 10 ? `${value}T00:00:00Z` : value;
  try {
    return parseJson(value);
  } catch {
    // The message of the error would contain a part of the value, which may be a secret.
    throw new UsageError(`--${option} must be ${type === undefined ? 'JSON' : `JSON of type ${type}`}`);
  }
}

async function readBytes(option: string, path: string, input: Terminal['input']): Promise<Buffer> {
  try {
    return path === '-' ? await buffer(input) : await readFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--${option} names a file that cannot be read: ${reason}`);
  }
}

function check(schema: z.ZodType | undefined, value: unknown): void {
  if (schema === undefined) return;
  const result = validate(schema, value);
  if (result.ok) return;
  const lines = result.issues.map(({ path, message }) =>
    path === '' ? `  ${message}` : `  --${optionOf(path)}: ${message}`,
  );
  throw new UsageError(`Invalid options:\n${lines.join('\n')}`);
}

function needsConfirmation({ method, isRevoking, needsConfirmation: needs }: Endpoint): boolean {
  return method === 'DELETE' || isRevoking === true || needs === true;
}

/** Asks before something is taken away. */
async function confirm(
  endpoint: Endpoint,
  fields: readonly Field[],
  given: Arguments,
  terminal: Terminal,
): Promise<void> {
  if (!needsConfirmation(endpoint) || given.has('yes')) return;
  if (terminal.ask === null) {
    throw new UsageError('This command asks for confirmation. Add --yes to run it without a terminal');
  }
  terminal.note(`${endpoint.summary}:`);
  for (const { option } of fields) {
    for (const value of given.all(option)) terminal.note(`  ${option} ${printable(value)}`);
  }
  const answer = await terminal.ask('Type yes to continue: ');
  if (answer.trim() !== 'yes') throw new CommandError('Cancelled. Nothing was changed.', exitCodes.usage);
}

interface AdminCall {
  readonly endpoint: Endpoint;
  readonly input: Input;
  readonly given: Arguments;
  readonly send: Send;
  readonly terminal: Terminal;
}

async function printResponse({ endpoint, input, given, send, terminal }: AdminCall): Promise<void> {
  const key = endpoint.idempotencyKey === true ? (given.get('idempotency-key') ?? randomUUID()) : undefined;
  const response = await receive(send, {
    method: endpoint.method,
    path: pathOf(endpoint, input),
    headers: {
      ...(endpoint.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(endpoint.body === undefined ? {} : { body: stringifyJson(input.body) }),
  });
  if (response.text === '') return terminal.note('Done.');
  const value = readObject(response.text);
  if (given.has('json')) terminal.print(printableJson(stringifyJson(value, 2)));
  else if (Array.isArray(value['data'])) printItems(value, terminal);
  else printRows(Object.entries(value), terminal);
  for (const name of ['client_secret', 'key']) {
    if (typeof value[name] !== 'string') continue;
    terminal.note(`\n${name} is shown only now. Store it in your secret manager.`);
  }
}

function printItems({ data, meta }: Record<string, unknown>, terminal: Terminal): void {
  const items = z.array(anyObject).parse(data);
  if (items.length === 0) return terminal.note('Nothing found.');
  const names = [...new Set(items.flatMap(item => Object.keys(item)))].filter(name =>
    items.some(item => cellOf(item[name]) !== ''),
  );
  const rows = items.map(item => names.map(name => cellOf(item[name])));
  terminal.print(formatTable(names, rows, terminal.columns, ['id', 'client_id']));
  const page = z.object({ cursor: z.string(), has_more: z.literal(true) }).safeParse(meta);
  if (page.success) terminal.note(`There are more: add --cursor ${page.data.cursor}`);
}

function printRows(entries: readonly (readonly [string, unknown])[], terminal: Terminal): void {
  const rows = entries.map(([name, value]) => [name, cellOf(value)]);
  terminal.print(formatTable(['field', 'value'], rows, null));
}

/** Returns what a table shows: text as it is, the name of a reference, and JSON of everything else. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  const reference = z.object({ name: z.string() }).safeParse(value);
  return reference.success ? reference.data.name : stringifyJson(value);
}

const linesPerRequest = 10_000;

/** Prints the lines of an export, and how to continue it later. */
async function printLines({ endpoint, input, given, send, terminal }: AdminCall): Promise<void> {
  let left = Number(given.get('limit') ?? Infinity);
  let cursor = given.get('cursor');
  for (let isEnd = false; !isEnd;) {
    const limit = Math.min(left, linesPerRequest);
    const query = { ...input.query, limit, ...(cursor === undefined ? {} : { cursor }) };
    const { headers, text: page } = await receive(send, {
      method: endpoint.method,
      path: pathOf(endpoint, { ...input, query }),
    });
    const lines = page.split('\n').filter(line => line !== '');
    for (const line of lines) terminal.print(printableJson(line));
    await terminal.flushed();
    left -= lines.length;
    isEnd = lines.length < limit || left <= 0;
    cursor = String(headers['x-next-cursor'] ?? cursor);
  }
  terminal.note(`Continue this export later with --cursor ${cursor}`);
}

function pathOf({ path }: Endpoint, { params, query }: Omit<Input, 'body'>): `/api/v1/${string}` {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const filled = Object.entries(params).reduce(
    // Replacing a placeholder keeps the /api/v1/ prefix.
    (open, [name, value]) => open.replace(`{${name}}`, encodeURIComponent(String(value))) as typeof path,
    path,
  );
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

function overview(): string {
  const tags = [...new Set([...adminOperations.values()].map(({ tag }) => tag))];
  const sections = tags.map(tag => {
    const operations = [...adminOperations].filter(([, endpoint]) => endpoint.tag === tag);
    return `${tag}:\n${alignPairs(operations.map(([name, { summary }]) => [name, summary] as const))}`;
  });
  return [
    `Usage: ${programName} admin <operation> [--field value …]`,
    ...sections,
    environmentNotes,
    '"admin <operation> --help" lists its fields. The reference of the API describes the same operations.',
  ].join('\n\n');
}

function unknownOperation(name: string): UsageError {
  const meant = nearest(name, [...adminOperations.keys()]);
  return new UsageError(
    `Unknown operation "${printable(name)}"${meant === null ? '' : `. Did you mean ${meant}?`}`,
  );
}
