/** Calls the page's own backend, which identifies the customer by the session. */
import type { Connector, ExecuteResponse, ListConnectorsResponse, Problem } from '@connector-auth/api';
import type { SandboxVendor } from '../sandbox-vendors.ts';
import type { ChatInfo } from './chat-events.ts';
import { customerSentence } from './customer-words.ts';
import { parseExactly } from './exact-json.ts';
import { BusyError, SearchQueue } from './search-queue.ts';

export interface Session {
  readonly customer: DemoCustomer;
  readonly customers: readonly DemoCustomer[];
  readonly serviceUrl: string;
  readonly sandboxUrl: string | null;
}

export interface DemoCustomer {
  readonly id: string;
  readonly company: string;
  readonly person: string;
}

/** A simulated vendor that the service offers. */
export interface OfferedVendor extends SandboxVendor {
  /** Whether the service lets users sign in at the vendor. */
  readonly hasSignIn: boolean;
}

/** A failed request. Its message is suitable for users. */
class BackendError extends Error {}

/** The service queues a customer’s searches, and an embedded database runs one at a time. */
const maxSearches = 2;

export const searches = new SearchQueue(maxSearches);

export const loadSession = () => send<Session>('/api/session');

export const switchCustomer = (id: string) => send('/api/session', { method: 'PUT', body: { customer: id } });

export const loadChat = () => send<ChatInfo>('/api/chat');

export async function loadSandboxVendors(): Promise<readonly OfferedVendor[]> {
  return (await send<{ vendors: OfferedVendor[] }>('/api/sandbox')).vendors;
}

export async function loadConnectors(): Promise<readonly Connector[]> {
  return (await send<ListConnectorsResponse>('/connector-auth/connectors')).data;
}

/** Runs an action on one of the customer's connectors, through the backend. */
export function execute<Result, Metadata>(
  connectorId: string,
  entity: string,
  action: string,
  params: Record<string, unknown>,
): Promise<ExecuteResponse<Result, Metadata>> {
  const call = () =>
    send<ExecuteResponse<Result, Metadata>>(`/connector-auth/connectors/${connectorId}/execute`, {
      method: 'POST',
      body: { entity, action, params },
    });
  return action === 'search' ? searches.run(call) : call();
}

/** Starts a sync of one of the customer's connectors, and does not wait for its end. */
export const syncNow = (connectorId: string) =>
  send(`/api/connectors/${connectorId}/sync`, { method: 'POST' });

async function send<Body>(path: string, request: { method?: string; body?: unknown } = {}): Promise<Body> {
  const response = await fetch(path, {
    method: request.method ?? 'GET',
    ...(request.body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request.body) }),
  }).catch((cause: unknown) => {
    throw new BackendError('Can’t reach Fieldbook. Check that it’s still running.', { cause });
  });
  const body = await response
    .text()
    .then(parseExactly)
    .catch(() => null);
  if (!response.ok) {
    // Its own backend responds with problems. A proxy may respond with anything, such as no JSON.
    const problem = (body ?? {}) as Partial<Problem>;
    const sentence = customerSentence(problem, response.status);
    const retryAfter = Number(response.headers.get('retry-after'));
    if (isBusy(problem) && retryAfter > 0) throw new BusyError(sentence, retryAfter);
    throw new BackendError(sentence);
  }
  // Fieldbook's own backend responds in these shapes.
  return body as Body;
}

function isBusy({ code }: Partial<Problem>): boolean {
  return code === 'rate_limited' || code === 'overloaded';
}
