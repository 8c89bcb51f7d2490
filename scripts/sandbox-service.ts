/** What the scripts share that start the sandbox and a service for a backend on this machine. */
import { join } from 'node:path';
import { choosePort, startServices, type Services } from '../demo/src/stack.ts';

/**
 * Starts the sandbox and a service that uses it, with an application for a backend. If a preferred port is in use, the
 * console says which one is used instead.
 * @param folder for the data and the secret of the application.
 * @param onUnexpectedExit called once if a process exits unexpectedly.
 * @param preferred 0 selects any free port.
 */
export async function startSandboxService(
  folder: string,
  onUnexpectedExit: (message: string) => void,
  preferred = { sandbox: portFrom('SANDBOX_PORT', 8788), service: portFrom('SERVICE_PORT', 8787) },
): Promise<Services> {
  const log = (line: string): void => console.log(line);
  return startServices({
    ports: {
      sandbox: await choosePort('sandbox', preferred.sandbox, log),
      service: await choosePort('service', preferred.service, log),
    },
    organization: 'My product',
    clientId: 'my-backend',
    dataDir: join(folder, 'data'),
    secretPath: join(folder, 'client-secret'),
    onUnexpectedExit,
  });
}

function portFrom(variable: string, byDefault: number): number {
  const text = process.env[variable];
  if (text === undefined || text === '') return byDefault;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Error(`${variable} must be a port from 1 to 65535, but it is "${text}".`);
}

/** Returns the variables with which a backend uses the service. */
export function backendVariables({ serviceUrl, clientId, clientSecret }: Services) {
  return { SERVICE_URL: serviceUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
}

/** Returns the lines of an `.env` file. */
export function formatEnvironment(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
