/**
 * Measures how long the service as it is installed from packed files takes until it is ready, and its memory five
 * seconds later, beside an Express app that imports the same libraries and a process that only opens PGlite. The first
 * start of each database is listed by itself, because it creates the tables.
 *
 * Usage: npx -y pnpm@12 bench start [--quick] [--rounds=9] [--before=folder]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type * as pack from '../../scripts/pack.ts';
import { roles } from '../../scripts/roles.ts';
import type { Environment } from '../src/platform/config/environment.ts';
import { application, environmentOf, inherited } from '../test/service-process.ts';
import {
  addSamples,
  atEnd,
  checkouts,
  createDatabase,
  inTurns,
  median,
  options,
  quantile,
  reportGoal,
  rounded,
  run,
} from './harness.ts';

const rounds = Number(options.rounds ?? (options.quick ? 2 : 9));
const idleMs = options.quick ? 500 : 5_000;
const maxStartRatio = 2.5;
const maxMemoryMb = 120;
const maxMemoryRatio = 1.2;

/** What the service loads at its start. */
const libraries = 'jose kysely lru-cache pg pino prom-client tldts undici zod'.split(' ');
/** The programs to compare with, which run where the service is installed. */
const floors = {
  'express.js': `
    ${libraries.map(name => `import '${name}';`).join(' ')}
    import express from 'express';
    express().listen(0, '127.0.0.1', () => console.log('service_ready'));`,
  'pglite.js': `
    import { PGlite } from '@electric-sql/pglite';
    import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
    import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
    await PGlite.create(process.argv[2], { extensions: { btree_gin, pg_trgm } });
    console.log('service_ready');
    setInterval(() => {}, 60_000);`,
};

interface Subject {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly environment: Environment;
  /** The subject to compare with. */
  readonly floor?: string;
}

await run(async () => {
  const subjects: Subject[] = [];
  for (const { suffix, folder } of checkouts) {
    const installed = await install(folder);
    const entry = join(installed, 'node_modules/@connector-auth/service/dist/main.js');
    for (const [engine, floor] of [
      ['postgres', 'Express'],
      ['pglite', 'PGlite alone'],
    ] as const) {
      const location = await createDatabase(engine);
      const environment = { ...environmentOf(location), ...application, PORT: '0', DRAIN_SECONDS: '0' };
      const service = { name: `service, ${engine}${suffix}`, arguments: [entry], environment, floor };
      const first = await start(service);
      console.log(`${service.name}, first start: ${Math.round(first.ms)} ms`);
      const data = 'dataDir' in location ? [join(location.dataDir, 'pglite')] : [];
      const script = join(installed, engine === 'pglite' ? 'pglite.js' : 'express.js');
      if (suffix === '') subjects.push({ name: floor, arguments: [script, ...data], environment: {} });
      subjects.push(service);
    }
  }
  const turns = await inTurns(subjects, rounds, start);
  const ofSubject = (name: string, pick: (turn: Turn) => number): number[] =>
    subjects
      .filter(subject => subject.name === name)
      .flatMap(each => turns.get(each) ?? [])
      .map(pick);
  const ratioOf = ({ name, floor = name }: Subject, pick: (turn: Turn) => number): number => {
    const floors = ofSubject(floor, pick);
    return rounded(median(ofSubject(name, pick).map((value, round) => value / (floors[round] ?? NaN))));
  };
  const rows = subjects.map(subject => {
    const ms = ofSubject(subject.name, turn => turn.ms);
    return {
      subject: subject.name,
      'ready after, ms': Math.round(median(ms)),
      'from, ms': Math.round(quantile(ms, 0)),
      'to, ms': Math.round(Math.max(...ms)),
      '× floor': ratioOf(subject, turn => turn.ms),
      MB: Math.round(median(ofSubject(subject.name, turn => turn.mb))),
      '× memory': ratioOf(subject, turn => turn.mb),
    };
  });
  console.table(rows);
  const samples = (what: string, pick: (turn: Turn) => number): void =>
    addSamples(what, Object.fromEntries(subjects.map(({ name }) => [name, ofSubject(name, pick)])));
  samples('time from the start until it is ready, in ms', turn => turn.ms);
  samples('memory after five seconds of rest, in MB', turn => turn.mb);
  for (const { subject, ...row } of rows.filter(({ subject }) => /^service, \w+$/.test(subject))) {
    reportGoal(
      `${subject}: start`,
      `${maxStartRatio} ×`,
      `${row['× floor']} ×`,
      row['× floor'] <= maxStartRatio,
    );
    if (subject === 'service, postgres')
      reportGoal(`${subject}: memory`, `${maxMemoryMb} MB`, `${row.MB} MB`, row.MB <= maxMemoryMb);
    else
      reportGoal(
        `${subject}: memory`,
        `${maxMemoryRatio} ×`,
        `${row['× memory']} ×`,
        row['× memory'] <= maxMemoryRatio,
      );
  }
});

interface Turn {
  readonly ms: number;
  readonly mb: number;
}

/** Starts a process, measures it, and stops it. */
async function start({ arguments: args, environment }: Subject): Promise<Turn> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: inherited.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const ms = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${args.join(' ')} exited before it was ready`)));
    child.stdout.on('data', (text: Buffer) => {
      if (text.includes('service_ready')) resolve(performance.now() - startedAt);
    });
  });
  await delay(idleMs);
  const mb = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024;
  child.kill();
  await ended;
  return { ms, mb };
}

/** Packs the packages of a checkout, and installs them with npm. Returns the folder. */
async function install(checkout: string): Promise<string> {
  // The module of that checkout.
  const { packTarballs } = (await import(join(checkout, 'scripts/pack.ts'))) as typeof pack;
  const packed = await packTarballs();
  const folder = await mkdtemp(join(tmpdir(), 'connector-auth-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const tarballs = ['service', 'connectors', 'api'].map(
    name => packed.get(`@connector-auth/${name}`)?.path ?? name,
  );
  const args = ['install', '--no-audit', '--no-fund', '--silent', ...tarballs, ...roles.trial.others];
  execFileSync('npm', args, { cwd: folder });
  for (const [name, text] of Object.entries(floors)) writeFileSync(join(folder, name), text);
  return folder;
}
