import type {
  Connector,
  CreateConnectorRequest,
  InitiateOAuthAnswer,
  InitiateOAuthRequest,
  ListConnectorsAnswer,
  ListDefinitionsAnswer,
  OAuthSession,
  Problem,
  SourceDefinition,
  SourceDefinitionDetail,
  UpdateConnectorRequest,
} from '@connector-auth/api';
import { withDeadline } from './deadline.ts';
import { ServiceError } from './failure.ts';
import { httpAddress } from './http-address.ts';
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
  getConnector(id: string, signal: AbortSignal): Promise<Connector>;
  /** Renames, or asks the vendor about new credentials before it answers. */
  updateConnector(id: string, body: UpdateConnectorRequest, signal: AbortSignal): Promise<Connector>;
  deleteConnector(id: string, signal: AbortSignal): Promise<void>;
  /** Begins a consent that ends at `redirect_url`; without one at the service's own page, which closes its window. */
  initiateOAuth(
    body: Omit<InitiateOAuthRequest, 'redirect_url'> & { readonly redirect_url: string | null },
    signal: AbortSignal,
  ): Promise<InitiateOAuthAnswer>;
  /** Where a consent stands; the answer waits for a change for up to {@link waitSeconds}. */
  awaitOAuthSession(id: string, verifier: string, signal: AbortSignal): Promise<OAuthSession>;
  /** Gives a consent up; sent even if the page is just being left. */
  cancelOAuthSession(id: string): Promise<void>;
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly keepalive?: boolean;
}

/** Milliseconds from asking to an answer or an error, the token's renewal included. */
export const answerTimeoutMs = 10_000;
/** Where the service asks a vendor before it answers: longer than its own patience with the vendor. */
const vendorTimeoutMs = 45_000;
/** Seconds the service holds a question about a consent: the longest it allows. */
const waitSeconds = 25;

/** The service behind the tokens of `keeper`. */
export function connectService(keeper: TokenKeeper): Service {
  const base = '/integrations/definitions/sources';
  const connectors = '/integrations/connectors';
  const sessionPath = (id: string) => `${connectors}/oauth/sessions/${id}` as const;
  return {
    async listDefinitions(signal) {
      const { definitions } = await call<Partial<ListDefinitionsAnswer>>({ path: base }, signal);
      return expectList(definitions);
    },
    async listConnectors(signal) {
      const { data } = await call<Partial<ListConnectorsAnswer>>(
        { path: `${connectors}?limit=1000` },
        signal,
      );
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
      call(
        {
          method: 'POST',
          path: connectors,
          body,
          headers: { 'idempotency-key': idempotencyKey },
          timeoutMs: vendorTimeoutMs,
        },
        signal,
      ),
    getConnector: (id, signal) => call({ path: `${connectors}/${id}` }, signal),
    updateConnector: (id, body, signal) =>
      call({ method: 'PATCH', path: `${connectors}/${id}`, body, timeoutMs: vendorTimeoutMs }, signal),
    deleteConnector: (id, signal) =>
      call({ method: 'DELETE', path: `${connectors}/${id}`, timeoutMs: vendorTimeoutMs }, signal),
    async initiateOAuth(body, signal) {
      const { serviceUrl } = await keeper.get();
      const redirect_url = body.redirect_url ?? `${serviceUrl}/oauth/complete`;
      const path = `${connectors}/oauth/initiate` as const;
      const answer = await call<InitiateOAuthAnswer>(
        { method: 'POST', path, body: { ...body, redirect_url } },
        signal,
      );
      // A window is sent there: nothing but a page may be.
      if (httpAddress(answer.consent_url) === null) throw new ServiceError(...otherShape);
      return answer;
    },
    awaitOAuthSession: (id, verifier, signal) =>
      call(
        {
          path: `${sessionPath(id)}?wait=${waitSeconds}`,
          headers: { 'x-oauth-verifier': verifier },
          timeoutMs: waitSeconds * 1000 + answerTimeoutMs,
        },
        signal,
      ),
    cancelOAuthSession: id =>
      call(
        { method: 'DELETE', path: sessionPath(id), keepalive: true },
        // Not with a signal of the flow's: what is cancelled has been left.
        new AbortController().signal,
      ),
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
  { method = 'GET', path, body, headers, keepalive = false }: Call,
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
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'omit',
      referrerPolicy: 'strict-origin-when-cross-origin',
      keepalive,
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
  throw new ServiceError(...otherShape);
}

const otherShape = ['unexpected_answer', 'The service answered JSON of another shape'] as const;
