import { z } from 'zod';
import { endpoints, type Endpoint, type EndpointName } from '../contract/endpoints.ts';
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

/** What any call takes. */
export interface CallOptions {
  /** Ends the call with the code `aborted`. */
  signal?: AbortSignal | undefined;
  /** What this call may take, repeats included; the client's `timeoutMs` when absent. */
  timeoutMs?: number | undefined;
}

/** What a call takes whose endpoint honours `Idempotency-Key`. */
export interface IdempotentCallOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters. With a key the call is repeated like one that only reads. */
  idempotencyKey?: string | undefined;
}

/** Calls an endpoint by its name in the contract. */
export type Call = <Name extends EndpointName>(
  name: Name,
  input: EndpointInput<Name>,
  options?: IdempotentCallOptions,
) => Promise<EndpointResponse<Name>>;

/** Sends a request as it is and gives the answer as it comes, errors too. */
export type Send = (request: RawRequest, options?: CallOptions) => Promise<RawResponse>;

/** How calls go over one connection with the tokens of one source; null where no token is sent. */
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
 * How raw requests go: with the same tokens, renewed on a 401, but never repeated otherwise. The time limit ends when the
 * head of the answer is there; after that only the caller's signal ends it.
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
      // A body that breaks before anybody listens would end the process; whoever reads it still gets the error.
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

/** @throws ConnectorAuthError `malformed_request`; a key that the service ignores must not make a call retryable. */
function checkOptions(options: IdempotentCallOptions, endpoint?: Endpoint): void {
  const result = validate(callOptions, options);
  const issues = result.ok ? [] : result.issues;
  if (endpoint && options.idempotencyKey !== undefined && !endpoint.idempotencyKey) {
    issues.push({ path: 'idempotencyKey', message: 'Not supported by this endpoint' });
  }
  if (issues.length > 0) throw ConnectorAuthError.invalid('malformed_request', issues);
}
