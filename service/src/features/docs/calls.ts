import { endpoints, stringifyJson, type Endpoint, type EndpointName } from '@connector-auth/api';
import { endpointExamples, exampleValues } from '@connector-auth/api/examples';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Sample } from './code.ts';

/** Writes calls of the service as code. Samples have the service's own URL, and run as they are. */

/** The values of a request to an endpoint. */
export interface RequestExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An action of a kind's entity, with its params. */
export interface ActionCall {
  readonly entity: string;
  readonly action: string;
  readonly params: unknown;
}

/** Writes the example request of an endpoint for curl. */
export function curlExample(serviceUrl: string, name: EndpointName): Sample {
  const { params = {}, headers = {}, ...others }: RequestExample = endpointExamples[name].request;
  return curlRequest(serviceUrl, endpoints[name], {
    params: withVariables(params),
    headers: withVariables(headers),
    ...others,
  });
}

/** Replaces the values that are different for each caller by shell variables such as `$CONNECTOR_ID`. */
function withVariables(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, variables.get(value) ?? value]),
  );
}

const variables = new Map(
  Object.entries(exampleValues).map(([name, value]) => [
    value,
    `$${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`,
  ]),
);

/** Writes a request to an endpoint for curl. Tokens and ids are shell variables. */
export function curlRequest(serviceUrl: string, endpoint: Endpoint, request: RequestExample): Sample {
  const { params = {}, query, headers = {}, body } = request;
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const search = Object.entries(query ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const url = `${serviceUrl}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
  const method =
    endpoint.method === 'GET' || (endpoint.method === 'POST' && body !== undefined)
      ? ''
      : `-X ${endpoint.method} `;
  const lines = [
    `curl ${method}"${url}"`,
    ...(endpoint.callers.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quote(writeBody(body))}`]),
  ];
  return { language: 'sh', text: lines.join(' \\\n  ') };
}

/** Writes an action of a kind for the TypeScript client. */
export function typescriptCall(
  serviceUrl: string,
  kind: Kind,
  { entity, action, params }: ActionCall,
): Sample {
  const client = clientNameOf(kind);
  const result = action === 'list' ? '{ result, connector_metadata }' : '{ result }';
  const args = params === null || isEmpty(params) ? '' : writeLiteral(params);
  const text = [
    `import { ${classNameOf(kind)} } from '@connector-auth/connectors';`,
    '',
    "const { CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;",
    `const ${client} = new ${classNameOf(kind)}({`,
    '  hosted: {',
    `    baseUrl: '${serviceUrl}',`,
    '    clientId: CLIENT_ID,',
    '    clientSecret: CLIENT_SECRET,',
    "    customerName: 'acme',",
    '  },',
    '});',
    '',
    `const ${result} = await ${client}.${entity}.${action}(${args});`,
  ].join('\n');
  return { language: 'ts', text };
}

/** Returns the name of the class that `@connector-auth/connectors` exports for a kind. */
export function classNameOf({ name }: Pick<Kind, 'name'>): string {
  return name.replaceAll(' ', '');
}

function clientNameOf({ key }: Kind): string {
  return key.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Writes a value as a TypeScript literal, on several lines if it is long. */
export function writeLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return writeString(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const deeper = `${indent}  `;
  const parts = isList
    ? value.map(item => writeLiteral(item, deeper))
    : Object.entries(value).map(([name, member]) => `${writeName(name)}: ${writeLiteral(member, deeper)}`);
  const [open, close, space] = isList ? ['[', ']', ''] : ['{', '}', ' '];
  const line = parts.length === 0 ? `${open}${close}` : `${open}${space}${parts.join(', ')}${space}${close}`;
  if (line.length + indent.length <= maxLineLength && !line.includes('\n')) return line;
  return `${open}\n${parts.map(part => `${deeper}${part},\n`).join('')}${indent}${close}`;
}

const maxLineLength = 56;

function writeName(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : writeString(name);
}

function writeString(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

function writeBody(body: unknown): string {
  const line = stringifyJson(body);
  return line.length <= maxLineLength ? line : stringifyJson(body, 2);
}

/** Quotes an argument of a shell command. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
