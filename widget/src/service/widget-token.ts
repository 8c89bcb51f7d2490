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

/** Milliseconds the token URL has to answer: a little less than a whole call has, so that the blame is right. */
const tokenTimeoutMs = 9_000;

/**
 * Keeps one widget token and gets the next one shortly before it expires, when it is needed: an idle widget asks for
 * nothing. Callers at the same time share one request.
 */
export class TokenKeeper {
  #access: Access | null = null;
  #freshUntil = 0;
  #pending: Promise<Access> | null = null;

  /**
   * @param options.getToken asked for each new token.
   * @param options.serviceUrl the service's address where the token answer does not tell it.
   * @param options.signal ends a request in flight for good.
   */
  constructor(
    private readonly options: { getToken: GetToken; serviceUrl: string | null; signal: AbortSignal },
  ) {}

  /** A token that still lives for a while. Rejects with a {@link ServiceError} whose code starts with `token_`. */
  async get(): Promise<Access> {
    if (this.#access !== null && Date.now() < this.#freshUntil) return this.#access;
    this.#pending ??= this.#renew().finally(() => (this.#pending = null));
    return this.#pending;
  }

  /** Forgets a token the service refused; a newer one stays. */
  drop(token: string): void {
    if (this.#access?.token === token) this.#access = null;
  }

  async #renew(): Promise<Access> {
    const { getToken, serviceUrl, signal } = this.options;
    const askedAt = Date.now();
    const answer: unknown = await withDeadline(tokenTimeoutMs, signal, getToken).catch((error: unknown) => {
      if (error instanceof ServiceError && error.failure.code !== 'timeout') throw error;
      throw new ServiceError('token_unavailable', 'No widget token could be had', { cause: error });
    });
    const { token, expires_in: lifetimeSeconds, service_url } = readTokenAnswer(answer);
    this.#freshUntil = askedAt + (lifetimeSeconds - Math.min(60, lifetimeSeconds / 5)) * 1000;
    this.#access = { token, serviceUrl: absoluteServiceUrl(serviceUrl ?? service_url) };
    return this.#access;
  }
}

/** A {@link GetToken} that asks the integrator's backend by POST. */
export function tokenFromUrl(tokenUrl: string, credentials: RequestCredentials): GetToken {
  return async signal => {
    let response: Response;
    try {
      response = await fetch(tokenUrl, {
        method: 'POST',
        headers: { accept: 'application/json' },
        credentials,
        // A page with `no-referrer` would otherwise send `Origin: null`, which every helper has to refuse.
        referrerPolicy: 'strict-origin-when-cross-origin',
        signal,
      });
    } catch (error) {
      throw new ServiceError('token_unavailable', 'The token URL cannot be reached', { cause: error });
    }
    if (!response.ok) {
      throw new ServiceError(
        response.status >= 500 ? 'token_unavailable' : 'token_refused',
        `The token URL answered ${response.status}`,
        { status: response.status },
      );
    }
    // Anything but an object of the right shape is told apart in readTokenAnswer.
    return (await response.json().catch(() => null)) as WidgetToken;
  };
}

function readTokenAnswer(answer: unknown): WidgetToken {
  // Every member is checked before it is used.
  const { token, expires_in, service_url } = (answer ?? {}) as Partial<WidgetToken>;
  if (typeof token !== 'string' || typeof expires_in !== 'number') {
    throw new ServiceError(
      'token_answer_invalid',
      'The token answer must be JSON: {"token": "…", "expires_in": 1200, "service_url": "https://…"}',
    );
  }
  return { token, expires_in, service_url };
}

function absoluteServiceUrl(serviceUrl: string | undefined): string {
  const address = serviceUrl ? httpAddress(serviceUrl) : null;
  if (address !== null) return address.replace(/\/+$/, '');
  throw new ServiceError(
    'token_answer_invalid',
    'The service address is missing: answer service_url with the token, or set service-url',
  );
}
