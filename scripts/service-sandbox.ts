/**
 * Starts the sandbox and a service that uses it, and prints the variables for a backend. They and the data stay
 * the same after a restart.
 */
import { join } from 'node:path';
import { sendEventsTo } from '../demo/src/webhook.ts';
import ensureServed from './ensure-served.ts';
import { backendVariables, formatEnvironment, startSandboxService } from './sandbox-service.ts';
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
let stop = async (): Promise<void> => {};
const end = untilStopped(() => stop());

try {
  // The API works without these files; `/console` then says what to do.
  await ensureServed().catch((error: unknown) => console.error(error));
  const services = await startSandboxService(folder, message => {
    console.error(message);
    void end(1);
  });
  stop = services.close;
  await services.ready;
  const { serviceUrl: baseUrl, sandboxUrl, clientId, clientSecret } = services;
  const application = { baseUrl, clientId, clientSecret };
  const webhookSecret = await sendEventsTo(application, eventsUrl, join(folder, 'webhook-secret'));
  console.log(
    `\nSave these lines as .env of your backend:\n\n` +
      formatEnvironment({ ...backendVariables(services), WEBHOOK_SECRET: webhookSecret }) +
      `\nEvents are sent to ${eventsUrl}, signed with WEBHOOK_SECRET.` +
      `\nCredentials of the simulated vendors: ${sandboxUrl}\nCtrl-C ends both.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}
