#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';

// Loading code makes much garbage. Left to itself V8 answers with a larger young generation and keeps it: 27 MB of an idle service.
setFlagsFromString('--semi-space-growth-factor=1');
const { kinds } = await import('@connector-auth/connectors');
const { ConfigurationError, createLog, readConfiguration, redactText, startService } =
  await import('./index.ts');

/** Starts the service from the environment and ends with it. The only place that ends the process. */
const log = createLog();

process.on('uncaughtException', error => {
  log.error('service_crashed', { error });
  process.exit(1);
});

/** The service, or the wait for it; ended by the first signal. A second signal does not wait. */
const starting = start();
let isStopping = false;
for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  process.on(signal, () => {
    if (isStopping) process.exit(code);
    isStopping = true;
    log.info('service_stopping', { signal });
    void stop();
  });
}
await starting;
// V8's own setting: under load it may grow.
setFlagsFromString('--semi-space-growth-factor=2');

async function start() {
  try {
    const { configuration, warnings } = readConfiguration(
      process.env,
      kinds.map(({ environmentPrefix, appExtras }) => ({
        prefix: environmentPrefix,
        extras: appExtras ?? null,
      })),
    );
    for (const warning of warnings) log.warn('configuration_doubtful', { warning });
    return await startService(configuration, { log });
  } catch (error) {
    const isConfiguration = error instanceof ConfigurationError;
    console.error(
      isConfiguration ? error.message : `The service does not start: ${redactText(explain(error))}`,
    );
    process.exit(1);
  }
}

async function stop(): Promise<void> {
  const service = await starting;
  await service.close();
  process.exit(0);
}

/** What went wrong and what caused it, without stack traces: these are messages for the operator. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n  because: ${explain(error.cause)}`;
}
