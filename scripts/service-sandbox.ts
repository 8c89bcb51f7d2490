/**
 * Starts the sandbox and a service that uses it, and prints the variables for a backend. They and the data stay
 * the same after a restart.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendEventsTo } from '../demo/src/webhook.ts';
import ensureServed from './ensure-served.ts';
import {
  clientId,
  formatEnvironment,
  preferredPorts,
  startSandbox,
  startService,
} from './sandbox-service.ts';
import { root } from './steps.ts';
import { untilStopped } from './until-stopped.ts';

/** Where the examples and the server helper's documentation mount its routes. */
const defaultEventsUrl = 'http://localhost:3000/connector-auth/events';

if (process.argv.length > 2) {
  console.error(
    'Usage: npx -y pnpm@12 service:sandbox\nSERVICE_PORT and SANDBOX_PORT select other ports than 8787 and 8788,\n' +
      `and EVENTS_URL another URL for events than ${defaultEventsUrl}.`,
  );
  process.exit(1);
}

const eventsUrl = process.env['EVENTS_URL'] || defaultEventsUrl;
const folder = join(root, '.cache/service-sandbox');
const closing: (() => Promise<void>)[] = [];
const end = untilStopped(async () => {
  for (const close of closing.toReversed()) await close();
});
const options = {
  log: (line: string) => console.log(line),
  onUnexpectedExit: (message: string) => {
    console.error(message);
    void end(1);
  },
};

try {
  // The API works without these files; `/console` then says what to do.
  await ensureServed().catch((error: unknown) => console.error(error));
  const sandbox = await startSandbox({ ...options, port: preferredPorts.sandbox });
  closing.push(() => sandbox.close());
  const clientSecret = readOrCreateClientSecret();
  const service = await startService({
    ...options,
    port: preferredPorts.service,
    sandboxUrl: sandbox.url,
    dataDir: join(folder, 'data'),
    clientSecret,
  });
  closing.push(() => service.close());
  const webhookSecret = await sendEventsTo(
    { baseUrl: service.url, clientId, clientSecret },
    eventsUrl,
    join(folder, 'webhook-secret'),
  );
  console.log(
    `\nSave these lines as .env of your backend:\n\n` +
      formatEnvironment({
        SERVICE_URL: service.url,
        CLIENT_ID: clientId,
        CLIENT_SECRET: clientSecret,
        WEBHOOK_SECRET: webhookSecret,
      }) +
      `\nEvents are sent to ${eventsUrl}, signed with WEBHOOK_SECRET.` +
      `\nCredentials of the simulated vendors: ${sandbox.url}\nCtrl-C ends both.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}

function readOrCreateClientSecret(): string {
  const path = join(folder, 'client-secret');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(path, 'utf8');
}
