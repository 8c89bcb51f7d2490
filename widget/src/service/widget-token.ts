import { withDeadline } from './deadline.ts';
import { ServiceError } from './failure.ts';
import { httpAddress } from './http-address.ts';

/** What the token URL, or the integrator's own `getToken`, answers. */
export interface WidgetToken {
  token: string;
  /** Seconds the token lives. */
  expires_in: number;
  /** The service's base URL; may be left out when the element has a `service-url`. */
  service_url?: string | undefined;
}

/** Where widget tokens come from. Given a signal that aborts when nobody waits for the token any more. */
export type GetToken = (signal: AbortSignal) => Promise<WidgetToken>;

/** A token in use and the service it is for. */
export interface Access {
  readonly token: string;
  /** Absolute, without a trailing slash. */
  readonly serviceUrl: string;
}

/**
 * Keeps one widget token and gets the next one shortly before it expires, when it is needed: an idle widget asks for
 * nothing. Callers at the same time share one request.
 */
export interface TokenKeeper {
  /** A token that still lives for a while. Rejects with a {@link ServiceError} whose code starts with `token_`. */
  get(): Promise<Access>;
  /** Forgets a token the service refused; a newer one stays. */
  drop(token: string): void;
}

/** Milliseconds the token URL has to answer: a little less than a whole call has, so that the blame is right. */
const tokenTimeoutMs = 9_000;

/**
 * @param options.getToken asked for each new token.
 * @param options.serviceUrl the service's address where the token answer does not tell it.
 * @param options.signal ends a request in flight for good.
 */
export function keepToken(options: {
  readonly getToken: GetToken;
  readonly serviceUrl: string | null | undefined;
  readonly signal: AbortSignal;
}): TokenKeeper {
  const { getToken, serviceUrl, signal } = options;
  let access: Access | null = null;
  let freshUntil = 0;
  let pending: Promise<Access> | null = null;
  return {
    get: async () => {
      if (access && Date.now() < freshUntil) return access;
      pending ??= renew().finally(() => (pending = null));
      return pending;
    },
    drop: token => {
      if (access?.token === token) access = null;
    },
  };

  async function renew(): Promise<Access> {
    const askedAt = Date.now();
    const answer: unknown = await withDeadline(tokenTimeoutMs, signal, getToken).catch((cause: unknown) => {
      if (cause instanceof ServiceError && cause.failure.code !== 'timeout') throw cause;
      throw new ServiceError('token_unavailable', 'No widget token could be had', { cause });
    });
    // Every member is checked before it is used.
    const { token, expires_in: seconds, service_url } = (answer ?? {}) as Partial<WidgetToken>;
    if (typeof token !== 'string' || typeof seconds !== 'number') {
      throw invalid(
        'The token answer must be JSON: {"token": "…", "expires_in": 1200, "service_url": "https://…"}',
      );
    }
    const url = httpAddress(serviceUrl ?? service_url);
    if (!url)
      throw invalid('The service address is missing: answer service_url with the token, or set service-url');
    freshUntil = askedAt + (seconds - Math.min(60, seconds / 5)) * 1000;
    return (access = { token, serviceUrl: url.replace(/\/+$/, '') });
  }
}

/** A {@link GetToken} that asks the integrator's backend by POST. */
export function tokenFromUrl(tokenUrl: string, credentials: RequestCredentials): GetToken {
  return async signal => {
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers: { accept: 'application/json' },
      credentials,
      // A page with `no-referrer` would otherwise send `Origin: null`, which every helper has to refuse.
      referrerPolicy: 'strict-origin-when-cross-origin',
      signal,
    });
    const { ok, status } = response;
    if (!ok) {
      const code = status >= 500 ? 'token_unavailable' : 'token_refused';
      throw new ServiceError(code, `The token URL answered ${status}`, { status });
    }
    // Anything but an object of the right shape is told apart in keepToken.
    return (await response.json().catch(() => null)) as WidgetToken;
  };
}

function invalid(message: string): ServiceError {
  return new ServiceError('token_answer_invalid', message);
}
