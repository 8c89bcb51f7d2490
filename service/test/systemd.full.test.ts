/** Checks `deploy/connector-auth@.service` with systemd's own program, and runs it under systemd in a container. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { root } from '../../scripts/steps.ts';
import { build, ensureServiceImage, images, podman, removeFiles } from './containers.ts';
import { makeEmptyDatabase, makeFolder } from './engines.ts';
import { freePort } from './postgres.ts';
import { requirePrograms } from './programs.ts';
import { until } from './until.ts';

// Builds the image of the service.
vi.setConfig({ testTimeout: 1_800_000 });

const analyze = '/usr/bin/systemd-analyze';
const unit = join(import.meta.dirname, '../../deploy/connector-auth@.service');
const afterwards: (() => unknown)[] = [];
beforeAll(() => requirePrograms({ systemd: analyze }));
afterEach(async () => {
  for (const step of afterwards.splice(0).toReversed()) await step();
});

/** Returns what systemd finds wrong with a changed copy of the unit, on a machine with Node at another path. */
async function problemsOf(change: (text: string) => string = text => text): Promise<string> {
  const { folder, remove } = await makeFolder();
  afterwards.push(remove);
  const copy = join(folder, 'connector-auth@.service');
  const text = readFileSync(unit, 'utf8').replace('/usr/bin/node', process.execPath);
  writeFileSync(copy, change(text));
  return spawnSync(analyze, ['verify', copy], { encoding: 'utf8' }).stderr;
}

test('the unit is valid', async () => {
  expect(await problemsOf()).toBe('');
  expect(await problemsOf(text => text.replace('PrivateTmp=', 'PrivateTemp='))).toMatch(
    /Unknown key (name )?'PrivateTemp'/,
  );
});

test('its exposure is at most 2.0 of 10', async () => {
  const { folder, remove } = await makeFolder();
  afterwards.push(remove);
  const copy = join(folder, 'connector-auth@8787.service');
  copyFileSync(unit, copy);
  const args = ['security', '--offline=true', '--threshold=20', copy];
  expect(execFileSync(analyze, args, { encoding: 'utf8' })).toContain('Overall exposure level');
});

test('a stop has the time that it needs at most', () => {
  const text = readFileSync(unit, 'utf8');
  const [drain, limit] = [/DRAIN_SECONDS=(\d+)/, /TimeoutStopSec=(\d+)/].map(pattern =>
    Number(pattern.exec(text)?.[1]),
  );
  expect(limit).toBeGreaterThanOrEqual((drain ?? NaN) + 25);
});

test('runs under systemd as the guide says, without rights, and stops without losing anything', async () => {
  await ensureServiceImage();
  afterwards.push(removeFiles);
  const { location, remove } = await makeEmptyDatabase('postgres');
  afterwards.push(remove);
  if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL');
  const image = 'localhost/connector-auth-test-systemd';
  const { folder, remove: removeFolder } = await makeFolder();
  afterwards.push(removeFolder);
  writeFileSync(join(folder, 'Containerfile'), machine);
  await build(join(folder, 'Containerfile'), folder, image, {});
  const access = [
    '--systemd=always',
    '--privileged',
    '--network=host',
    `--volume=${root}/deploy:/source/deploy:ro`,
  ];
  const id = await podman('run', '--detach', ...access, '--workdir=/source', image);
  afterwards.push(() => podman('rm', '--force', '--time', '0', id));
  const shell = (commands: string): Promise<string> => podman('exec', id, 'bash', '-ec', commands);
  await until(() => shell('systemctl is-system-running --wait'));
  // As systemd itself does outside of containers. Without it, the service does not see its credentials.
  await shell('mount --make-rshared /');

  const guide = readFileSync(join(root, 'docs/operating/systemd.md'), 'utf8');
  const [port, other] = [await freePort(), await freePort()];
  const commands = /```sh\n(.*?)```/s
    .exec(guide)?.[1]
    ?.replace('postgres://connector_auth:…@127.0.0.1/connector_auth', location.databaseUrl)
    .replace('@8787 ', `@${port} `)
    .replace('@8788', `@${other}`);
  expect(commands).toContain(location.databaseUrl);
  await shell(commands ?? '');
  for (const each of [port, other]) {
    await until(async () => expect((await fetch(`http://127.0.0.1:${each}/readyz`)).status).toBe(200));
  }

  const unit = `connector-auth@${port}`;
  const status = await shell(`cat /proc/$(systemctl show --value --property MainPID ${unit})/status`);
  expect(status).toMatch(/^CapEff:\s0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\s1$/m);
  expect(status).toMatch(/^Seccomp:\s2$/m);
  // From the range of users that systemd makes up.
  expect(Number(/^Uid:\s(\d+)/m.exec(status)?.[1])).toBeGreaterThanOrEqual(61_184);

  await shell(`systemctl stop ${unit}`);
  expect(await shell(`systemctl show --value --property Result ${unit}`)).toBe('success');
  expect(await shell(`journalctl --unit ${unit}`)).toContain('"is_database_closed":true');
  expect((await fetch(`http://127.0.0.1:${other}/readyz`)).status).toBe(200);
});

/** A machine with systemd, Node and the service. It changes no settings of the kernel, which it shares with the tests. */
const machine = `FROM ${images.base}
RUN apt-get update && apt-get install --yes --no-install-recommends systemd dbus
RUN systemctl mask systemd-sysctl systemd-modules-load
COPY --from=${images.service} /app /app
WORKDIR /opt/connector-auth/node_modules
RUN ln -s /usr/local/bin/node /usr/bin/node && mkdir .bin @connector-auth && ln -s /app/service @connector-auth/service \\
  && chmod +x /app/service/dist/main.js && ln -s /app/service/dist/main.js .bin/connector-auth-service
CMD ["/lib/systemd/systemd"]
`;
