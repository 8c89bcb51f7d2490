import { readFileSync } from 'node:fs';
import { inspect, parseArgs } from 'node:util';
import { actionNames, ConnectorAuthError } from '@connector-auth/api';
import { serveStdio, type ServeStdioOptions } from '@modelcontextprotocol/server/stdio';
import { credentialVariable } from '../kind/credentials.ts';
import type { Kind } from '../kind/kind.ts';
import { openRunner, type Runner } from '../kind/runner.ts';
import { createTransport, isSandboxUrl, sandboxUrlRule } from '../kind/transport.ts';
import { kinds as builtIn, findKind } from '../kinds.ts';
import { createToolServer } from './server.ts';
import type { SourceGateway } from './source-gateway.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const usageOf = (kinds: readonly Kind[]): string =>
  `Usage: connector-auth-mcp --kind <${kinds.map(({ key }) => key).join('|')}> [--write]
Serves one source to an MCP client over stdio. The credentials come from the environment.`;

/** Actions that need the synced records of the service. */
const hostedActions: readonly string[] = ['search'];
const changes: readonly string[] = ['create', 'update'];

/**
 * Serves the tools for one connector in this process, with credentials from the environment.
 * @param args `--kind`, and `--write` to allow changes.
 * @param options.kinds default: the built-in ones. `transport` replaces stdin and stdout in tests.
 * @returns null, or a message for the user if it cannot start.
 */
export function runOverStdio(
  args: readonly string[],
  environment: Environment,
  {
    kinds = builtIn,
    transport,
  }: { readonly kinds?: readonly Kind[]; readonly transport?: ServeStdioOptions['transport'] } = {},
): string | null {
  const usage = usageOf(kinds);
  let options: { readonly kind?: string; readonly write?: boolean };
  try {
    const declared = { kind: { type: 'string' }, write: { type: 'boolean' } } as const;
    options = parseArgs({ args: [...args], options: declared }).values;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${usage}`;
  }
  const kind = options.kind === undefined ? null : findKind(options.kind, kinds);
  if (kind === null) return usage;
  const { SANDBOX_URL: sandboxUrl = '' } = environment;
  if (sandboxUrl !== '' && !isSandboxUrl(sandboxUrl)) return `SANDBOX_URL ${sandboxUrlRule}`;
  let runner: Runner;
  try {
    runner = open(kind, environment);
  } catch (error) {
    if (!(error instanceof ConnectorAuthError)) throw error;
    const names = credentialNames(kind).map(name => credentialVariable(kind, name));
    return `${error.message}\nSet the credentials in the environment: ${names.join(', ')}`;
  }
  const actions = actionNames.filter(
    action => !hostedActions.includes(action) && (options.write === true || !changes.includes(action)),
  );
  serveStdio(
    () =>
      createToolServer({
        version: packageVersion(),
        rights: { actions, connects: false, namesCustomer: false },
        open: () => sourcesOf(kind, runner),
        opensUrls: false,
        requestId: null,
        // Clients read only messages from stdout, and show stderr as a log.
        onUnexpectedError: error => process.stderr.write(`${inspect(error)}\n`),
      }),
    { maxSubscriptions: 0, ...(transport === undefined ? {} : { transport }) },
  );
  return null;
}

function open(kind: Kind, environment: Environment): Runner {
  const given = credentialNames(kind).flatMap(name => {
    const value = environment[credentialVariable(kind, name)];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const { SANDBOX_URL: sandboxUrl = '' } = environment;
  return openRunner(kind, {
    credentials: Object.fromEntries(given),
    ...(sandboxUrl === '' ? {} : { transport: createTransport({ sandboxUrl }) }),
  });
}

/** Returns the names of the credentials that can be pasted. */
function credentialNames({ authMethods }: Kind): string[] {
  const pasted = authMethods.filter(({ isConsentOnly }) => !isConsentOnly);
  return [...new Set(pasted.flatMap(({ fields }) => Object.keys(fields.shape)))];
}

function sourcesOf(kind: Kind, { execute }: Runner): SourceGateway {
  const { key, name, description } = kind;
  const requireOwn = (wanted: string, code: 'connector_not_found' | 'unknown_connector_type'): Kind => {
    if (wanted === key || findKind(wanted, [kind]) === kind) return kind;
    throw new ConnectorAuthError(code, `Only ${key} is available`);
  };
  return {
    listSources: () =>
      Promise.resolve({
        connections: [
          {
            connector_id: key,
            source: key,
            name,
            state: 'connected',
            access: 'write',
            sync: 'none',
            last_synced_at: null,
            records: 0,
            settings: null,
          },
        ],
        sources: [{ source: key, name, description }],
        next_cursor: null,
      }),
    requireKind: source => requireOwn(source, 'unknown_connector_type'),
    execute: async (id, { entity, action, params }, { signal }) => {
      requireOwn(id, 'connector_not_found');
      const outcome = await execute(entity, action, params ?? {}, { signal });
      // Kinds declare the metadata as an object or null.
      const metadata = (outcome.connector_metadata ?? null) as Record<string, unknown> | null;
      return { result: outcome.result, connector_metadata: metadata, kind };
    },
    links: null,
  };
}

function packageVersion(): string {
  // The relative path is the same from `src/mcp` and `dist/mcp`.
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  // oxlint-disable-next-line no-restricted-properties -- reads the package.json of this package
  return (JSON.parse(text) as { version: string }).version;
}
