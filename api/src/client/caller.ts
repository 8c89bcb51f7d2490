import { z } from 'zod';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpoints, type EndpointName } from '../contract/endpoints.ts';
import { idempotencyKey } from '../contract/names.ts';
import { validate } from '../issues.ts';
import { ConnectorAuthError } from '../problem.ts';
import { startDeadline } from './deadline.ts';
import {
  isRetryable,
  readResponse,
  writeRequest,
  type EndpointInput,
  type EndpointResponse,
  type TextResponse,
} from './messages.ts';
import { timeoutMs } from './options.ts';
import type { TokenSource } from './renewing-token.ts';
import { sendWithRetries, type Connection } from './sender.ts';
import type { RawRequest, RawResponse, UnreadResponse } from './transport.ts';

export interface CallOptions {
  /** Cancels the call, which then rejects with the code `aborted`. */
  signal?: AbortSignal | undefined;
  /** Time limit for the whole call, including retries. Default: the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
}

/** Options for a call to an endpoint that supports `Idempotency-Key`. */
export interface IdempotentCallOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters. A call with a key is retried even if it writes. */
  idempotencyKey?: string | undefined;
}

/** Calls an endpoint by its name in the contract. */
export type Call = <Name extends EndpointName>(
  name: Name,
  input: EndpointInput<Name>,
  options?: IdempotentCallOptions,
) => Promise<EndpointResponse<Name>>;

/** Sends a raw request and returns the raw response, error responses included. */
export type Send = (request: RawRequest, options?: CallOptions) => Promise<RawResponse>;

/** Creates a {@link Call}. `tokens` is null for calls that need no token. */
export function createCall(connection: Connection, tokens: TokenSource | null): Call {
  return async (name, input, options = {}) => {
    checkOptions(options, endpoints[name]);
    const { idempotencyKey } = options;
    const request = writeRequest(name, input, idempotencyKey);
    const retryable = isRetryable(name, input, idempotencyKey);
    const deadline = startDeadline(
      connection.clock,
      options.timeoutMs ?? connection.timeoutMs,
      options.signal,
    );
    try {
      const response = await sendWithRetries(connection, tokens, request, {
        retryable,
        deadline,
        read: readText,
      });
      return readResponse(name, response, connection.clock.now());
    } finally {
      deadline.end();
    }
  };
}

async function readText({ status, headers, body }: UnreadResponse): Promise<TextResponse> {
  return { status, headers, text: await body.text() };
}

/**
 * Creates a {@link Send}. After a 401, it replaces the token and sends the request again; it does not retry
 * other errors. The time limit applies until the response headers arrive. After that, only the caller's
 * signal ends the call.
 */
export function createSend(connection: Connection, tokens: TokenSource): Send {
  return async (request, options = {}) => {
    checkOptions(options);
    const deadline = startDeadline(
      connection.clock,
      options.timeoutMs ?? connection.timeoutMs,
      options.signal,
    );
    try {
      const response = await sendWithRetries(connection, tokens, request, {
        retryable: false,
        deadline,
        read: leaveUnread,
      });
      deadline.stopTimer();
      // Without a listener, a body that fails early would crash the process. Its reader still gets the error.
      response.body.on('error', () => {});
      response.body.once('close', () => deadline.end());
      return response;
    } catch (error) {
      deadline.end();
      throw error;
    }
  };
}

function leaveUnread(response: UnreadResponse): Promise<UnreadResponse> {
  return Promise.resolve(response);
}

const callOptions = z.object({ timeoutMs, idempotencyKey: idempotencyKey.optional() });

/**
 * @throws ConnectorAuthError `malformed_request` if an option is invalid, or if the endpoint would ignore the
 * idempotency key, because a key enables retries.
 */
function checkOptions(options: IdempotentCallOptions, endpoint?: Endpoint): void {
  const result = validate(callOptions, options);
  const issues = result.ok ? [] : result.issues;
  if (endpoint && options.idempotencyKey !== undefined && !endpoint.idempotencyKey) {
    issues.push({ path: 'idempotencyKey', message: 'Not supported by this endpoint' });
  }
  if (issues.length > 0) throw ConnectorAuthError.invalid('malformed_request', issues);
}
