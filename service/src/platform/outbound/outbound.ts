import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '@connector-auth/api';
import { Agent, buildConnector, ProxyAgent, request, type Dispatcher } from 'undici';
import { createAddressCheck, type AddressRules } from './public-address.ts';

export interface OutboundOptions extends AddressRules {
  /** The only hosts that requests go to; `*.example.com` allows one more label. Null allows all hosts. */
  readonly allowedHosts: readonly string[] | null;
  /** The forward proxy that all requests go through. It then decides which addresses can be reached. */
  readonly proxyUrl: string | null;
  /** Resolves host names. Default: the operating system. */
  readonly lookup?: LookupFunction;
}

/** Sends requests to URLs that outsiders choose. */
export interface Outbound {
  /**
   * Returns why the service does not send requests to a URL, or null if it does. Host names are resolved only when a
   * request is sent.
   */
  explainRejection(url: string): string | null;
  /**
   * Posts a body. Does not follow redirects, and reads only the beginning of the response.
   * @throws Error whose message says why there is no response, and names no address.
   */
  post(
    url: string,
    message: { readonly headers: Headers; readonly body: string },
    limits: OutboundLimits,
  ): Promise<OutboundResponse>;
  /** Reads a document, as `post` does. */
  get(url: string, headers: Headers, limits: OutboundLimits): Promise<OutboundResponse>;
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

export interface OutboundLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly cacheControl: string | undefined;
  readonly contentType: string | undefined;
  /** The beginning of the body. */
  readonly text: string;
}

/** The address to which a host name resolves is not allowed. */
class AddressRejected extends Error {
  override readonly name = 'AddressRejected';
}

const addressRule =
  'The host is, or resolves to, an address that is not public. Operators can allow it with OUTBOUND_ALLOWED_NETWORKS';

/**
 * Creates the only way for the service to send requests to URLs that outsiders choose. Each address is checked when a
 * connection to it is opened, so a host name cannot resolve to another address afterwards.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const isAllowed = createAddressCheck(options);
  const dispatcher = createDispatcher(options, isAllowed);
  const explainRejection = (text: string): string | null => {
    const url = URL.parse(text);
    if (url === null) return 'Must be a URL';
    if (url.username !== '' || url.password !== '') return 'Must not contain a user or a password';
    const isOfThisMachine = isLoopback(url.hostname);
    if (
      url.protocol !== 'https:' &&
      !(url.protocol === 'http:' && isOfThisMachine && options.allowsLoopback)
    ) {
      return 'Must be an https URL; http is only for a host on this machine, and only if PUBLIC_URL is one, too';
    }
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const { allowedHosts } = options;
    if (
      allowedHosts !== null &&
      ![host, host.replace(/^[^.]+/, '*')].some(each => allowedHosts.includes(each))
    ) {
      return 'The host is not one of those that operators allow with OUTBOUND_ALLOWED_HOSTS';
    }
    return isIP(host) === 0 || isAllowed(host) ? null : addressRule;
  };
  const send = async (
    url: string,
    options: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>,
    { timeoutMs, maxBytes, signal }: OutboundLimits,
  ): Promise<OutboundResponse> => {
    const rejection = explainRejection(url);
    if (rejection !== null) throw new Error(rejection);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await request(url, {
        ...options,
        dispatcher,
        signal: AbortSignal.any([signal, timeout]),
      });
      const text = await readBeginning(response.body, maxBytes);
      const {
        'retry-after': retryAfter,
        'cache-control': cacheControl,
        'content-type': contentType,
      } = response.headers;
      return {
        status: response.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        cacheControl: typeof cacheControl === 'string' ? cacheControl : undefined,
        contentType: typeof contentType === 'string' ? contentType : undefined,
        text,
      };
    } catch (error) {
      if (timeout.aborted) throw new Error(`No response within ${timeoutMs / 1000} s`, { cause: error });
      throw new Error(messageOf(error), { cause: error });
    }
  };
  return {
    explainRejection,
    post: (url, message, limits) => send(url, { method: 'POST', ...message }, limits),
    get: (url, headers, limits) => send(url, { method: 'GET', headers }, limits),
    close: () => dispatcher.destroy(),
  };
}

type Check = (address: string) => boolean;

/** Larger headers fail the request. */
const maxHeaderSize = 16 * 1024;

function createDispatcher({ proxyUrl, lookup: resolve }: OutboundOptions, isAllowed: Check): Dispatcher {
  if (proxyUrl !== null) return new ProxyAgent({ uri: proxyUrl, maxHeaderSize });
  const connect = buildConnector({ lookup: checkedLookup(isAllowed, resolve ?? lookup) });
  return new Agent({
    maxHeaderSize,
    // Connections are opened without a lookup if the host is an address.
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) === 0 || isAllowed(host)) return connect(options, callback);
      callback(new AddressRejected(addressRule), null);
    },
  });
}

/** Resolves a host name, and fails if any of its addresses is not allowed. */
function checkedLookup(isAllowed: Check, resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      if (error === null && !addresses.every(isAllowed)) {
        return callback(new AddressRejected(addressRule), [], 0);
      }
      callback(error, found, family);
    });
  };
}

async function readBeginning(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      // The body is read as bytes.
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      // Leaving the loop closes the connection.
      if (length >= maxBytes) break;
    }
  } catch {
    // The status has arrived, which is what counts.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}

/** Returns why a request failed. Messages of the operating system contain the address, which can be internal. */
function messageOf(error: unknown): string {
  if (error instanceof AddressRejected) return error.message;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  if (cause instanceof AddressRejected) return cause.message;
  return typeof code === 'string' ? `The request failed: ${code}` : 'The request failed';
}
