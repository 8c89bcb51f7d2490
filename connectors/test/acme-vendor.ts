import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';

/** The key that the vendor accepts. */
export const acmeKey = 'acme-secret-key';

/** A contact or deal. Ids of deals have 19 digits, which are written as JSON numbers. */
interface AcmeRecord {
  readonly id: string;
  readonly name?: string;
  readonly updated_at: string;
  readonly [field: string]: unknown;
}

interface Table {
  records: readonly AcmeRecord[];
  readonly deleted: { readonly id: string; readonly deleted_at: string }[];
}

/** The vendor of the example `acme-crm`, at the address of the sandbox. Its pages have at most two records. */
export interface AcmeVendor {
  readonly url: string;
  contacts: readonly AcmeRecord[];
  /** How many requests it has received. */
  readonly count: () => number;
  /** The requests with method, path and query, such as `GET /contacts?limit=100`. */
  readonly requests: readonly string[];
  /** Rejects the next requests with 429 and this number of seconds to wait. */
  limit(requests: number, seconds: number): void;
  delete(table: 'contacts' | 'deals', id: string): void;
  /** Invalidates all access tokens, as if they had expired. */
  expireTokens(): void;
  /** Returns a code as the consent page would, for an app that asked for tokens with a PKCE challenge. */
  consent(codeChallenge: string): string;
  close(): Promise<void>;
}

const maxPageSize = 2;

export async function startAcmeVendor(): Promise<AcmeVendor> {
  const requests: string[] = [];
  const limited = { requests: 0, seconds: 0 };
  const now = (): string => new Date().toISOString();
  const contacts: Table = {
    records: ['Ada', 'Grace', 'Alan', 'Barbara', 'Donald'].map((name, index) => ({
      id: `c${index}`,
      name,
      score: index * 10,
      updated_at: `2026-01-0${index + 1}T00:00:00.000Z`,
    })),
    deleted: [],
  };
  const deals: Table = {
    records: ['open', 'won', 'open'].map((stage, index) => ({
      id: `922337203685477580${index}`,
      title: `Deal ${index}`,
      stage,
      amount: 99.5,
      contact_id: 'c0',
      updated_at: '2026-02-01T00:00:00.000Z',
    })),
    deleted: [],
  };
  const tables = { contacts, deals };
  const codes = new Map<string, string>();
  const tokens = { access: new Set<string>(), refresh: new Set<string>() };

  const server = createServer((request, response) => {
    void answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, headers } = await respond(request);
    // Deals have numbers as ids.
    const written = JSON.stringify(body).replaceAll(/"id":"(\d+)"/g, '"id":$1');
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(written);
  }

  interface Response {
    readonly status: number;
    readonly body: unknown;
    readonly headers?: Record<string, string>;
  }

  async function respond(request: IncomingMessage): Promise<Response> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, host = '', ...segments] = url.pathname.split('/');
    if (host === 'login.acme-crm.example') return issueTokens(new URLSearchParams(await text(request)));
    const [version, name = '', id] = segments;
    requests.push(`${request.method} /${[name, ...(id === undefined ? [] : [id])].join('/')}${url.search}`);
    if (limited.requests > 0) {
      limited.requests -= 1;
      return { status: 429, body: {}, headers: { 'retry-after': String(limited.seconds) } };
    }
    const { authorization = '', 'x-api-key': key } = request.headers;
    if (key !== acmeKey && !tokens.access.has(authorization.replace('Bearer ', '')))
      return { status: 401, body: { error: { code: 'invalid_credentials', message: 'Sign in again' } } };
    if (host !== 'api.acme-crm.example' || version !== 'v1') return { status: 404, body: {} };
    if (name === 'me') return { status: 200, body: { account_id: 'account-1' } };
    if (name !== 'contacts' && name !== 'deals') return { status: 404, body: {} };
    const table = tables[name];
    if (request.method === 'POST') {
      const created = { id: randomUUID(), ...((await json(request)) as object), updated_at: now() };
      table.records = [...table.records, created];
      return { status: 201, body: created };
    }
    const since = url.searchParams.get('updated_since') ?? '';
    if (id === 'deleted') {
      return {
        status: 200,
        body: pageOf(
          table.deleted.filter(({ deleted_at }) => deleted_at >= since),
          url,
        ),
      };
    }
    if (id === undefined) {
      const stage = url.searchParams.get('stage');
      const found = table.records.filter(
        record => record.updated_at >= since && (stage === null || record['stage'] === stage),
      );
      return { status: 200, body: pageOf(found, url) };
    }
    const record = table.records.find(record => record.id === id);
    if (record === undefined)
      return { status: 404, body: { error: { code: 'not_found', message: 'No such record' } } };
    if (request.method !== 'PATCH') return { status: 200, body: record };
    const changed = { ...record, ...((await json(request)) as object), updated_at: now() };
    table.records = table.records.map(other => (other === record ? changed : other));
    return { status: 200, body: changed };
  }

  function pageOf(records: readonly unknown[], { searchParams }: URL) {
    const first = Number(searchParams.get('cursor') ?? 0);
    const end = first + Math.min(maxPageSize, Number(searchParams.get('limit') ?? maxPageSize));
    return { data: records.slice(first, end), next_cursor: end < records.length ? String(end) : null };
  }

  /** Exchanges codes with PKCE, and refresh tokens that work once. */
  function issueTokens(form: URLSearchParams): Response {
    const code = form.get('code') ?? '';
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isCode = form.get('grant_type') === 'authorization_code' && codes.get(code) === challenge;
    if (form.get('client_secret') !== 'acme-client-secret')
      return { status: 401, body: { error: 'invalid_client' } };
    codes.delete(code);
    if (!isCode && !tokens.refresh.delete(form.get('refresh_token') ?? ''))
      return { status: 400, body: { error: 'invalid_grant' } };
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    tokens.access.add(access_token);
    tokens.refresh.add(refresh_token);
    return { status: 200, body: { access_token, refresh_token, token_type: 'Bearer', expires_in: 3600 } };
  }

  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get contacts() {
      return contacts.records;
    },
    set contacts(records) {
      contacts.records = records;
    },
    requests,
    count: () => requests.length,
    limit: (count, seconds) => Object.assign(limited, { requests: count, seconds }),
    delete: (table, id) => {
      tables[table].records = tables[table].records.filter(record => record.id !== id);
      tables[table].deleted.push({ id, deleted_at: now() });
    },
    expireTokens: () => tokens.access.clear(),
    consent: codeChallenge => {
      const code = randomUUID();
      codes.set(code, codeChallenge);
      return code;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
