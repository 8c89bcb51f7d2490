import type { Problem } from '@connector-auth/api';
import { withDeadline } from './deadline.ts';
import { ServiceError } from './failure.ts';
import type { Access, TokenKeeper } from './widget-token.ts';

/** One request to the service. */
export interface Request {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`. */
  readonly path: `/${string}`;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** {@link answerTimeoutMs} if left out. */
  readonly timeoutMs?: number;
  /** Sent even if the page is just being left. */
  readonly keepalive?: boolean;
}

/** The service, as the customer of the token sees it. */
export interface Service {
  /** Resolves with the JSON answer; rejects with a `ServiceError`, or with the signal's reason once aborted. */
  readonly call: <Answer>(request: Request, signal: AbortSignal) => Promise<Answer>;
  /** The service's base URL, without a trailing slash. */
  readonly getUrl: () => Promise<string>;
}

/** Milliseconds from asking to an answer or an error, the token's renewal included. */
export const answerTimeoutMs = 10_000;
/** Where the service asks a vendor before it answers: longer than its own patience with the vendor. */
export const vendorTimeoutMs = 45_000;

/** The service behind the tokens of `keeper`. */
export function connectService(keeper: TokenKeeper): Service {
  return {
    getUrl: async () => (await keeper.get()).serviceUrl,
    call: <Answer>(request: Request, signal: AbortSignal) =>
      withDeadline(request.timeoutMs ?? answerTimeoutMs, signal, async signal => {
        let access = await keeper.get();
        let response = await send(request, access, signal);
        if (response.status === 401) {
          // Once more with a new token, if the service no longer takes the present one.
          keeper.drop(access.token);
          access = await keeper.get();
          response = await send(request, access, signal);
        }
        // Undefined when it is not JSON.
        const answer = (await response.json().catch(() => {})) as unknown;
        if (!response.ok) throw refusal(response, answer);
        if (response.status !== 204 && (typeof answer !== 'object' || !answer)) throw unexpected(response);
        // The service is ours and versioned with the contract; what a list must have is checked where it is used.
        return answer as Answer;
      }),
  };
}

/** A list of an answer, or an error where there is none. */
export function expectList<T>(list: readonly T[] | undefined): readonly T[] {
  if (Array.isArray(list)) return list;
  throw new ServiceError('unexpected_answer', 'The service answered JSON of another shape');
}

async function send(
  { method = 'GET', path, body, headers, keepalive = false }: Request,
  { token, serviceUrl }: Access,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(`${serviceUrl}/api/v1${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : null),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
      credentials: 'omit',
      referrerPolicy: 'strict-origin-when-cross-origin',
      keepalive,
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new ServiceError('unreachable', 'The service cannot be reached', { cause });
  }
}

function refusal(response: Response, body: unknown): ServiceError {
  // Each member is checked before it is used: a proxy in between may answer in our place.
  const { code, detail, title, request_id, errors } = (body ?? {}) as Partial<Problem>;
  if (typeof code !== 'string') return unexpected(response);
  return new ServiceError(code, String(detail ?? title), {
    status: response.status,
    requestId: request_id ?? null,
    issues: Array.isArray(errors) ? errors : [],
  });
}

function unexpected({ status, headers }: Response): ServiceError {
  // A gateway's own 502 to 504 means the same as no answer.
  const code = status >= 502 && status <= 504 ? 'unreachable' : 'unexpected_answer';
  const requestId = headers.get('x-request-id');
  return new ServiceError(code, `Not the service's answer (status ${status})`, { status, requestId });
}
