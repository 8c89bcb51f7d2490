/** The four requests that connect a source and read its data, as the page and the widget send them. */

export interface Step {
  readonly key: string;
  readonly title: string;
  /** Who sends it, and why. */
  readonly lead: string;
  /** The path of the service's API, with `{id}` for an id. */
  readonly path: string;
  /** The path under which the page's backend passes it on, if it does. */
  readonly backendPath?: RegExp;
  /** What the request looks like before it has been sent. */
  readonly example: (context: CodeContext) => object;
  /** The expression that sends it with the client; `customer` is the customer's client. */
  readonly typescript: (id: string, body: string) => string;
}

export interface CodeContext {
  readonly serviceUrl: string;
  readonly customer: string;
}

/** A request that was sent. */
export interface Sent {
  readonly path: string;
  /** The parsed JSON body without its secrets, or null. */
  readonly body: object | null;
  /** Null while the response is pending, 0 if there was none. */
  readonly status: number | null;
  readonly ms: number | null;
}

const api = '/api/v1';
const connectors = `${api}/integrations/connectors`;

export const steps: readonly Step[] = [
  {
    key: 'mint',
    title: 'Mint a token',
    lead: 'Your backend lets the widget act for one customer, on one page.',
    path: `${api}/account/applications/widget-token`,
    backendPath: /^\/connector-auth\/widget-token$/,
    example: ({ customer }) => ({
      customer_name: customer,
      allowed_origin: location.origin,
      access: 'write',
    }),
    typescript: (_id, body) => `const { token } = await client.tokens.mintWidget(${body});`,
  },
  {
    key: 'consent',
    title: 'Begin the consent',
    lead: 'The widget asks the service where to sign in, and opens that page.',
    path: `${connectors}/oauth/initiate`,
    example: () => ({ connector_type: 'gong', redirect_url: `${location.origin}/` }),
    typescript: (_id, body) => `const { consent_url } = await customer.oauth.initiate(${body});`,
  },
  {
    key: 'create',
    title: 'Create the connection',
    lead: 'The vendor calls the service back. It stores the tokens encrypted and imports the data.',
    path: connectors,
    example: () => ({ connector_type: 'gong', server_side_oauth_secret_id: 'YOUR_SECRET_ID' }),
    typescript: (_id, body) => `const connector = await customer.connectors.create(${body});`,
  },
  {
    key: 'execute',
    title: 'Read the data',
    lead: 'Your backend searches the imported records, or calls the vendor live.',
    path: `${connectors}/{id}/execute`,
    backendPath: /^\/connector-auth\/connectors\/[^/]+\/execute$/,
    example: () => ({
      entity: 'calls',
      action: 'search',
      params: { query: { sort: ['-started'] }, limit: 5 },
    }),
    typescript: (id, body) => `const { result } = await customer.execute('${id}', ${body});`,
  },
];

/** What was sent for each step. Dispatches `change`. */
export class RequestLog extends EventTarget {
  readonly sent = new Map<string, Sent>();

  /** Adds a request if it is one of the four, and returns a function that completes it. */
  add(method: string, url: URL, body: unknown): ((status: number) => void) | null {
    const step = steps.find(each => method === 'POST' && matches(each, url.pathname));
    if (!step) return null;
    // The page reads data all the time. What counts is the first time after connecting.
    if (step.key === 'execute' && (!this.sent.has('create') || this.sent.has('execute'))) return null;
    if (step.key === 'create') this.sent.delete('execute');
    const started = performance.now();
    const entry: Sent = {
      path: url.pathname.replace(/^\/connector-auth\/(?:connectors(?=\/)|(?=widget))/, match =>
        match.endsWith('connectors') ? connectors : `${api}/account/applications/`,
      ),
      body: isObject(body) ? withoutSecrets(body) : null,
      status: null,
      ms: null,
    };
    this.#set(step.key, entry);
    return status => {
      this.#set(step.key, { ...entry, status, ms: Math.round(performance.now() - started) });
    };
  }

  #set(key: string, entry: Sent): void {
    this.sent.set(key, entry);
    this.dispatchEvent(new Event('change'));
  }
}

export const requests = new RequestLog();

/** Wraps the page's `fetch`, which the widget uses too. A real product does not need this. */
export function recordRequests(log: RequestLog = requests): void {
  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : null;
    const end = log.add(init?.method ?? 'GET', url, body);
    try {
      const response = await send(input, init);
      end?.(response.status);
      return response;
    } catch (error) {
      end?.(0);
      throw error;
    }
  };
}

/** Writes a step as curl and as TypeScript: as it was sent, or as it will be. */
export function codeOf(step: Step, sent: Sent | undefined, context: CodeContext) {
  const path = sent?.path ?? step.path;
  const [id = 'CONNECTOR_ID'] = /[\da-f-]{36}/.exec(path) ?? [];
  const body = sent?.body ?? step.example(context);
  const token = step.key === 'mint' ? '$APPLICATION_TOKEN' : '$TOKEN';
  const url = `${context.serviceUrl}${path.replace('{id}', id)}`;
  return {
    curl: [
      `curl ${url}`,
      `  -H "Authorization: Bearer ${token}"`,
      `  -H 'Content-Type: application/json'`,
      `  -d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
    ].join(' \\\n'),
    typescript: `import { createClient } from '@connector-auth/api/client';

const client = createClient({
  baseUrl: '${context.serviceUrl}',
  clientId: process.env.CLIENT_ID,
  clientSecret: process.env.CLIENT_SECRET,
});
${step.key === 'mint' ? '' : `const customer = client.forCustomer('${context.customer}');\n`}
${step.typescript(id, literal(body))}`,
  };
}

function matches({ path, backendPath }: Step, pathname: string): boolean {
  return backendPath?.test(pathname) ?? pathname === path;
}

/** Members that are secrets, contain some, or can be exchanged for one. */
const secretMembers = new Set(['credentials', 'server_side_oauth_secret_id', 'challenge']);

/** Returns a request's body with placeholders instead of secrets. */
export function withoutSecrets(body: object, isSecret = false): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const isHidden = isSecret || secretMembers.has(name);
      if (isObject(value)) return [name, withoutSecrets(value, isHidden)];
      return [name, isHidden ? `YOUR_${name.toUpperCase()}` : value];
    }),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes a value as TypeScript. */
function literal(value: object): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"([a-z_$][\w$]*)":/gim, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'");
}
