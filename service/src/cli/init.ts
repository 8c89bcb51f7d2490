import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { formatKeyRing, generateKey } from '../platform/crypto/key-ring.ts';
import { helpOf, parseArguments, type Syntax } from './arguments.ts';
import { CommandError, exitCodes, UsageError, type CommandContext, type ExitCode } from './command.ts';

const syntax: Syntax = {
  command: 'init',
  summary: 'Write a file with the variables for deploy/compose.yaml, with generated secrets',
  options: {
    host: {
      value: 'name',
      description: 'The public host name, such as connect.example.com',
      isRequired: true,
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
  const host = given.get('host') ?? '';
  if (!/^[a-z\d-]+(?:\.[a-z\d-]+)*$/i.test(host)) {
    throw new UsageError(
      '--host must be a host name without scheme, port and path, such as connect.example.com',
    );
  }
  const file = given.get('file') ?? '.env';
  try {
    await writeFile(file, variablesFor(host), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new CommandError(
      `${file} exists and was not changed, because stored credentials cannot be decrypted without its keys. Name another one with --file.`,
    );
  }
  terminal.print(`Wrote ${file}, which only its owner can read. Store a copy of it in your secret manager.`);
  return exitCodes.ok;
}

/** Returns the lines of the file. No value contains a character that compose or a shell would interpret. */
function variablesFor(host: string): string {
  const password = randomBytes(24).toString('hex');
  const key = (): string => formatKeyRing([generateKey(new Date())]);
  return `# The host name that browsers and integrators use. Caddy gets a certificate for it.
SITE_ADDRESS=${host}

# The public URL of the service, for OAuth callbacks and its own pages.
PUBLIC_URL=https://${host}

# The number of reverse proxies in front of the service: Caddy.
TRUSTED_PROXIES=1

# The password that PostgreSQL gets when its volume is created, and the URL with which the service connects.
POSTGRES_PASSWORD=${password}
DATABASE_URL=postgres://postgres:${password}@postgres:5432/connector_auth

# Encrypts stored credentials. Without it, they cannot be decrypted: back it up, apart from the database.
ENCRYPTION_KEYS=${key()}

# Signs tokens.
SIGNING_KEYS=${key()}

# The first admin key, with which you sign in at https://${host}/console. Create a key for each person there, then remove this one.
ADMIN_TOKEN=${randomBytes(32).toString('hex')}
`;
}
