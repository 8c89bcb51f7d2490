import type {
  Account,
  Connector,
  ConnectLink,
  Language,
  ListAccountsResponse,
  OAuthSession,
  Problem,
  ProblemCode,
  SourceDefinition,
  SourceDefinitionDetail,
} from '@connector-auth/api';
import { messages as gong } from '../../connectors/src/gong/messages/index.ts';
import { messages as googleAds } from '../../connectors/src/google-ads/messages/index.ts';
import { messages as granola } from '../../connectors/src/granola/messages/index.ts';
import { translator, type Translate } from '../../connectors/src/kind/translate.ts';
import { messages as tikTok } from '../../connectors/src/tiktok-marketing/messages/index.ts';

/** The English words of the kinds that the fake service imitates. */
export const words = { gong: gong.en, googleAds: googleAds.en, granola: granola.en, tikTok: tikTok.en };

let nextId = 1;

/** Responds to a request. */
export type Handler = (request: Request, url: URL) => Promise<Response> | Response;

/**
 * Fakes the token URL and the service by replacing `fetch`. All other code is real. Each request goes to
 * the handler of its route (`"GET /integrations/connectors"`). A request without a handler fails like an
 * outage and is added to `unexpected`. Several instances can exist at once.
 */
export class FakeService {
  readonly #id = nextId++;
  /** The base URL of a host that never resolves. */
  readonly url = `https://service-${this.#id}.invalid`;
  readonly tokenUrl = `${location.origin}/token-${this.#id}`;
  readonly requests: Request[] = [];
  readonly unexpected: string[] = [];
  /** Every text of the responses, before it was translated. */
  readonly served = new Set<string>();
  readonly #routes = new Map<string, Handler>();
  readonly #original = globalThis.fetch;

  constructor(routes: Readonly<Record<string, Handler>> = {}) {
    this.use({ ...standardRoutes(this.url), ...routes });
    globalThis.fetch = (input, init) => {
      const request = new Request(input, init);
      const isMine = request.url.startsWith(this.tokenUrl) || request.url.startsWith(`${this.url}/`);
      return isMine ? this.#fetch(request) : this.#original(input, init);
    };
  }

  /** Adds or replaces routes. */
  use(routes: Readonly<Record<string, Handler>>): void {
    for (const [route, handler] of Object.entries(routes)) this.#routes.set(route, handler);
  }

  /** Returns the requests sent to a route so far. */
  requestsTo(route: string): readonly Request[] {
    return this.requests.filter(request => routeOf(request, [route]) !== undefined);
  }

  /** Restores the browser's `fetch`. */
  close(): void {
    globalThis.fetch = this.#original;
  }

  async #fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const route = routeOf(request, [...this.#routes.keys()]);
    const handler = route === undefined ? undefined : this.#routes.get(route);
    if (handler === undefined) {
      this.unexpected.push(`${request.method} ${url.href}`);
      throw new TypeError('Failed to fetch');
    }
    // A clone, so that tests can read the body.
    this.requests.push(request.clone());
    const response = await abortable(request.signal, Promise.resolve(handler(request, url)));
    return await this.#localize(request, response);
  }

  /** Translates the words of kinds in a response into the language that the request asks for. */
  async #localize({ headers }: Request, response: Response): Promise<Response> {
    if (!response.headers.get('content-type')?.includes('json')) return response;
    const language = (headers.get('accept-language')?.slice(0, 2) ?? 'en') as Language;
    const translators =
      language === 'en'
        ? []
        : [granola, gong, googleAds, tikTok].map(messages => translator({ messages }, language));
    const translate: Translate = text => {
      for (const translate of translators) {
        // The service translates each part of an account's detail.
        const translation = text.split(' · ').map(translate).join(' · ');
        if (translation !== text) return translation;
      }
      return text;
    };
    const body: unknown = JSON.parse(await response.text(), (_name, value: unknown) => {
      if (typeof value !== 'string') return value;
      this.served.add(value);
      return translate(value);
    });
    return json(body, response.status, Object.fromEntries(response.headers));
  }
}

