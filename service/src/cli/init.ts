import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { formatKeyRing, generateKey } from '../platform/crypto/key-ring.ts';
import { helpOf, parseArguments, type Syntax } from './arguments.ts';
import { CommandError, exitCodes, UsageError, type CommandContext, type ExitCode } from './command.ts';

const syntax: Syntax = {
  command: 'init',
  summary:
    'Write a file with the variables of the service and of deploy/compose.yaml, with generated secrets',
  options: {
    host: {
      value: 'name',
      description:
        'The public host name, such as connect.example.com, or localhost:8443 with --database-host',
      isRequired: true,
    },
    'database-host': {
      value: 'name',
      description:
        'The PostgreSQL server, such as localhost or db.internal:5433. Default: the one of compose',
    },
    file: { value: 'path', description: 'Where to write. Default: .env' },
  },
  notes: [
    'An existing file is never overwritten, because stored credentials cannot be decrypted without its keys.',
  ],
};

/** Runs `init`. */
export async function runInit(args: readonly string[], { terminal }: CommandContext): Promise<ExitCode> {
  const given = parseArguments(args, syntax);
  if (given === null) {
    terminal.print(helpOf(syntax));
    return exitCodes.ok;
  }
  const host = checkHost('--host', given.get('host') ?? '');
  const databaseHost = given.get('database-host');
  if (databaseHost !== undefined) checkHost('--database-host', databaseHost);
  else if (host.includes(':')) {
    throw new UsageError(
      '--host takes a port only with --database-host: deploy/compose.yaml publishes HTTPS_PORT, 443 by default',
    );
  }
  const file = given.get('file') ?? '.env';
  try {
    await writeFile(file, variablesFor(host, databaseHost), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new CommandError(
      `${file} exists and was not changed, because stored credentials cannot be decrypted without its keys. Name another one with --file.`,
    );
  }
  terminal.print(`Wrote ${file}, which only its owner can read. Store a copy of it in your secret manager.`);
  return exitCodes.ok;
}

function checkHost(option: string, host: string): string {
  if (/^[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/i.test(host)) return host;
  throw new UsageError(
    `${option} must be a host name without scheme and path, such as connect.example.com or localhost:8443`,
  );
}

/** Returns the lines of the file. No value contains a character that compose or a shell would interpret. */
function variablesFor(host: string, databaseHost: string | undefined): string {
  // In compose, the only role of the server is the one that its image creates.
  const [role, server, created] =
    databaseHost === undefined
      ? ['postgres', 'postgres:5432', 'that PostgreSQL gets when its volume is created']
      : ['connector_auth', databaseHost, 'of the role connector_auth on the PostgreSQL server'];
  const password = randomBytes(24).toString('hex');
  const key = (): string => formatKeyRing([generateKey(new Date())]);
  return `# The host name that browsers and integrators use. Caddy gets a certificate for it.
SITE_ADDRESS=${host}

# The public URL of the service, for OAuth callbacks and its own pages.
PUBLIC_URL=https://${host}

# The number of reverse proxies in front of the service: Caddy.
TRUSTED_PROXIES=1

# The password ${created}, and the URL with which the service connects.
POSTGRES_PASSWORD=${password}
DATABASE_URL=postgres://${role}:${password}@${server}/connector_auth

# Encrypts stored credentials. Without it, they cannot be decrypted: back it up, apart from the database.
ENCRYPTION_KEYS=${key()}

# Signs tokens.
SIGNING_KEYS=${key()}

# The first admin key, with which you sign in at https://${host}/console. Create a key for each person there, then remove this one.
ADMIN_TOKEN=${randomBytes(32).toString('hex')}
`;
}
