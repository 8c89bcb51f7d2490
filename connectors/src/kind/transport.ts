import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConnectorAuthError, isLoopback, parseVendorJson, stringifyJson } from '@connector-auth/api';
import { getGlobalDispatcher, type Dispatcher } from 'undici';
import { vendorError } from './failure.ts';
import type { VendorRequest, VendorResponse } from './vendor.ts';

/**
 * Sends one request over the network, without retries. No other code in this package accesses the network.
 */
export type Transport = (request: VendorRequest, call: TransportCall) => Promise<VendorResponse>;

export interface TransportCall {
  /** Vendor name for error messages. */
  readonly vendorName: string;
  /** Hosts to which the request can be sent. A leading `*.` matches any subdomain. */
  readonly hosts: readonly string[];
  /** Maximum wait for the complete response, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Limits the memory for the response body. */
  readonly memory?: ResponseMemory;
}

/** Memory for response bodies. Its owner decides when the memory is available again. */
export interface ResponseMemory {
  /**
   * Reserves memory for more bytes of a response. Returns undefined if it is available at once, otherwise a
   * promise that resolves when it is.
   * @throws ConnectorAuthError `rate_limited` if the wait is too long, or `aborted`.
   */
  reserve(bytes: number, signal?: AbortSignal): Promise<void> | undefined;
  /**
   * Waits before the response is parsed, so that many large responses do not block the event loop one after
   * another. Returns undefined if parsing can start at once. Throws as `reserve` does.
   */
  takeTurn(bytes: number, signal?: AbortSignal): Promise<void> | undefined;
}

export interface TransportOptions {
  /**
   * URL of the sandbox, for development and tests only. Every request is sent to `<sandboxUrl>/<vendor
   * host>/<path>?<query>` instead of the vendor. Must be a localhost URL.
   */
  readonly sandboxUrl?: string;
  readonly dispatcher?: Dispatcher;
}

const maxResponseMiB = 64;
const maxResponseBytes = maxResponseMiB * 1024 * 1024;

/**
 * The error for a request without a response. `mayHaveArrived` is false if the request was definitely never
 * sent.
 */
export class TransportError extends ConnectorAuthError {
  readonly mayHaveArrived: boolean;

  constructor(error: ConnectorAuthError, mayHaveArrived: boolean) {
    super(error.code, error.message, {
      ...(error.vendor ? { vendor: error.vendor } : {}),
      ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      cause: error.cause,
    });
    this.mayHaveArrived = mayHaveArrived;
  }
}

/**
 * Creates a transport based on undici. It does not follow redirects, and parses JSON without loss of
 * precision.
 * @throws (the transport) TransportError if there is no response: `vendor_timeout`, `vendor_failed`,
 * `vendor_response_too_large`, `rate_limited` if there is no memory for the response, or `aborted`.
 * @throws TypeError if the sandbox is not on localhost.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const { sandboxUrl = null } = options;
  if (sandboxUrl !== null && !isSandboxUrl(sandboxUrl)) throw new TypeError(`sandboxUrl ${sandboxUrlRule}`);
  const sandbox = sandboxUrl === null ? null : new URL(sandboxUrl);
  return async (request, call) => {
    const message = { ...addressOf(request, call, sandbox), method: request.method, ...payloadOf(request) };
    const exchange = new Exchange(call);
    try {
      (options.dispatcher ?? getGlobalDispatcher()).dispatch(message, exchange);
      const { status, headers, chunks, size } = await exchange.received;
      const turn = call.memory?.takeTurn(size, call.signal);
      if (turn !== undefined) await exchange.timeout.pauseFor(turn);
      const response = { status, headers: singleHeaders(headers), body: parseBody(decode(chunks)) };
      // Mapping a large response also takes long, so other work can run first.
      if (size > longParseBytes) await nextTurn();
      return response;
    } catch (cause) {
      throw transportError(cause, call, {
        timedOut: exchange.timeout.isOver,
        usesSandbox: sandbox !== null,
      });
    } finally {
      exchange.end();
    }
  };
}

export const sandboxUrlRule = 'must be a localhost URL, because the sandbox receives credentials';

/** Returns whether a text follows the {@link sandboxUrlRule}. */
export function isSandboxUrl(text: string): boolean {
  const { protocol = '', hostname = '' } = URL.parse(text) ?? {};
  return ['http:', 'https:'].includes(protocol) && isLoopback(hostname);
}

