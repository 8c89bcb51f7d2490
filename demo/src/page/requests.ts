/** What the page sent: its own requests to Fieldbook's backend, and the widget's to the service. */

export interface LoggedRequest {
  readonly id: number;
  readonly method: string;
  readonly url: URL;
  /** The parsed JSON body without its secrets, or null. */
  readonly body: unknown;
  /** Null while the response is pending, 0 if there was none. */
  readonly status: number | null;
  /** What the response says, in a few words. */
  readonly summary: string | null;
  readonly ms: number | null;
  /** Time of the request, in milliseconds since 1970. */
  readonly started: number;
  /** How often the same request was sent of late, for example to follow a sync. */
  readonly times: number;
}

const maxRequests = 200;
/** How many of the latest requests a new one can repeat. */
const maxTurns = 6;

/** The latest requests, newest first. Dispatches `change`. */
export class RequestLog extends EventTarget {
  #entries: readonly LoggedRequest[] = [];
  #lastId = 0;

  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Adds a request, and returns a function that completes it. */
  add(request: Pick<LoggedRequest, 'method' | 'url' | 'body'>) {
    // The page and the widget repeat several requests in turn to follow a sync.
    const before = this.#entries.slice(0, maxTurns).find(each => isSameRequest(each, request));
    const entry: LoggedRequest = {
      ...request,
      id: before?.id ?? ++this.#lastId,
      status: null,
      summary: before?.summary ?? null,
      ms: null,
      started: Date.now(),
      times: (before?.times ?? 0) + 1,
    };
    const startedAt = performance.now();
    this.#set([entry, ...this.#entries.filter(each => each !== before).slice(0, maxRequests - 1)]);
    return (outcome: Pick<LoggedRequest, 'status' | 'summary'> & { readonly ms?: number }): void => {
      const ms = outcome.ms ?? Math.round(performance.now() - startedAt);
      this.#set(
        this.#entries.map(each =>
          each.id === entry.id && each.times === entry.times ? { ...each, ...outcome, ms } : each,
        ),
      );
    };
  }

  clear(): void {
    this.#set([]);
  }

  #set(entries: readonly LoggedRequest[]): void {
    this.#entries = entries;
    this.dispatchEvent(new Event('change'));
  }
}

export const requests = new RequestLog();

/**
 * Wraps the page's `fetch`, which the widget uses too, so that {@link requests} contains every call of an API.
 * A real product does not need this.
 */
export function recordRequests(log: RequestLog = requests): void {
  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    if (!/^\/(?:api|connector-auth)\//.test(url.pathname)) return send(input, init);
    const end = log.add({ method: init?.method ?? 'GET', url, body: readBody(init?.body) });
    try {
      const response = await send(input, init);
      void response
        .clone()
        .text()
        .then(text => end({ status: response.status, summary: summaryOf(text) }))
        .catch(() => end({ status: response.status, summary: null }));
      return response;
    } catch (error) {
      const isAborted = error instanceof DOMException && error.name === 'AbortError';
      end({ status: 0, summary: isAborted ? 'Cancelled' : 'No response' });
      throw error;
    }
  };
}

function isSameRequest(one: LoggedRequest, other: Pick<LoggedRequest, 'method' | 'url' | 'body'>): boolean {
  return (
    one.method === other.method &&
    one.url.href === other.url.href &&
    JSON.stringify(one.body) === JSON.stringify(other.body)
  );
}

/** Members that are secrets, contain some, or can be exchanged for one. */
const secretMembers = new Set(['credentials', 'server_side_oauth_secret_id', 'challenge']);

/** Returns a request's body with placeholders instead of secrets. */
export function withoutSecrets(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutSecrets);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      secretMembers.has(name) ? placeholder(name, value) : withoutSecrets(value),
    ]),
  );
}

function placeholder(name: string, secret: unknown): unknown {
  if (typeof secret !== 'object' || secret === null) return `YOUR_${name.toUpperCase()}`;
  return Object.fromEntries(Object.entries(secret).map(([each, value]) => [each, placeholder(each, value)]));
}

/** Describes a response without its content, which may be a customer's or secret. */
function summaryOf(text: string): string | null {
  const body = parse(text);
  if (typeof body !== 'object' || body === null) return null;
  const { data, definitions, result, code, status } = body as Readonly<Record<string, unknown>>;
  if (typeof code === 'string') return code;
  for (const [list, noun] of [
    [data, 'connector'],
    [definitions, 'source'],
    [result, 'record'],
    [(result as { data?: unknown } | undefined)?.data, 'record'],
  ] as const) {
    if (Array.isArray(list)) return `${list.length} ${noun}${list.length === 1 ? '' : 's'}`;
  }
  return typeof status === 'string' ? status : null;
}

function readBody(body: BodyInit | null | undefined): unknown {
  return typeof body === 'string' ? withoutSecrets(parse(body)) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
