/** How commands call the administration API of a running service. */
import { text } from 'node:stream/consumers';
import { ConnectorAuthError, isLoopback, parseJson } from '@connector-auth/api';
import { createCustomerClient, type Send } from '@connector-auth/api/client';
import { parseProblem } from '@connector-auth/api/error-response';
import { z } from 'zod';
import type { Environment } from '../platform/config/environment.ts';
import { alignPairs } from './arguments.ts';
import { CommandError, exitCodes, UsageError } from './command.ts';
import { printable, type Terminal } from './terminal.ts';

/** The part of a command's help about the variables that {@link connect} reads. */
export const environmentNotes = `Environment:\n${alignPairs([
  ['CONNECTOR_AUTH_URL', "The service's URL, such as https://connect.example.com"],
  ['CONNECTOR_AUTH_ADMIN_KEY', 'An admin key'],
])}`;

/** Connects to the service with the URL and the admin key in the environment. */
export function connect(environment: Environment, terminal: Terminal): Send {
  const url = environment['CONNECTOR_AUTH_URL']?.trim() ?? '';
  const key = environment['CONNECTOR_AUTH_ADMIN_KEY']?.trim() ?? '';
  if (key === '') {
    throw new UsageError(
      'Set CONNECTOR_AUTH_ADMIN_KEY to an admin key. Create one in the console, or use ADMIN_TOKEN of the service.',
    );
  }
  if (url === '') throw new UsageError("Set CONNECTOR_AUTH_URL to the service's URL.");
  try {
    const { send } = createCustomerClient({ baseUrl: url, token: key });
    const { protocol, hostname, host } = new URL(url);
    if (protocol === 'http:' && !isLoopback(hostname)) {
      terminal.note(
        `Warning: CONNECTOR_AUTH_URL uses http, so the admin key is sent to ${host} unencrypted.`,
      );
    }
    return send;
  } catch {
    throw new UsageError(
      "CONNECTOR_AUTH_URL must be the service's http or https URL without user or query, and CONNECTOR_AUTH_ADMIN_KEY an admin key.",
    );
  }
}

/** Sends a request and reads its response. Throws a CommandError that says what to do if it failed. */
export async function receive(send: Send, request: Parameters<Send>[0], options?: Parameters<Send>[1]) {
  try {
    const { status, headers, body } = await send(request, options);
    const response = { headers, text: await text(body) };
    if (status >= 200 && status < 300) return response;
    const problem = parseProblem(jsonOrNull(response.text));
    throw problem === null
      ? unexpectedResponse(status)
      : explain({ ...problem, errors: problem.issues, status }, request);
  } catch (error) {
    if (!(error instanceof ConnectorAuthError)) throw error;
    throw explain(error, request);
  }
}

/** What an error of the client and a problem of the service have in common. */
type Failure = Pick<ConnectorAuthError, 'code' | 'status' | 'message' | 'errors' | 'requestId'>;

function explain(
  { code, status, message, errors, requestId }: Failure,
  { method, headers }: Parameters<Send>[0],
): CommandError {
  const isUnavailable = status === 429 || status > 501;
  const key = headers?.['idempotency-key'];
  const lines = [
    `Error: ${printable(errors.length > 0 ? 'The request is invalid' : message)} (${printable(code)})`,
    ...errors.map(
      ({ path, message: reason }) => `  ${printable(path === '' ? reason : `${path}: ${reason}`)}`,
    ),
    ...(adviceFor[code] === undefined ? [] : [adviceFor[code]]),
    ...(method !== 'GET' && status >= 500 && key !== undefined
      ? [`It may have taken effect. To repeat it safely, add --idempotency-key ${key} to the same command.`]
      : []),
    ...(status === 500 && typeof requestId === 'string' ? [`Request id: ${printable(requestId)}`] : []),
  ];
  return new CommandError(lines.join('\n'), isUnavailable ? exitCodes.unavailable : exitCodes.failed);
}

/** What the operator can do about a problem, where its message does not say it. */
const adviceFor: Readonly<Record<string, string>> = {
  unreachable: 'Check CONNECTOR_AUTH_URL, and that the service is running.',
  token_invalid: 'Check CONNECTOR_AUTH_ADMIN_KEY. It must be an admin key, not a token of an application.',
  admin_key_invalid: 'Check CONNECTOR_AUTH_ADMIN_KEY. The key may have expired or been deleted.',
  admin_access_insufficient: 'Use an admin key with write access.',
  route_not_found: 'Check CONNECTOR_AUTH_URL, and the version of the service.',
  edit_conflict: 'Run the command again to apply the change to the current version.',
  managed_by_environment: 'Take over the application first with adoptApplication.',
  last_client_secret: 'Create another secret first, or add --force.',
  last_admin_key: 'Create another key with write access first, or add --force.',
};

export const anyObject = z.record(z.string(), z.unknown());

/** Parses the JSON object of a response. */
export function readObject(body: string): Record<string, unknown> {
  const object = anyObject.safeParse(jsonOrNull(body));
  if (object.success) return object.data;
  throw new CommandError(
    "Error: the response is not from the service. Check that CONNECTOR_AUTH_URL is the service's URL.",
  );
}

function unexpectedResponse(status: number): CommandError {
  return new CommandError(
    `Error: unexpected response with status ${status}. Check that CONNECTOR_AUTH_URL is the service's URL, including any path prefix.`,
    status === 429 || status > 501 ? exitCodes.unavailable : exitCodes.failed,
  );
}

function jsonOrNull(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return null;
  }
}
