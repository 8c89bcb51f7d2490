/** A registry on this machine with our packages, published as a release would, that passes requests for others on to npm's. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root, run } from './packed-widget.ts';

/** A running registry. */
export interface LocalRegistry {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where Verdaccio is installed once for all runs. It is no dependency of the workspace, because it has 320 packages. */
const program = join(root, '.cache/verdaccio');

/** Its configuration is not a file, so that the address of npm's registry is in none. */
const script = `
  const [folder, upstream] = process.argv.slice(1);
  const { runServer } = require('verdaccio');
  const config = {
    storage: folder,
    configPath: folder,
    self_path: folder,
    uplinks: { upstream: { url: upstream } },
    packages: {
      // Without an upstream, so that nothing but what was published here is found.
      '@connector-auth/*': { access: '$all', publish: '$anonymous' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    log: { type: 'stdout', format: 'json', level: 'error' },
    web: { enable: false },
    middlewares: {},
  };
  runServer(config).then(server => {
    const listener = server.listen(0, '127.0.0.1', () => console.log('port ' + listener.address().port));
  });`;

/** Starts an empty registry. @param folder where it stores packages */
export async function startLocalRegistry(folder: string): Promise<LocalRegistry> {
  await installVerdaccio();
  const upstream = (await run('npm', ['config', 'get', 'registry'], root)).trim();
  const server = spawn(process.execPath, ['--eval', script, folder, upstream], {
    cwd: program,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(server, 'exit');
  const port = await new Promise<string>((resolve, reject) => {
    // Read until the end, because a full pipe would block the server.
    createInterface(server.stdout).on('line', line => {
      const [, found] = /^port (\d+)$/.exec(line) ?? [];
      if (found === undefined) process.stderr.write(`${line}\n`);
      else resolve(found);
    });
    server.once('exit', () => reject(new Error('Verdaccio did not start')));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.kill();
      await exit;
    },
  };
}

async function installVerdaccio(): Promise<void> {
  const version = '6.10.4';
  const manifest = join(program, 'node_modules/verdaccio/package.json');
  if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes(`"version": "${version}"`)) return;
  mkdirSync(program, { recursive: true });
  // One of its packages names a version by its tag, which not every registry has.
  writeFileSync(join(program, 'package.json'), '{"private": true, "overrides": {"node-fetch": "2"}}');
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', `verdaccio@${version}`],
    program,
  );
}

/**
 * Publishes the packages: runs `pnpm release` on what is checked out, as if it were committed, and then the command of
 * the workflow that publishes what `pnpm release` has packed.
 * @param folder a new folder
 */
export async function release({ url }: LocalRegistry, folder: string): Promise<void> {
  mkdirSync(folder);
  const repository = { GIT_DIR: join(folder, 'git'), GIT_WORK_TREE: root };
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  await run('git', ['init', '--quiet'], root, repository);
  await run('git', ['add', '--all'], root, repository);
  await run('git', [...author, 'commit', '--quiet', '--message', 'Release'], root, repository);
  await run(process.execPath, ['--conditions=source', 'scripts/run.mjs', 'release'], root, repository);

  const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
  const [publish = ''] = /for tarball in [^]*?done/.exec(workflow) ?? [];
  // Anyone may publish to this registry, but npm does not try without a token.
  const userconfig = join(folder, 'npmrc');
  writeFileSync(userconfig, `registry=${url}/\n${url.replace('http:', '')}/:_authToken=any\n`);
  // Only a workflow can sign where the packages come from.
  await run('sh', ['-e', '-c', publish.replace(' --provenance', '')], root, {
    npm_config_userconfig: userconfig,
  });
}