/** Returns a JSON response. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Returns a problem response as the service would send it. */
export function problem(status: number, code: ProblemCode, more: Partial<Problem> = {}): Response {
  return json(
    {
      type: `urn:connector-auth:problem:${code}`,
      title: code,
      status,
      detail: code,
      code,
      request_id: 'req_01JD3',
      ...more,
    },
    status,
  );
}

/** Handles a request by never responding. The request can be aborted. */
export const never: Handler = () => new Promise<Response>(() => {});
/** Handles a request by failing like an unreachable host. */
export const outage: Handler = () => Promise.reject(new TypeError('Failed to fetch'));

/** Returns a source definition with defaults. */
export function definition(fields: Partial<SourceDefinition> = {}): SourceDefinition {
  const name = fields.name ?? 'Granola';
  return {
    sourceDefinitionId: `def-${name.toLowerCase().replaceAll(' ', '-')}`,
    name,
    // Fails to load, without a request.
    iconUrl: `data:image/svg+xml,${encodeURIComponent(name)}`,
    supportLevel: 'certified',
    connectorType: name.toLowerCase().replaceAll(' ', '-'),
    description: words.granola.description,
    ...fields,
  };
}

/** Returns a source definition with an API key as its auth method. */
export function detail(fields: Partial<SourceDefinitionDetail> = {}): SourceDefinitionDetail {
  return { ...definition(fields), auth_methods: [apiKeyMethod], replication_schema: null, ...fields };
}

export const apiKeyMethod: SourceDefinitionDetail['auth_methods'][number] = {
  id: 'api_key',
  type: 'credentials',
  title: words.granola.apiKey.title,
  description: words.granola.apiKey.description,
  help_url: 'https://docs.granola.ai/introduction',
  schema: {
    type: 'object',
    required: ['api_key'],
    properties: {
      api_key: {
        type: 'string',
        title: words.granola.apiKey.title,
        description: words.granola.apiKey.hint,
        writeOnly: true,
        minLength: 4,
        examples: ['grn_…'],
      },
    },
  },
};

/** An OAuth auth method. */
export const consentMethod: SourceDefinitionDetail['auth_methods'][number] = {
  id: 'oauth',
  type: 'oauth',
  title: words.gong.signIn.title,
  description: words.gong.signIn.description,
  help_url: null,
  schema: { type: 'object', properties: {} },
};

/** Returns an OAuth session with defaults. */
export function oauthSession(fields: Partial<OAuthSession> = {}): OAuthSession {
  return {
    session_id: 'session-1',
    connector_type: 'gong',
    status: 'pending',
    expires_at: '2026-10-02T09:40:00Z',
    secret_id: null,
    connector_id: null,
    error: null,
    ...fields,
  };
}

/** Returns a connector with defaults. */
export function connector(fields: Partial<Connector> = {}): Connector {
  return {
    id: `connector-${nextId++}`,
    name: 'Granola',
    customer_name: 'acme',
    connector_type: 'granola',
    definition_id: 'def-granola',
    auth_method: 'api_key',
    status: 'active',
    replication_config: null,
    sync: { status: 'none', entities: {} },
    created_at: '2026-10-02T09:30:00Z',
    updated_at: '2026-10-02T09:30:00Z',
    ...fields,
  };
}

/** Returns a connect link with defaults. */
export function connectLink(fields: Partial<ConnectLink> = {}): ConnectLink {
  return {
    id: 'link-1',
    status: 'open',
    connector_type: 'granola',
    connector_id: null,
    audience: 'customer',
    inviter: null,
    expires_at: hourFromNow(),
    created_at: '2026-10-02T09:30:00Z',
    ...fields,
  };
}

/** Half a minute more, so that the time does not change at once. */
const hourFromNow = () => new Date(Date.now() + 3_630_000).toISOString();

