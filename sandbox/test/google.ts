import { readFileSync } from 'node:fs';
import { request } from 'undici';
import type { RunningSandbox } from '../src/start.ts';

export const MANAGER = '7330012455';
export const CLIENT = '6120459183';
export const CLOSED = '4440001112';
export const EMPTY = '5550009876';
/** Only reached with `login-customer-id`. */
export const INDIRECT = '8150023344';
export const BELOW_SUB_MANAGER = '6660007788';

/** An answer of the simulated Google; what it holds is asserted by the tests, not assumed. */
export interface GoogleResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: GoogleBody;
}

export interface GoogleBody {
  readonly results?: Record<string, Record<string, unknown>>[];
  readonly nextPageToken?: string;
  readonly fieldMask?: string;
  readonly error?: { code: number; message: string; status: string; details?: unknown[] };
  readonly [name: string]: unknown;
}

/** A recorded body of the vendor. */
export function sample(name: string): GoogleBody {
  return JSON.parse(
    readFileSync(new URL(`../src/google-ads/fixtures/${name}.json`, import.meta.url), 'utf8'),
  );
}

/** A recorded error: status and body. */
export function errorSample(name: string): { status: number; headers: object; body: GoogleBody } {
  return sample(name) as unknown as ReturnType<typeof errorSample>;
}

/** A response without what differs from call to call, to compare with a recorded one. */
export function comparable({ status, body }: { status: number; body: unknown }): {
  status: number;
  body: unknown;
} {
  return {
    status,
    body: JSON.parse(JSON.stringify(body).replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')),
  };
}

export interface GoogleClient {
  readonly headers: Readonly<Record<string, string>>;
  send(path: string, body: unknown, options?: SendOptions): Promise<GoogleResponse>;
  search(query: string, customer?: string, options?: SendOptions): Promise<GoogleResponse>;
  /** The rows of a query that works, page by page. */
  rows(
    query: string,
    customer?: string,
    options?: SendOptions,
  ): Promise<Record<string, Record<string, unknown>>[]>;
  mutate(service: string, body: object, customer?: string): Promise<GoogleResponse>;
}

interface SendOptions {
  readonly headers?: Record<string, string | undefined>;
  readonly version?: string;
  readonly body?: object;
  readonly method?: 'GET' | 'POST';
}

/** Posts a form to one of Google's OAuth addresses. */
export async function postForm(
  sandbox: RunningSandbox,
  path: string,
  form: Record<string, string>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { statusCode, body } = await request(`${sandbox.url}/oauth2.googleapis.com${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  return { status: statusCode, body: (await body.json()) as Record<string, unknown> };
}

/** The pasteable credentials of the sandbox, by place. */
export function credentialsOf(sandbox: RunningSandbox, place = 0): Record<string, string> {
  const vendor = sandbox.control.vendors().find(({ key }) => key === 'google-ads');
  return { ...vendor?.credentials[place]?.values };
}

/** Signs in with pasteable credentials, and calls the API as the connector does. */
export async function googleClient(sandbox: RunningSandbox, place = 0): Promise<GoogleClient> {
  const { developer_token: developerToken = '', ...credentials } = credentialsOf(sandbox, place);
  const { body } = await postForm(sandbox, '/token', { grant_type: 'refresh_token', ...credentials });
  const headers = {
    authorization: `Bearer ${String(body['access_token'])}`,
    'developer-token': developerToken,
  };
  const send: GoogleClient['send'] = async (path, sent, options = {}) => {
    const { version = 'v25', method = 'POST' } = options;
    const given = Object.entries({ 'content-type': 'application/json', ...headers, ...options.headers });
    const response = await request(`${sandbox.url}/googleads.googleapis.com/${version}${path}`, {
      method,
      headers: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
      ...(method === 'POST' && { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
    });
    const text = await response.body.text();
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : { text },
    };
  };
  const search: GoogleClient['search'] = (query, customer = CLIENT, options = {}) =>
    send(`/customers/${customer}/googleAds:search`, { query, ...options.body }, options);
  return {
    headers,
    send,
    search,
    rows: async (query, customer, options) => {
      const rows = [];
      let pageToken: string | undefined;
      do {
        const page = await search(query, customer, { ...options, body: { ...options?.body, pageToken } });
        if (page.status !== 200) throw new Error(JSON.stringify(page.body));
        rows.push(...(page.body.results ?? []));
        pageToken = page.body.nextPageToken;
      } while (pageToken !== undefined);
      return rows;
    },
    mutate: (service, body, customer = CLIENT) => send(`/customers/${customer}/${service}:mutate`, body),
  };
}
