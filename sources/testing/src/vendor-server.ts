import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Ajv, type AnySchema } from 'ajv';
import formats from 'ajv-formats';

/** The used part of a vendor's API description, as `cut.ts` writes it. */
export interface Description {
  /** By method and path, such as `GET /user/repos`. */
  readonly operations: Readonly<Record<string, Operation>>;
  /** The schemas to which `#/schemas/…` refers. */
  readonly schemas: Readonly<Record<string, AnySchema>>;
}

interface Operation {
  readonly query?: AnySchema;
  readonly body?: AnySchema;
  /** By status. */
  readonly responses: Readonly<Record<string, AnySchema>>;
}

export interface VendorRequest {
  /** The key of the operation in the description. */
  readonly operation: string;
  /** The variable parts of the path, in their order. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface VendorReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface VendorHandler {
  /** The operations that were requested. */
  readonly requested: string[];
  /** What did not match the description. A test that leaves one here fails. */
  readonly problems: string[];
  /** Answers a request whose path begins with the vendor's host. */
  answer(
    incoming: IncomingMessage & { readonly originalUrl?: string },
    outgoing: ServerResponse,
  ): Promise<void>;
}

/**
 * Acts as a vendor. Every request and every response must match the vendor's description. Otherwise the response is an error that
 * says what does not match.
 */
export function actAsVendor(
  description: Description,
  respond: (request: VendorRequest) => VendorReply,
  /** Returns the described path of another path, such as that of a link to the next page. Default: there is none. */
  describedPath: (path: string, headers: VendorRequest['headers']) => string = path => path,
): VendorHandler {
  const requested: string[] = [];
  const problems: string[] = [];
  const check = checkerOf(description);
  return {
    requested,
    problems,
    answer: async (incoming, outgoing) => {
      const { headers, method } = incoming;
      try {
        const { pathname, searchParams } = new URL(
          incoming.originalUrl ?? incoming.url ?? '/',
          'http://localhost',
        );
        const path = describedPath(pathname.replace(/^\/[^/]+/, ''), headers);
        const [operation, variables] = findOperation(description, `${method} ${path}`);
        requested.push(operation);
        const query = readQuery(searchParams);
        const body = readBody(await text(incoming), headers['content-type']);
        check(operation, 'query', query);
        check(operation, 'body', body);
        const reply = respond({ operation, path: variables, query, body, headers });
        const status = reply.status ?? 200;
        check(operation, `responses/${status}`, reply.body);
        outgoing
          .writeHead(status, { 'content-type': 'application/json', ...reply.headers })
          .end(reply.body === undefined ? '' : JSON.stringify(reply.body));
      } catch (error) {
        problems.push(String(error));
        outgoing.writeHead(500).end(String(error));
      }
    },
  };
}

export interface VendorServer extends VendorHandler {
  /** The `sandboxUrl` with which requests arrive here. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server that acts as a vendor. */
export async function startVendor(vendor: VendorHandler): Promise<VendorServer> {
  const server = createServer((incoming, outgoing) => void vendor.answer(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    ...vendor,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function checkerOf(description: Description) {
  const options = { strict: false } as const;
  // Queries contain texts.
  const [ajv, ofQueries] = [new Ajv(options), new Ajv({ ...options, coerceTypes: 'array' })];
  for (const each of [ajv, ofQueries]) formats.default(each).addSchema({ $id: 'api', ...description });
  return (operation: string, part: string, value: unknown): void => {
    const name = operation.replaceAll('~', '~0').replaceAll('/', '~1');
    const schema = `api#/operations/${encodeURIComponent(name)}/${part}`;
    const validator = part === 'query' ? ofQueries : ajv;
    const validate = validator.getSchema(schema);
    if (validate === undefined) {
      const isEmpty = value === undefined || (part === 'query' && Object.keys(Object(value)).length === 0);
      if (!isEmpty) throw new Error(`${operation} has no ${part} in the vendor's description`);
    } else if (validate(value) !== true) {
      throw new Error(`${operation} ${part}: ${validator.errorsText(validate.errors, { dataVar: '' })}`);
    }
  };
}

/** Finds an operation, and the variable parts of its path. A path without variable parts has precedence. */
function findOperation({ operations }: Description, requested: string): [string, string[]] {
  const names = Object.keys(operations).toSorted(
    (one, other) => one.split('{').length - other.split('{').length,
  );
  for (const name of names) {
    const pattern = name.replaceAll('.', String.raw`\.`).replaceAll(/\{[^}]+\}/g, '([^/]+)');
    const [found, ...path] = new RegExp(`^${pattern}$`).exec(requested) ?? [];
    if (found !== undefined) return [name, path.map(decodeURIComponent)];
  }
  throw new Error(`The vendor's description has no ${requested}`);
}

/** Reads a query, in which `created[gte]=1` is a member of an object. */
function readQuery(params: URLSearchParams): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, value] of params) {
    const [, object, member] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    if (object === undefined || member === undefined) query[name] = value;
    else query[object] = { ...Object(query[object]), [member]: value };
  }
  return query;
}

function readBody(body: string, type: string | undefined): unknown {
  if (body === '') return undefined;
  return type === 'application/json' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}
