import { setTimeout as delay } from 'node:timers/promises';
import { isLoopback, parseJson, stringifyJson, type Endpoint } from '@connector-auth/api';
import { z } from 'zod';
import type { Environment } from '../../config/environment.ts';
import { CommandError, exitCodes, UsageError } from '../command.ts';
import { printable } from '../terminal.ts';

export interface AdminRequest {
  readonly method: Endpoint['method'];
  /** The path without the query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
  /** Whether the request can be sent again if its outcome is unknown. */
  readonly isRetryable: boolean;
}

export interface AdminResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Calls the administration API of a running service. */
export interface AdminApi {
  /**
   * Sends a request. Retries it up to three times while the service is overloaded, if that is safe.
   * @throws CommandError with what to do, if the service rejects the request or cannot be reached.
   */
  send(request: AdminRequest): Promise<AdminResponse>;
}

const timeoutMs = 70_000;
const maxRetries = 3;
const maxRetryAfterSeconds = 30;
const transientStatuses: readonly number[] = [429, 502, 503, 504];

/**
 * Reads the service's URL and the admin key from the environment. Notes that the key is sent without encryption.
 * @throws UsageError if one of them is missing or invalid.
 */
export function readAdminApi(environment: Environment, note: (line: string) => void): AdminApi {
  const url = readUrl(environment['CONNECTOR_AUTH_URL']?.trim());
  const key = environment['CONNECTOR_AUTH_ADMIN_KEY']?.trim();
  if (key === undefined || key === '') {
    throw new UsageError(
      'Set CONNECTOR_AUTH_ADMIN_KEY to an admin key. Create one in the console, or use ADMIN_TOKEN of the service.',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      'CONNECTOR_AUTH_ADMIN_KEY contains characters that no admin key has. Copy it again.',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    note(`Warning: CONNECTOR_AUTH_URL uses http, so the admin key is sent to ${url.host} unencrypted.`);
  }
  const base = url.href.replace(/\/+$/, '');
  return { send: request => sendWithRetries(base, key, request) };
}

function readUrl(text: string | undefined): URL {
  if (text === undefined || text === '') {
    throw new UsageError("Set CONNECTOR_AUTH_URL to the service's URL, such as https://connect.example.com.");
  }
  const url = URL.parse(text);
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.search !== ''
  ) {
    throw new UsageError('CONNECTOR_AUTH_URL must be an http or https URL without user or query.');
  }
  return url;
}

async function sendWithRetries(base: string, key: string, request: AdminRequest): Promise<AdminResponse> {
  for (let retries = 0; ; retries += 1) {
    const mayRetry = request.isRetryable && retries < maxRetries;
    const response = await exchange(base, key, request).catch((error: unknown) => {
      // Nothing listens there, so a retry will not help.
      if (mayRetry && !isRefused(error)) return null;
      throw unreachable(base, error, request);
    });
    if (response !== null) {
      const wasDeleted = request.method === 'DELETE' && retries > 0 && response.status === 404;
      if (wasDeleted) return { ...response, status: 204, text: '' };
      if (response.status >= 200 && response.status < 300) return response;
      if (!mayRetry || !isTransient(response)) throw rejection(response, request);
    }
    await delay(delayAfter(response, retries));
  }
}

async function exchange(
  base: string,
  key: string,
  { method, path, query = {}, body, idempotencyKey }: AdminRequest,
): Promise<AdminResponse> {
  const search = new URLSearchParams(query).toString();
  const response = await fetch(`${base}${path}${search === '' ? '' : `?${search}`}`, {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: stringifyJson(body) }),
    // Following a redirect could send the key to another host.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function isTransient({ status, text }: AdminResponse): boolean {
  // Waiting does not make the audit log writable.
  return transientStatuses.includes(status) && readProblem(text)?.code !== 'audit_unavailable';
}

function delayAfter(response: AdminResponse | null, retries: number): number {
  const header = response?.headers.get('retry-after');
  const seconds = header === null || header === undefined ? NaN : Number(header);
  return Number.isFinite(seconds) ? Math.min(seconds, maxRetryAfterSeconds) * 1000 : 500 * 2 ** retries;
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === 'ECONNREFUSED') || isRefused(error.cause);
}

function unreachable(base: string, error: unknown, request: AdminRequest): CommandError {
  const reasons: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) reasons.push(cause.message);
  return new CommandError(
    [
      `Error: ${base} cannot be reached: ${reasons.filter(reason => reason !== '').join(': ')}`,
      'Check CONNECTOR_AUTH_URL, and that the service is running.',
      ...repeatAdvice(request, !isRefused(error)),
    ].join('\n'),
    exitCodes.unavailable,
    { cause: error },
  );
}

/** Says how to repeat a command that may have taken effect. */
function repeatAdvice({ method, idempotencyKey }: AdminRequest, mayHaveArrived: boolean): string[] {
  if (method === 'GET' || !mayHaveArrived || idempotencyKey === undefined) return [];
  return [
    `It may have taken effect. To repeat it safely, add --idempotency-key ${idempotencyKey} to the same command.`,
  ];
}

const problemSchema = z.object({
  code: z.string(),
  title: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  request_id: z.string().nullish(),
});
type Problem = z.infer<typeof problemSchema>;

function rejection(response: AdminResponse, request: AdminRequest): CommandError {
  const { status, text } = response;
  const problem = readProblem(text);
  const exitCode = transientStatuses.includes(status) ? exitCodes.unavailable : exitCodes.failed;
  if (problem === null) {
    return new CommandError(
      `Error: unexpected response with status ${status}. Check that CONNECTOR_AUTH_URL is the service's URL, including any path prefix.`,
      exitCode,
    );
  }
  const { code, title, detail, errors = [], request_id: requestId } = problem;
  const lines = [
    // The detail repeats the errors.
    `Error: ${printable(errors.length > 0 ? title : detail)} (${printable(code)})`,
    ...errors.map(({ path, message }) => `  ${printable(path === '' ? message : `${path}: ${message}`)}`),
    ...(adviceFor[code] === undefined ? [] : [adviceFor[code]]),
    ...(status >= 500 ? repeatAdvice(request, true) : []),
    ...(status === 500 && typeof requestId === 'string' ? [`Request id: ${printable(requestId)}`] : []),
  ];
  return new CommandError(lines.join('\n'), exitCode);
}

/** What the operator can do about a problem, where its message does not say it. */
const adviceFor: Readonly<Record<string, string>> = {
  token_missing: 'Check CONNECTOR_AUTH_ADMIN_KEY.',
  token_invalid: 'Check CONNECTOR_AUTH_ADMIN_KEY. It must be an admin key, not a token of an application.',
  admin_key_invalid: 'Check CONNECTOR_AUTH_ADMIN_KEY. The key may have expired or been deleted.',
  admin_access_insufficient: 'Use an admin key with write access.',
  route_not_found:
    'The URL leads to a service without this endpoint. Check CONNECTOR_AUTH_URL, and the version of the service.',
  edit_conflict: 'Run the command again to apply the change to the current version.',
  managed_by_environment: 'Take over the application first: connector-auth-service admin applications adopt.',
  last_client_secret: 'Create another secret first, or add --force.',
  last_admin_key: 'Create another key with write access first, or add --force.',
};

function readProblem(text: string): Problem | null {
  try {
    return problemSchema.safeParse(parseJson(text)).data ?? null;
  } catch {
    return null;
  }
}
