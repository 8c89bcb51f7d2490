import { ConnectorAuthError, stringifyJson, toProblem } from '@connector-auth/api';
import type { PageResponse } from './page.ts';

/** An error that the helper does not expect, e.g. in a function of the integrator's options. `cause` can be any value. */
export class UnexpectedError extends ConnectorAuthError {
  constructor(message: string, cause: unknown) {
    super('internal_error', message, { cause });
  }
}

/** Calls one of the integrator's functions. */
export async function callApp<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw new UnexpectedError(
      'A function in the options of connectorAuth() threw an error. See the log of your server',
      error,
    );
  }
}

/** Calls a hook without waiting for it. An error in it does not change the response. */
export function runHook(hook: () => unknown): void {
  const run = async () => hook();
  run().catch(logError);
}

/** Logs what the integrator's functions threw, and what the operator of this backend has to act on. */
export function logProblem(problem: ConnectorAuthError): void {
  if (problem instanceof UnexpectedError) logError(problem.cause);
  else if (problem.status >= 500) logError(`connectorAuth(): ${problem.message} (${problem.code})`);
}

function logError(error: unknown): void {
  // oxlint-disable-next-line no-console -- The helper has no logger of its own.
  console.error(error);
}

export function invalidField(path: string, message: string): ConnectorAuthError {
  return ConnectorAuthError.invalid('malformed_request', [{ path, message }]);
}

/** Returns the error to respond with. */
export function toPageError(error: unknown): ConnectorAuthError {
  if (!(error instanceof ConnectorAuthError)) {
    return new UnexpectedError('connectorAuth() failed: see the log of your server', error);
  }
  const message = misconfigurationBehind(error);
  if (message === null) return error;
  const { requestId } = error;
  return new ConnectorAuthError('backend_misconfigured', message, {
    cause: error,
    ...(requestId === null ? {} : { requestId }),
  });
}

/** Returns which of the integrator's options the service rejected, or null if the page's request is at fault. */
function misconfigurationBehind({ status, code, errors, message }: ConnectorAuthError): string | null {
  // A 401 of the service concerns the backend's client credentials, not the user. A page that received it would keep
  // redirecting the user to sign in.
  if (status === 401 && code !== 'not_signed_in') {
    return 'The service rejected the client credentials. Check the clientId and clientSecret passed to connectorAuth()';
  }
  // No user can repair the integrator's options.
  return errors.some(({ path }) => path.split('.')[0] === 'replication_defaults')
    ? `The service rejected the replicationDefaults passed to connectorAuth(): ${message}`
    : null;
}

/** Returns the `application/problem+json` response for an error. */
export function problemResponse(problem: ConnectorAuthError): PageResponse {
  const details = toProblem(problem, problem.requestId);
  const headers = { 'content-type': 'application/problem+json', ...headersOfError(problem) };
  return { status: details.status, headers, body: stringifyJson(details), problem };
}

/** Returns the headers that any response to an error has. */
export function headersOfError(problem: ConnectorAuthError): Record<string, string> {
  return {
    ...(problem.retryAfterSeconds === null ? {} : { 'retry-after': String(problem.retryAfterSeconds) }),
    ...(problem.requestId === null ? {} : { 'x-request-id': problem.requestId }),
  };
}
