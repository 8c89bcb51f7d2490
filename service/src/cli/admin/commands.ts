import type { Endpoint } from '@connector-auth/api';
import { adminEndpoints } from '@connector-auth/api/admin';
import { z } from 'zod';
import type { Option, Syntax } from '../arguments.ts';
import { fieldsOf, type Field } from './fields.ts';
import { references } from './references.ts';

/** A command that calls one endpoint of the administration API. */
export interface AdminCommand {
  /** The words after `admin`, such as `['organizations', 'create']`. */
  readonly words: readonly string[];
  readonly endpoint: Endpoint;
  /** The path parameters, in order, which are the arguments of the command. */
  readonly parameters: readonly string[];
  readonly query: readonly Field[];
  readonly body: readonly Field[];
  readonly isList: boolean;
  /** Whether the response is a list, with or without pages. */
  readonly hasTable: boolean;
  /** Whether the command asks for confirmation, because it takes something away or is hard to take back. */
  readonly isDestructive: boolean;
  readonly syntax: Syntax;
}

/** The path below which all administration endpoints are. */
const adminPath = '/api/v1/admin';

/** Returns the commands for all endpoints that an admin key can call. A new endpoint needs no code here. */
export function adminCommands(): readonly AdminCommand[] {
  return Object.entries<Endpoint>(adminEndpoints)
    .filter(([, endpoint]) => endpoint.callers.includes('admin'))
    .map(([name, endpoint]) => commandOf(name, endpoint));
}

function commandOf(name: string, endpoint: Endpoint): AdminCommand {
  const words = wordsOf(name, endpoint);
  const parameters = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const isList = endpoint.query !== undefined && 'cursor' in endpoint.query.shape;
  const query = fieldsOf(endpoint.query).filter(
    ({ path: [first = ''] }) => !isList || !['limit', 'cursor'].includes(first),
  );
  const body = fieldsOf(endpoint.body);
  const isDestructive =
    endpoint.method === 'DELETE' || endpoint.isRevoking === true || endpoint.needsConfirmation === true;
  const hasTable = endpoint.mediaType === undefined && isListResponse(endpoint.response);
  return {
    words,
    endpoint,
    parameters,
    query,
    body,
    isList,
    hasTable,
    isDestructive,
    syntax: {
      command: `admin ${words.join(' ')}`,
      summary: endpoint.summary,
      positionals: parameters.map(argumentName),
      options: {
        ...Object.assign({}, ...[...query, ...body].map(optionsOf)),
        ...(isList ? listOptions(endpoint) : {}),
        ...(endpoint.idempotencyKey === true ? { 'idempotency-key': idempotencyKeyOption } : {}),
        ...(isDestructive ? { yes: { value: null, description: 'Do not ask for confirmation' } } : {}),
        ...(hasTable ? { wide: { value: null, description: 'Print all columns, of any width' } } : {}),
        ...(endpoint.mediaType === undefined && endpoint.response !== null
          ? { json: { value: null, description: "Print the API's response" } }
          : {}),
      },
      notes: notesFor([...parameters.map(argumentName), ...[...query, ...body].map(field => field.noun)]),
    },
  };
}

function isListResponse(response: Endpoint['response']): boolean {
  return response instanceof z.ZodObject && 'data' in response.shape;
}

const idempotencyKeyOption: Option = {
  value: 'key',
  description: 'Repeats an earlier attempt without making a second thing. Default: a new key',
};

/** Returns the name that help shows for a path parameter: `organization` for `organization_id`. */
function argumentName(parameter: string): string {
  return parameter.replace(/_id$/, '').replaceAll('_', '-');
}

function notesFor(nouns: readonly (string | null)[]): string[] {
  const named = nouns.filter(noun => noun !== null && references.has(noun));
  return named.length === 0
    ? []
    : ['Where an id is expected, you can also give the exact name, if it is unique.'];
}

function optionsOf(field: Field): Record<string, Option> {
  const { option, value, description, isRequired, isRepeatable, clears } = field;
  const isVersion = field.path.join('.') === 'version';
  return {
    [option]: {
      value,
      description,
      isRequired: isRequired && !isVersion,
      ...(isRepeatable ? { isRepeatable } : {}),
    },
    ...(clears === null ? {} : { [`no-${option}`]: { value: null, description: `Removes --${option}` } }),
  };
}

function listOptions({ mediaType }: Endpoint): Record<string, Option> {
  const limit = mediaType === undefined ? 'Maximum number of items. Default: 100' : 'Maximum number of lines';
  return {
    limit: { value: 'number', description: limit },
    cursor: { value: 'cursor', description: 'Continues where an earlier call ended' },
  };
}

/**
 * Derives the words of a command from the path and the name of an endpoint: the fixed parts of the path, then
 * the verb. `POST …/organizations/{id}/disable` named `disableOrganization` is `organizations disable`.
 */
function wordsOf(name: string, { path }: Endpoint): readonly string[] {
  const nouns = path
    .slice(adminPath.length + 1)
    .split('/')
    .filter(part => !part.startsWith('{'));
  const [verb = name] = /^[a-z]+/.exec(name) ?? [];
  if (name === 'signOut') return [...nouns, 'sign-out'];
  const last = nouns.at(-1) ?? '';
  // The path may end with the verb (`disable`), a part of it (`sync` of `resync`), or more (`revoke-tokens`).
  if (last.startsWith(verb)) return nouns;
  return verb.endsWith(last) ? [...nouns.slice(0, -1), verb] : [...nouns, verb];
}

/**
 * Finds the command that arguments start with, and the remaining arguments. If no verb follows the noun, the
 * command lists or gets it. Returns null if there is none.
 */
export function findCommand(
  args: readonly string[],
): { readonly command: AdminCommand; readonly rest: readonly string[] } | null {
  const commands = adminCommands();
  const matches = commands.filter(({ words }) => words.every((word, index) => args[index] === word));
  const command = matches.sort((a, b) => b.words.length - a.words.length)[0];
  if (command !== undefined) return { command, rest: args.slice(command.words.length) };
  const end = args.findIndex(arg => arg.startsWith('-'));
  const words = end === -1 ? args : args.slice(0, end);
  const implied = commands.find(
    ({ words: [...nouns], parameters }) =>
      ['list', 'get'].includes(nouns.pop() ?? '') &&
      parameters.length === 0 &&
      nouns.join(' ') === words.join(' '),
  );
  return implied === undefined ? null : { command: implied, rest: args.slice(words.length) };
}