/** Returns the address of a request to the vendor; see {@link throughSandbox}. */
function addressOf(
  { url, query = {} }: VendorRequest,
  call: TransportCall,
  sandbox: URL | null,
): { origin: string; path: string } {
  const { host, origin, pathname } = requireHost(url, call);
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.append(name, String(value));
  }
  const path = params.size === 0 ? pathname : `${pathname}?${params.toString()}`;
  if (sandbox === null) return { origin, path };
  return { origin: sandbox.origin, path: `${sandbox.pathname.replace(/\/$/, '')}/${host}${path}` };
}

/** Parses a URL. @throws ConnectorAuthError `internal_error` if no request may be sent to it. */
export function requireHost(url: string, { vendorName, hosts }: TransportCall): URL {
  const parsed = new URL(url);
  const { protocol, host } = parsed;
  if (protocol === 'https:' && isAllowedHost(host, hosts)) return parsed;
  throw new ConnectorAuthError(
    'internal_error',
    `Requests to ${vendorName} must not be sent to ${protocol}//${host}`,
  );
}

/**
 * Rewrites a vendor URL to `<sandboxUrl>/<vendor host>/<path>?<query>`. Returns the URL unchanged if no
 * sandbox is configured.
 */
export function throughSandbox(url: URL, sandboxUrl: string | null): URL {
  if (sandboxUrl === null) return url;
  return new URL(`${sandboxUrl.replace(/\/$/, '')}/${url.host}${url.pathname}${url.search}`);
}

/** Returns whether a host matches a list of exact names and `*.` patterns. */
export function isAllowedHost(host: string, hosts: readonly string[]): boolean {
  return hosts.some(allowed =>
    allowed.startsWith('*.')
      ? host.endsWith(allowed.slice(1)) && host.length >= allowed.length
      : host === allowed,
  );
}

function payloadOf(request: VendorRequest): { headers: Record<string, string>; body: string | null } {
  const headers = { accept: 'application/json', 'user-agent': 'connector-auth', ...request.headers };
  if (request.form !== undefined) {
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(request.form).toString(),
    };
  }
  if (request.body !== undefined) {
    return { headers: { 'content-type': 'application/json', ...headers }, body: stringifyJson(request.body) };
  }
  return { headers, body: null };
}

function singleHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return single;
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly chunks: Buffer[];
  readonly size: number;
}

const longParseBytes = 1024 * 1024;

