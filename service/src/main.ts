#!/usr/bin/env node
import { explainOldNode } from '@connector-auth/api/node-version';
import type { Configuration } from './platform/config/configuration.ts';
import { growUnderLoad, startSmall } from './platform/v8-settings.ts';
import type { RunningService } from './service.ts';

// Everything else is imported after this check, because dependencies fail on older versions.
const oldNode = explainOldNode();
if (oldNode !== null) {
  console.error(oldNode);
  process.exit(1);
}

startSmall();
const [, , ...args] = process.argv;
const isCommand = args.length > 0 && args.join(' ') !== 'serve';
const isEmbedded = !['DATABASE_URL', 'DATABASE_URL_FILE'].some(name => process.env[name]?.trim());
const { startPgliteThread } = await import('./platform/database/pglite-thread.ts');
// Loading the embedded database takes as long as loading the service.
const pgliteThread = isEmbedded && !isCommand ? startPgliteThread() : null;
const { loadKinds } = await import('@connector-auth/connectors/load');
const loaded = await loadKinds(process.env['KINDS']);
if (isCommand) {
  const { processTerminal, runCommandLine } = await import('./cli/run.ts');
  const terminal = processTerminal();
  const code = await runCommandLine(args, {
    environment: process.env,
    terminal,
    kinds: loaded.kinds,
    kindProblems: loaded.problems,
  });
  await terminal.flushed();
  process.exit(code);
}
const { readConfiguration } = await import('./platform/config/configuration.ts');
const { ConfigurationError } = await import('./platform/config/environment.ts');
const { forbiddenModes } = await import('./platform/database/data-folder.ts');
const { createLog, redactText } = await import('./platform/log/log.ts');

const log = createLog();

process.on('uncaughtException', error => {
  log.error('service_crashed', { error });
  process.exit(1);
});

const starting = start();
let isStopping = false;
for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  process.on(signal, () => {
    // The first signal shuts the service down gracefully, the second one exits.
    if (isStopping) process.exit(code);
    isStopping = true;
    log.info('service_stopping', { signal });
    // In a terminal, Ctrl+C sends SIGINT, and no load balancer has to notice.
    const drains = signal === 'SIGTERM';
    void starting.then(service => service.close({ drains })).then(() => process.exit(0));
  });
}
await starting;
growUnderLoad();

async function start(): Promise<RunningService> {
  try {
    const configuration = configure();
    const { startService } = await import('./service.ts');
    return await startService(configuration, { log, kinds: loaded.kinds, pgliteThread });
  } catch (error) {
    const isConfiguration = error instanceof ConfigurationError;
    console.error(
      isConfiguration ? error.message : `Cannot start the service: ${redactText(explain(error))}`,
    );
    process.exit(1);
  }
}

function configure(): Configuration {
  const { configuration, warnings } = readConfiguration(
    process.env,
    loaded.kinds.map(({ environmentPrefix, appExtras }) => ({
      prefix: environmentPrefix,
      extras: appExtras ?? null,
    })),
    loaded.problems,
  );
  process.umask(forbiddenModes[configuration.dataDirAccess]);
  for (const warning of warnings) log.warn('configuration_doubtful', { warning });
  return configuration;
}

/** Formats the messages of an error and its causes for the operator, without stack traces. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n  Caused by: ${explain(error.cause)}`;
}
