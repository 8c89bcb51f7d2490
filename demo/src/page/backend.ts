/** Calls the page's own backend, which identifies the customer by the session. */
import type { ExecuteResponse, Problem, ProblemCode } from '@connector-auth/api';
import type { DemoCustomer } from '../customers.ts';
import type { OwnCredentials } from '../sandbox.ts';
import type { ChatInfo } from './chat-events.ts';

export interface Session {
  readonly customer: DemoCustomer;
  readonly customers: readonly DemoCustomer[];
  readonly serviceUrl: string;
  /** Null if the service uses the real vendors. */
  readonly sandboxUrl: string | null;
  /** What the customer's people could enter at the simulated vendors. */
  readonly credentials: readonly OwnCredentials[];
  readonly chat: ChatInfo;
  /** Whether the service sends events to the backend. */
  readonly receivesEvents: boolean;
}

/** A record as a search or an action returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The result of a search. */
export interface SearchPage<Found = Row> {
  readonly data: readonly Found[];
  readonly meta: { readonly cursor: string | null };
}

export const loadSession = () => send<Session>('/api/session');

export const breakConnection = (connectorId: string) =>
  send(`/api/sandbox/breaks/${connectorId}`, { method: 'POST' });

export const endBreak = (source: string) => send(`/api/sandbox/breaks/${source}`, { method: 'DELETE' });

/** Runs an action on one of the customer's connectors, through the backend. */
export async function execute<Result>(
  connectorId: string,
  entity: string,
  action: string,
  params: Record<string, unknown>,
): Promise<Result> {
  const { result } = await send<ExecuteResponse<Result, unknown>>(
    `/connector-auth/connectors/${connectorId}/execute`,
    { method: 'POST', body: { entity, action, params } },
  );
  return result;
}

export const search = <Found = Row>(connectorId: string, entity: string, params: Record<string, unknown>) =>
  execute<SearchPage<Found>>(connectorId, entity, 'search', params);

interface Request {
  readonly method?: string;
  readonly body?: unknown;
}

/** How often a request is sent while the service is busy. */
const maxAttempts = 4;

async function send<Body>(path: string, { method = 'GET', body }: Request = {}): Promise<Body> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new Error('Can’t reach Fieldbook. Check that it’s still running.', { cause });
    });
    // A proxy may respond without JSON. Fieldbook's own backend responds in these shapes.
    const value = parseExactly(await response.text()) as Body & Partial<Problem>;
    if (response.ok) return value;
    const waitSeconds = Number(response.headers.get('retry-after'));
    if (attempt === maxAttempts || waitSeconds === 0) throw new Error(sentenceOf(value, response.status));
    await new Promise(resolve => setTimeout(resolve, waitSeconds * 1000));
  }
}

/** What customers read where the service's own sentence is for operators and developers. */
const sentences: Partial<Record<ProblemCode, string>> = {
  connector_disabled: 'This connection is paused. Contact Fieldbook support to resume it.',
  connector_frozen: 'This connection is paused for now. Try again later.',
  connector_unavailable: 'This source is not available at the moment.',
  organization_disabled: 'Connections are paused. Contact Fieldbook support to resume them.',
  reauthentication_required: 'Your sign-in expired. Reconnect this source under Connections.',
  internal_error: 'Something went wrong. Try again in a moment.',
};

/** Returns a sentence for the customer about a failed request. */
export function sentenceOf(problem: Partial<Problem> | null, status: number): string {
  const { code, detail } = problem ?? {};
  const sentence = code === undefined ? undefined : sentences[code];
  return sentence ?? detail ?? `Fieldbook returned an error (status ${status}).`;
}

/** Parses JSON, with integers that a JavaScript number would round as strings. Returns null for anything else. */
export function parseExactly(text: string): unknown {
  const keep = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && /^-?\d{16,}$/.test(context?.source ?? '') && !Number.isSafeInteger(value)
      ? context?.source
      : value;
  try {
    return JSON.parse(text, keep) as unknown;
  } catch {
    return null;
  }
}
