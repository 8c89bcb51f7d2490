/**
 * Builds and runs images with Debian's Podman. There is no registry of images: their base is made of Debian's packages, with Node
 * and npm as in the official image.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { builds, lastChange } from '../../scripts/build-sources.ts';
import { root } from '../../scripts/steps.ts';
import { nativeFolder } from './postgres.ts';
import { requirePrograms } from './programs.ts';

const programs = {
  podman: '/usr/bin/podman',
  'podman-compose': '/usr/bin/podman-compose',
  // Unlike crun, it also runs where only a part of the control groups is of version 2.
  runc: '/usr/sbin/runc',
  debootstrap: '/usr/sbin/debootstrap',
  netavark: '/usr/lib/podman/netavark',
  // Without it, containers do not find each other by name.
  'aardvark-dns': '/usr/lib/podman/aardvark-dns',
  caddy: '/usr/bin/caddy',
  'util-linux': '/usr/bin/flock',
};

export const images = {
  base: 'localhost/connector-auth-test-base',
  service: 'localhost/connector-auth-test-service',
  caddy: 'localhost/connector-auth-test-caddy',
  postgres: 'localhost/connector-auth-test-postgres',
};

const certificates = '/etc/ssl/certs/ca-certificates.crt';
const runFile = promisify(execFile);
const folder = join(tmpdir(), `connector-auth-containers-${process.pid}`);
const configuration = join(folder, 'containers.conf');
/** Where npm gets packages from. It is a secret of the builds, because it can contain a token. */
const npmrc = join(folder, 'npmrc');

/** Runs a program, and returns what it writes to its standard output. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd = folder, env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const { stdout } = await runFile(program, args, {
    cwd,
    // What images and tests need is in their arguments, and nothing else may matter.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], CONTAINERS_CONF: configuration, ...env },
    maxBuffer: 100_000_000,
  });
  return stdout.trim();
}

/** Runs Podman, and returns what it writes to its standard output. */
export function podman(...args: readonly string[]): Promise<string> {
  return run(programs.podman, args);
}

/** Returns all that a container has written. */
export function logsOf(id: string): Promise<string> {
  return run('sh', ['-c', '"$0" logs "$1" 2>&1', programs.podman, id]);
}

/** Builds an image as its Containerfile says. */
export function build(
  file: string,
  context: string,
  image: string,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const given = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  const secret = ['--secret', `id=npmrc,src=${npmrc}`];
  return podman('build', '--format', 'docker', '--file', file, ...given, ...secret, '--tag', image, context);
}

/** Removes what the tests wrote, except images, from which the next run starts. */
export function removeFiles(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Builds the image of the service, if its sources changed since the last run. */
export async function ensureServiceImage(): Promise<void> {
  requirePrograms(programs);
  if (process.getuid?.() !== 0) throw new Error('Run this test as root, as debootstrap needs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    configuration,
    // By default, Podman raises the limits of the user, which root may not do on each machine.
    `[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n[engine]\nruntime = "runc"\n[network]\nnetwork_backend = "netavark"\n`,
  );
  const { stdout: registry } = await runFile('npm', ['config', 'get', 'registry']);
  writeFileSync(npmrc, `registry=${registry.trim()}\ncafile=${certificates}\n`);
  // Other test files need the image as well. The lock ends with the input of `cat`, so also with this process.
  const lock = spawn(programs['util-linux'], [
    join(tmpdir(), 'connector-auth-images.lock'),
    'sh',
    '-c',
    'echo locked; cat',
  ]);
  await once(lock.stdout, 'data');
  try {
    await ensureBase();
    const sources = ['deploy/Containerfile', '.dockerignore', 'pnpm-lock.yaml'];
    const changedAt = lastChange([...builds.flatMap(build => build.sources), ...sources]);
    if ((await createdAt(images.service)) > changedAt) return;
    await build(join(root, 'deploy/Containerfile'), root, images.service, { BASE: images.base });
    // The stages before the last one, which are larger.
    await podman('image', 'prune', '--force');
  } finally {
    lock.stdin.end();
  }
}

/** Makes images with the interface of the official ones, from the PostgreSQL of the tests and Debian's Caddy. */
export async function makeStandIns(): Promise<void> {
  const postgres = join(folder, 'postgres');
  cpSync(await nativeFolder(), join(postgres, 'native'), { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(postgres, 'entrypoint'), postgresEntrypoint, { mode: 0o755 });
  // PostgreSQL's own program is in none of the packages of the tests.
  writeFileSync(join(postgres, 'pg_isready'), '#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/5432\n', {
    mode: 0o755,
  });
  writeFileSync(
    join(postgres, 'Containerfile'),
    `FROM ${images.base}
     COPY native /usr/local/postgresql
     COPY entrypoint pg_isready /usr/local/bin/
     RUN useradd --system postgres && mkdir -p /var/lib/postgresql && chown postgres /var/lib/postgresql
     USER postgres
     VOLUME /var/lib/postgresql
     STOPSIGNAL SIGINT
     ENTRYPOINT ["entrypoint"]\n`,
  );
  await build(join(postgres, 'Containerfile'), postgres, images.postgres, {});
  const caddy = join(folder, 'caddy');
  mkdirSync(caddy);
  copyFileSync(programs.caddy, join(caddy, 'caddy'));
  writeFileSync(
    join(caddy, 'Containerfile'),
    `FROM ${images.base}
     COPY caddy /usr/bin/
     ENV XDG_DATA_HOME=/data
     VOLUME /data
     CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]\n`,
  );
  await build(join(caddy, 'Containerfile'), caddy, images.caddy, {});
}

/** Like the official image, it creates the database at its first start, and accepts connections over TCP only afterwards. */
const postgresEntrypoint = `#!/bin/sh
set -e
export PGDATA=/var/lib/postgresql/18/docker PATH="/usr/local/postgresql/bin:$PATH"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username=postgres --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C \\
    --locale-provider=builtin --builtin-locale=C.UTF-8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "create database $POSTGRES_DB" | postgres --single postgres
fi
exec postgres -c listen_addresses='*'
`;

async function ensureBase(): Promise<void> {
  if ((await createdAt(images.base)) > 0) return;
  const base = join(folder, 'base');
  const { VERSION_CODENAME: suite = '' } = parseEnv(readFileSync('/etc/os-release', 'utf8'));
  await run(programs.debootstrap, ['--variant=minbase', '--include=ca-certificates', suite, base]);
  // Of this machine, because the way to the registry can need a certificate of its own.
  copyFileSync(certificates, join(base, certificates));
  copyFileSync(process.execPath, join(base, 'usr/local/bin/node'));
  const npm = ['install', '--global', '--prefix', join(base, 'usr/local'), '--userconfig', npmrc, 'npm@11'];
  await run('npm', npm);
  for (const path of ['var/cache/apt', 'var/lib/apt/lists']) rmSync(join(base, path), { recursive: true });
  const archive = join(folder, 'base.tar');
  await run('tar', ['--create', '--file', archive, '--directory', base, '.']);
  await podman('import', archive, images.base);
  for (const path of [base, archive]) rmSync(path, { recursive: true });
}

/** Returns when an image was made, in milliseconds since 1970, or 0 if there is none. */
async function createdAt(image: string): Promise<number> {
  const found = await podman('image', 'inspect', image).catch(() => '[]');
  const [{ Created = '' } = {}] = JSON.parse(found) as { Created?: string }[];
  return Date.parse(Created) || 0;
}
