import type {
  Connector,
  CreateConnectorRequest,
  ListConnectorsAnswer,
  ListDefinitionsAnswer,
  Problem,
  SourceDefinition,
  SourceDefinitionDetail,
} from '@connector-auth/api';
import { withDeadline } from './deadline.ts';
import { ServiceError } from './failure.ts';
import type { TokenKeeper } from './widget-token.ts';

/** The calls the widget makes. Each rejects with a `ServiceError`, or with the signal's reason once aborted. */
export interface Service {
  listDefinitions(signal: AbortSignal): Promise<readonly SourceDefinition[]>;
  /** The newest thousand connectors of the customer. */
  listConnectors(signal: AbortSignal): Promise<readonly Connector[]>;
  getDefinition(id: string, signal: AbortSignal): Promise<SourceDefinitionDetail>;
  /** Asks the vendor before it answers. Sent again with the same key it makes no second connector. */
  createConnector(
    body: CreateConnectorRequest,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<Connector>;
  deleteConnector(id: string, signal: AbortSignal): Promise<void>;
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
}

/** Milliseconds from asking to an answer or an error, the token's renewal included. */
export const answerTimeoutMs = 10_000;
/** Where the service asks a vendor before it answers: longer than its own patience with the vendor. */
const vendorTimeoutMs = 45_000;

/** The service behind the tokens of `keeper`. */
export function connectService(keeper: TokenKeeper): Service {
  const base = '/integrations/definitions/sources';
  return {
    async listDefinitions(signal) {
      const { definitions } = await call<Partial<ListDefinitionsAnswer>>({ path: base }, signal);
      return expectList(definitions);
    },
    async listConnectors(signal) {
      const path = '/integrations/connectors?limit=1000';
      const { data } = await call<Partial<ListConnectorsAnswer>>({ path }, signal);
      return expectList(data);
    },
    async getDefinition(id, signal) {
      const definition = await call<SourceDefinitionDetail>(
        { path: `${base}/${encodeURIComponent(id)}` },
        signal,
      );
      expectList(definition.auth_methods);
      return definition;
    },
    createConnector: (body, idempotencyKey, signal) =>
      call<Connector>(
        {
          method: 'POST',
          path: '/integrations/connectors',
          body,
          idempotencyKey,
          timeoutMs: vendorTimeoutMs,
        },
        signal,
      ),
    async deleteConnector(id, signal) {
      const path = `/integrations/connectors/${encodeURIComponent(id)}` as const;
      await call({ method: 'DELETE', path, timeoutMs: vendorTimeoutMs }, signal);
    },
  };

  function call<Answer>(request: Call, signal: AbortSignal): Promise<Answer> {
    return withDeadline(request.timeoutMs ?? answerTimeoutMs, signal, async signal => {
      const response = await send(request, signal);
      const answer = await readBody(response);
      if (!response.ok) throw refusal(response, answer);
      if (response.status !== 204 && (typeof answer !== 'object' || answer === null))
        throw unexpected(response);
      // The service is ours and versioned with the contract; what a list must have is checked where it is used.
      return answer as Answer;
    });
  }

  /** Sends a request, and once more with a new token if the service no longer takes the present one. */
  async function send(request: Call, signal: AbortSignal): Promise<Response> {
    const access = await keeper.get();
    const response = await fetchFrom(request, access, signal);
    if (response.status !== 401) return response;
    keeper.drop(access.token);
    return fetchFrom(request, await keeper.get(), signal);
  }
}

async function fetchFrom(
  { method = 'GET', path, body, idempotencyKey }: Call,
  { token, serviceUrl }: { token: string; serviceUrl: string },
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(`${serviceUrl}/api/v1${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'omit',
      referrerPolicy: 'strict-origin-when-cross-origin',
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new ServiceError('unreachable', 'The service cannot be reached', { cause: error });
  }
}

/** The parsed JSON body; undefined when it is not JSON. */
async function readBody(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown;
  } catch {
    return undefined;
  }
}

function refusal(response: Response, body: unknown): ServiceError {
  // Each member is checked before it is used: a proxy in between may answer in our place.
  const problem = (body ?? {}) as Partial<Problem>;
  if (typeof problem.code !== 'string') return unexpected(response);
  return new ServiceError(problem.code, String(problem.detail ?? problem.title), {
    status: response.status,
    requestId: problem.request_id ?? null,
    faults: Array.isArray(problem.errors) ? problem.errors : [],
  });
}

function unexpected(response: Response): ServiceError {
  // A gateway's own 502 to 504 means the same as no answer.
  const code = response.status >= 502 && response.status <= 504 ? 'unreachable' : 'unexpected_answer';
  return new ServiceError(code, `Not the service's answer (status ${response.status})`, {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
  });
}

function expectList<T>(list: readonly T[] | undefined): readonly T[] {
  if (Array.isArray(list)) return list;
  throw new ServiceError('unexpected_answer', 'The service answered JSON of another shape');
}
