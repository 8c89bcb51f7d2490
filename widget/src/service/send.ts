import { parseProblem } from '@connector-auth/api/error-response';
import { ServiceError, type Failure, type FailureCode } from './failure.ts';

/** What a request is sent to, for the error if there is no response. */
export interface Recipient {
  readonly code: FailureCode;
  /** Its name and URL. The same for all its paths, so that an outage is logged once. */
  readonly name: string;
  /** The setting with the URL. */
  readonly setting: string;
  /** The setting with which its server allows this page, if there is one. */
  readonly corsSetting?: string;
}

/** Sends a request. Rejects with a {@link ServiceError} that says what to check if there is no response. */
export async function send(
  url: string,
  init: RequestInit & { readonly signal: AbortSignal },
  { code, name, setting, corsSetting = '' }: Recipient,
): Promise<Response> {
  try {
    return await fetch(url, { referrerPolicy: 'strict-origin-when-cross-origin', ...init });
  } catch (cause) {
    init.signal.throwIfAborted();
    // Browsers do not say which of these it was.
    const { origin, protocol } = new URL(url, document.baseURI);
    const cors = origin === location.origin ? '' : ` and allows ${location.origin} (CORS${corsSetting})`;
    const mixed =
      location.protocol === 'https:' && protocol === 'http:' ? '. An https page cannot call http' : '';
    throw new ServiceError(
      code,
      `Cannot reach ${name}: check ${setting}, also http or https; that its server runs${cors}; and connect-src of this page’s Content-Security-Policy${mixed}`,
      { cause },
    );
  }
}

/** Returns the URL without its query, which can contain secrets. */
export function addressOf(url: string): string {
  const { origin, pathname } = new URL(url, document.baseURI);
  return origin + pathname;
}

/** Returns the error that the body of a response describes, or null if the body is not a problem. */
export function readProblem(
  { status, headers }: Response,
  body: unknown,
  more?: Partial<Failure>,
): ServiceError | null {
  const problem = parseProblem(body);
  if (!problem) return null;
  return new ServiceError(problem.code, problem.message, {
    status,
    retryAt: timeAfter(headers.get('retry-after')),
    ...problem,
    ...more,
  });
}

/** Returns the time that is a number of seconds from now, or null if the text is not a number. */
function timeAfter(seconds: string | null): string | null {
  const ms = Number(seconds) * 1000;
  return ms ? new Date(Date.now() + ms).toISOString() : null;
}
