#!/usr/bin/env node
import { kinds } from '@connector-auth/connectors';
import { ConfigurationError, createLog, readConfiguration, startService } from './index.ts';
import { redactText } from './log.ts';

/** Starts the service from the environment and ends with it. The only place that ends the process. */
const log = createLog();

process.on('uncaughtException', error => {
  log.error('service_crashed', { error });
  process.exit(1);
});

/** The service, or the wait for it; ended by the first signal. A second signal does not wait. */
const starting = start();
for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  process.once(signal, () => {
    log.info('service_stopping', { signal });
    process.on('SIGTERM', () => process.exit(code));
    process.on('SIGINT', () => process.exit(code));
    void stop();
  });
}
await starting;

async function start() {
  try {
    const { configuration, warnings } = readConfiguration(
      process.env,
      kinds.map(({ environmentPrefix, appExtras }) => ({
        prefix: environmentPrefix,
        extras: Object.keys(appExtras?.shape ?? {}).map(name => name.toUpperCase()),
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
