import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient } from '@connector-auth/api/client';
import type { Kind } from '@connector-auth/connectors/kind';
import { loadKind } from '../find-kind.ts';
import { readRecording } from '../recording.ts';
import { startPage } from './page.ts';
import { showCalls } from './shown-kind.ts';

export interface ServeOptions {
  readonly source: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly recordingFile: string | null;
  readonly port: number;
  readonly print: (line: string) => void;
}

/** Runs the service, with the source only, until the process receives a signal. */
export async function serve(options: ServeOptions): Promise<number> {
  const { source, directory, environment, recordingFile, port, print } = options;
  const kind = await loadKind(source, directory);
  const recording = recordingFile === null ? null : await readRecording(resolve(directory, recordingFile));
  const { createLog, findBuiltWidget, readConfiguration, startService } = await importService();
  const folder = join(directory, '.dev');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const application = { clientId: 'dev', clientSecret: secretIn(join(folder, 'client-secret')) };
  const adminToken = secretIn(join(folder, 'admin-token'));
  const oauthApps = Object.entries(environment).filter(([name]) =>
    name.startsWith(`${kind.environmentPrefix}_`),
  );
  const { configuration } = readConfiguration(
    {
      ...Object.fromEntries(oauthApps),
      ...(environment['SANDBOX_URL'] ? { SANDBOX_URL: environment['SANDBOX_URL'] } : {}),
      PORT: String(port + 1),
      DATA_DIR: join(folder, 'data'),
      ADMIN_TOKEN: adminToken,
      BOOTSTRAP_ORGANIZATION: 'My product',
      BOOTSTRAP_CLIENT_ID: application.clientId,
      BOOTSTRAP_CLIENT_SECRET: application.clientSecret,
    },
    [{ prefix: kind.environmentPrefix, extras: kind.appExtras ?? null }],
  );
  const service = await startService(configuration, {
    log: createLog({ level: 'warn' }),
    kinds: [showCalls(kind, recording, print)],
  });
  const client = createClient({ baseUrl: service.url, ...application });
  const page = await startPage({
    client,
    kind,
    serviceUrl: service.url,
    widgetFolder: findBuiltWidget(),
    port,
  });
  print(
    `\n  Connect and search ${kind.name}:  http://localhost:${port}\n` +
      `  Documentation:  ${service.url}/docs/kinds/${kind.key}\n` +
      `  Console:  ${service.url}/console  (admin token: ${join(folder, 'admin-token')})\n` +
      `  ${describeReceiver(kind, environment['SANDBOX_URL'], recordingFile)}\n`,
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  page.close();
  page.closeAllConnections();
  await service.close();
  return 0;
}

/** Says where requests go. */
export function describeReceiver(
  { hosts }: Kind,
  sandboxUrl: string | undefined,
  recordingFile: string | null,
): string {
  if (recordingFile !== null)
    return `${recordingFile} answers instead of the vendor. Any credentials are accepted.`;
  const receiver = sandboxUrl ? `${sandboxUrl} (SANDBOX_URL) instead of ` : '';
  return `Requests go to ${receiver}${hosts.join(', ')}. To play a recording instead, add --play recordings/….json`;
}

/** The service is a peer dependency, because the other commands do not need its database. */
async function importService() {
  try {
    return await import('@connector-auth/service');
  } catch (error) {
    throw new Error('Install @connector-auth/service to run this command', { cause: error });
  }
}

function secretIn(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
