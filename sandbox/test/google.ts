import { readFileSync } from 'node:fs';
import { request } from 'undici';
import type { RunningSandbox } from '../src/start.ts';

export const MANAGER = '7330012455';
export const CLIENT = '6120459183';
export const CLOSED = '4440001112';
export const EMPTY = '5550009876';
/** Accessible only with `login-customer-id`. */
export const INDIRECT = '8150023344';
export const BELOW_SUB_MANAGER = '6660007788';

/** A response of the simulated Google Ads API; the tests assert its content. */
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

/** Reads a recorded response body. */
export function sample(name: string): GoogleBody {
  return JSON.parse(
    readFileSync(new URL(`../src/google-ads/fixtures/${name}.json`, import.meta.url), 'utf8'),
  );
}

/** Reads a recorded error: status and body. */
export function errorSample(name: string): { status: number; headers: object; body: GoogleBody } {
  return sample(name) as unknown as ReturnType<typeof errorSample>;
}

/** Removes request ids, which differ between calls, to compare a response with a recorded one. */
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
  /** Returns the rows from all pages of a valid query. */
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

/** Posts a form to one of Google's OAuth endpoints. */
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

/** Returns the values of the sandbox's Google Ads credential with this index. */
export function credentialsOf(sandbox: RunningSandbox, index = 0): Record<string, string> {
  const vendor = sandbox.control.vendors().find(({ key }) => key === 'google-ads');
  return { ...vendor?.credentials[index]?.values };
}

/** Signs in with listed credentials and calls the API as the connector does. */
export async function googleClient(sandbox: RunningSandbox, index = 0): Promise<GoogleClient> {
  const { developer_token: developerToken = '', ...credentials } = credentialsOf(sandbox, index);
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