/** Returns a list of accounts with defaults: four of which one cannot be selected. */
export function accountList(fields: Partial<ListAccountsResponse> = {}): ListAccountsResponse {
  return {
    accounts: [
      account(1, { name: 'Fieldbook Europe', detail: '612-045-9183 · EUR · Client' }),
      account(2, { name: 'Fieldbook North America', detail: '612-045-9184 · USD · Client' }),
      account(3, { name: 'Fieldbook Group', detail: '612-045-9180 · EUR · Manager' }),
      account(4, {
        name: 'Fieldbook Labs',
        detail: '612-045-9190 · USD · Client',
        selectable: false,
        reason: words.googleAds.account.canceled,
      }),
    ],
    is_complete: true,
    selected: null,
    daily_requests_per_account: 50,
    ...fields,
  };
}

/** Returns an account with defaults. */
export function account(number: number, fields: Partial<Account> = {}): Account {
  return {
    id: `account-${number}`,
    name: `Account ${number}`,
    detail: `612-045-${String(number).padStart(4, '0')} · EUR · Client`,
    selectable: true,
    reason: null,
    ...fields,
  };
}

/** Four sources. */
export const sources: readonly SourceDefinition[] = [
  definition(),
  definition({ name: 'Gong', description: words.gong.description }),
  definition({ name: 'Google Ads', description: words.googleAds.description }),
  definition({
    name: 'TikTok Marketing',
    description: words.tikTok.description,
    supportLevel: 'community',
  }),
];

/** Enough sources for a search field. */
export const searchableSources: readonly SourceDefinition[] = [
  ...sources,
  ...['HubSpot', 'Linear', 'Notion', 'Zendesk'].map(name => definition({ name, description: 'Records' })),
];

/** Returns the default routes: four sources, no connectors, and a successful response to every request. */
function standardRoutes(serviceUrl: string): Record<string, Handler> {
  return {
    'POST /token': () => json({ token: `token-${nextId++}`, expires_in: 1200, service_url: serviceUrl }),
    'GET /integrations/definitions/sources': () => json({ definitions: sources }),
    'GET /integrations/definitions/sources/*': (_request, url) => {
      const source = sources.find(({ sourceDefinitionId }) =>
        url.pathname.endsWith(`/${sourceDefinitionId}`),
      );
      return source === undefined ? problem(404, 'definition_not_found') : json(detail(source));
    },
    'GET /integrations/connectors': () => json({ data: [], meta: { cursor: null, has_more: false } }),
    'POST /integrations/connectors': async request => {
      const { name, definition_id } = (await request.json()) as { name: string; definition_id: string };
      return json(connector({ name, definition_id }), 201);
    },
    // The widget polls this route while a connector is displayed.
    'GET /integrations/connectors/*': never,
    'GET /integrations/connectors/*/activity': () =>
      json({ data: [], meta: { cursor: null, has_more: false } }),
    'DELETE /integrations/connectors/*': () => new Response(null, { status: 204 }),
    'POST /integrations/connectors/oauth/initiate': () =>
      json({
        consent_url: `${serviceUrl}/oauth/start/session-1`,
        session_id: 'session-1',
        start_proof: 'proof-1',
        expires_at: '2026-10-02T09:40:00Z',
      }),
    'GET /integrations/connectors/oauth/sessions/*': never,
    'DELETE /integrations/connectors/oauth/sessions/*': () => new Response(null, { status: 204 }),
    'POST /integrations/connect-links': () => {
      const id = `link-${nextId++}`;
      return json({ id, url: `${serviceUrl}/connect/${id}#hM4qk9Z1vT`, expires_at: hourFromNow() }, 201);
    },
    'GET /integrations/connect-links': () => json({ data: [], meta: { cursor: null, has_more: false } }),
    'GET /integrations/connect-links/*': never,
    'DELETE /integrations/connect-links/*': () => new Response(null, { status: 204 }),
  };
}

/** Returns the most specific route that matches a request. `*` is one segment of the path. */
function routeOf({ method, url }: Request, routes: readonly string[]): string | undefined {
  const path = new URL(url).pathname.replace(/^\/api\/v1/, '').replace(/^\/token-\d+$/, '/token');
  return routes
    .filter(route => new RegExp(`^${route.replaceAll('*', '[^/]+')}$`).test(`${method} ${path}`))
    .sort((a, b) => b.length - a.length)[0];
}

function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      // An abort reason is whatever the aborting side passed.
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject);
  });
}
