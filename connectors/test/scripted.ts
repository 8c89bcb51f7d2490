/** A kind, a clock and a transport that tests can control. */
import type { Clock } from '@connector-auth/api';
import { z } from 'zod';
import { connect, type Connection, type ConnectionOptions } from '../src/kind/connection.ts';
import { readRetryAfter } from '../src/kind/failure.ts';
import { grantsInMemory, type Grant } from '../src/kind/grants.ts';
import { defineAction, defineKind, type Refresh } from '../src/kind/kind.ts';
import { unlimited } from '../src/kind/rate-limit.ts';
import { asObject, asString } from '../src/kind/record.ts';
import type { Transport } from '../src/kind/transport.ts';
import type { VendorResponse } from '../src/kind/vendor.ts';

/** A clock that advances only by sleeping, and records the sleeps. */
export function manualClock(startMs = 1_700_000_000_000): Clock & { readonly slept: number[] } {
  let now = startMs;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: (ms, signal) => {
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      slept.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}

/** Creates a transport that returns scripted responses and records the requests. Throws scripted errors. */
export function scriptedTransport(...script: (Partial<VendorResponse> | Error)[]) {
  const requests: Parameters<Transport>[0][] = [];
  const transport: Transport = request => {
    requests.push(request);
    const next = script.shift();
    if (next === undefined) throw new Error(`unexpected vendor call: ${request.method} ${request.url}`);
    if (next instanceof Error) return Promise.reject(next);
    return Promise.resolve({ status: 200, headers: {}, body: {}, ...next });
  };
  return { transport, requests, left: () => script.length };
}

/** Repeats an item. */
export function times<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item);
}

const refresh: Refresh = {
  isDue: ({ credentials }) => credentials['access_token'] === undefined,
  request: ({ credentials }) => ({
    method: 'POST',
    url: 'https://things.example/token',
    form: { refresh_token: String(credentials['refresh_token']) },
  }),
  read: ({ body }, grant) => ({ ...grant, credentials: { ...asObject(body) } }),
};

/** A kind with one action that reads, one that writes, and two auth methods. */
export const things = defineKind({
  key: 'things',
  name: 'Things',
  definitionId: '00000000-0000-4000-8000-000000000001',
  description: 'Things',
  supportLevel: 'community',
  icon: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  environmentPrefix: 'OAUTH_THINGS',
  hosts: ['things.example'],
  authMethods: [
    {
      id: 'key',
      type: 'credentials',
      title: 'Key',
      description: 'A key',
      helpUrl: null,
      fields: z.strictObject({ key: z.string().min(1) }),
      rejectedField: 'key',
      authorize: (request, { credentials }) => ({ ...request, headers: { key: String(credentials['key']) } }),
      revocation: { pageUrl: 'https://things.example/keys' },
    },
    {
      id: 'tokens',
      type: 'oauth',
      title: 'Tokens',
      description: 'Tokens',
      helpUrl: null,
      fields: z.strictObject({ refresh_token: z.string().min(1), access_token: z.string().optional() }),
      rejectedField: 'refresh_token',
      authorize: (request, { credentials }) => ({
        ...request,
        headers: { authorization: `Bearer ${String(credentials['access_token'])}` },
      }),
      refresh,
      revocation: { pageUrl: 'https://things.example/apps' },
    },
  ],
  rateLimits: [
    { countedBy: 'key', subject: ({ credentials }) => String(credentials['key']), burst: 2, perSecond: 1 },
  ],
  fullSyncCallsPerHour: 0,
  entities: {
    things: {
      description: 'Things',
      actions: {
        list: defineAction({
          summary: 'List things',
          params: z.strictObject({ page: z.int().min(1).optional(), size: z.int().max(10).optional() }),
          record: z.object({ id: z.string() }),
          run: async ({ page = 1 }, vendor) => {
            const { body } = await vendor.send({
              method: 'GET',
              url: 'https://things.example/things',
              query: { page },
            });
            const { ids, more } = body as { ids: string[]; more: boolean };
            return { result: ids.map(id => ({ id })), connector_metadata: { page, more } };
          },
          nextPage: (params, { connector_metadata: { page, more } }) =>
            more ? { ...params, page: page + 1 } : null,
        }),
        create: defineAction({
          summary: 'Create a thing',
          params: z.strictObject({ name: z.string() }),
          record: z.object({ id: z.string() }),
          run: async ({ name }, vendor) => {
            await vendor.send({ method: 'POST', url: 'https://things.example/things', body: { name } });
            return { result: { results: [] }, connector_metadata: null };
          },
        }),
      },
    },
  },
  check: {
    entity: 'things',
    action: 'list',
    run: async vendor => {
      await vendor.send({ method: 'GET', url: 'https://things.example/things' });
      return { account: null };
    },
  },
  readFailure: ({ status, headers, body }) => {
    if (status < 400) return null;
    const details = { message: asString(asObject(body)['message']) };
    if (status === 401) return { kind: 'credentials', ...details };
    if (status === 404) return { kind: 'not_found', ...details };
    if (status === 429)
      return { kind: 'rate_limit', ...details, retryAfterSeconds: readRetryAfter(headers['retry-after'], 0) };
    return { kind: status >= 500 ? 'vendor' : 'request', ...details };
  },
});

const keyGrant: Grant = { method: 'key', credentials: { key: 'k-1' }, state: {}, settings: {} };

/** Connects to {@link things} over a scripted transport. */
export function connectThings(
  transport: Transport,
  options: Partial<ConnectionOptions> & { grant?: Grant } = {},
): Connection {
  const { grant = keyGrant, ...rest } = options;
  return connect({
    kind: things,
    grants: grantsInMemory(grant),
    transport,
    limiter: unlimited,
    clock: manualClock(),
    random: () => 0.5,
    ...rest,
  });
}