/**
 * One request and its response, which is received as it arrives. Stops when the response exceeds its limit, and
 * pauses while there is no memory for it. undici's `request` does the same with a stream, an iterator and a signal for
 * each response, which takes more time than everything else here.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly timeout: PausableTimeout;
  readonly #call: TransportCall;
  readonly #done = Promise.withResolvers<Received>();
  readonly #chunks: Buffer[] = [];
  readonly #cancel = (): void => this.#fail(this.#call.signal?.reason);
  #controller: Dispatcher.DispatchController | null = null;
  #failure: { readonly reason: unknown } | null = null;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #pause: Promise<void> | null = null;
  #size = 0;
  #reserved = 0;

  constructor(call: TransportCall) {
    this.#call = call;
    this.timeout = new PausableTimeout(call.timeoutMs, () => this.#fail(new Error('Timeout')));
    // The failure is thrown by the transport, unless something before it threw.
    this.#done.promise.catch(() => {});
    if (call.signal?.aborted) this.#cancel();
    else call.signal?.addEventListener('abort', this.#cancel);
  }

  get received(): Promise<Received> {
    return this.#done.promise;
  }

  /** Frees what the exchange uses. */
  end(): void {
    this.timeout.stop();
    this.#call.signal?.removeEventListener('abort', this.#cancel);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== null) controller.abort(errorOf(this.#failure.reason));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status;
    this.#headers = headers;
    this.#reserve(Number(headers['content-length'] ?? 0));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#reserve(this.#size);
  }

  onResponseEnd(): void {
    const received = { status: this.#status, headers: this.#headers, chunks: this.#chunks, size: this.#size };
    if (this.#pause === null) this.#done.resolve(received);
    else void this.#pause.then(() => this.#done.resolve(received));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #reserve(size: number): void {
    const { vendorName, memory, signal } = this.#call;
    if (size > maxResponseBytes) return this.#fail(responseTooLarge(vendorName));
    if (size <= this.#reserved) return;
    const wait = memory?.reserve(size - this.#reserved, signal);
    this.#reserved = size;
    if (wait !== undefined) this.#pause = this.#pauseFor(wait);
  }

  /** The wait for memory does not count towards the vendor’s timeout. */
  async #pauseFor(wait: Promise<void>): Promise<void> {
    this.#controller?.pause();
    try {
      await this.timeout.pauseFor(wait);
    } catch (error) {
      return this.#fail(error);
    }
    this.#controller?.resume();
  }

  #fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#done.reject(reason);
    this.#controller?.abort(errorOf(reason));
  }
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The request was cancelled', { cause: reason });
}

const utf8 = new TextDecoder();

/** Decodes UTF-8 in chunks, because a copy of all bytes would need as much memory again. */
function decode(chunks: Buffer[]): string {
  if (chunks.length === 1) return utf8.decode(chunks[0]);
  const decoder = new TextDecoder();
  let text = '';
  for (const chunk of chunks.splice(0)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

function responseTooLarge(vendorName: string): ConnectorAuthError {
  return new ConnectorAuthError(
    'vendor_response_too_large',
    `The response from ${vendorName} is larger than ${maxResponseMiB} MiB: request fewer records or a shorter period`,
    { vendor: { name: vendorName, status: null, code: null, message: null } },
  );
}

/** A timeout that can be paused. */
class PausableTimeout {
  readonly #onTimeout: () => void;
  #remainingMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(ms: number, onTimeout: () => void) {
    this.#remainingMs = ms;
    this.#onTimeout = onTimeout;
    this.#start();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async pauseFor<T>(work: Promise<T>): Promise<T> {
    this.stop();
    this.#remainingMs -= performance.now() - this.#startedAt;
    const result = await work;
    this.#start();
    return result;
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(
      () => {
        this.#isOver = true;
        this.#onTimeout();
      },
      Math.max(1, this.#remainingMs),
    ).unref();
  }
}

/**
 * Parses a response body. Returns null for an empty body and undefined for a body that is not JSON, because
 * vendors and their gateways send both. JSON that exceeds a limit counts as not JSON.
 */
function parseBody(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return parseVendorJson(text);
  } catch {
    return undefined;
  }
}

/** Error codes for connections that were never established. */
const notSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

function transportError(
  cause: unknown,
  call: TransportCall,
  { timedOut, usesSandbox }: { readonly timedOut: boolean; readonly usesSandbox: boolean },
): ConnectorAuthError {
  if (cause instanceof ConnectorAuthError) return new TransportError(cause, true);
  const name = call.vendorName;
  if (call.signal?.aborted) {
    return new TransportError(
      new ConnectorAuthError('aborted', `The request to ${name} was cancelled`, { cause }),
      true,
    );
  }
  if (timedOut) {
    const { timeoutMs } = call;
    const limit = timeoutMs < 1000 ? `${timeoutMs} ms` : `${Math.round(timeoutMs / 1000)} s`;
    const error = new ConnectorAuthError('vendor_timeout', `${name} did not respond within ${limit}`, {
      vendor: { name, status: null, code: null, message: null },
      cause,
    });
    return new TransportError(error, true);
  }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const place = usesSandbox ? ' to the sandbox: is it running, and SANDBOX_URL its URL?' : '';
  const message = notSent.has(code) ? `could not connect${place}` : 'the connection was lost';
  return new TransportError(vendorError(name, null, { kind: 'vendor', message }, cause), !notSent.has(code));
}
