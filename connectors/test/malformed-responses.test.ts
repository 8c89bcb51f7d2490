import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  connect,
  grantsInMemory,
  unlimited,
  type Grant,
  type Kind,
  type Transport,
  type VendorRequest,
} from '../src/kind/index.ts';
import { kinds } from '../src/kinds.ts';
import { manualClock } from './scripted.ts';

/** Successful responses that a vendor's list never returns. */
const withoutRecords = [{}, null, [], 'ok', { error: 'maintenance' }, { results: 'many', notes: {} }];

/** Requests that a kind sends before it requests an entity's records, with their responses. */
const preliminary: readonly [path: string, body: unknown][] = [
  ['/token', { access_token: 'a', expires_in: 3599 }],
  ['customers:listAccessibleCustomers', { resourceNames: ['customers/6120459183'] }],
  ['/advertiser/info/', { code: 0, data: { list: [{ advertiser_id: '7' }] } }],
];
const clients = { results: [{ customerClient: { id: '6120459183', status: 'ENABLED' } }] };

const grants: Readonly<Record<string, Partial<Grant>>> = {
  granola: { method: 'api_key', credentials: { api_key: 'k' } },
  gong: { method: 'access_key', credentials: { access_key: 'a', access_key_secret: 'b' } },
  'tiktok-marketing': {
    method: 'access_token',
    credentials: { access_token: 't' },
    settings: { advertiser_ids: ['7'] },
  },
  'google-ads': {
    method: 'credentials',
    credentials: { client_id: 'c', client_secret: 's', refresh_token: 'r', developer_token: 'd' },
  },
};

/** A vendor that responds to requests for records with `response`. */
function vendorOf(kind: Kind, response: (request: VendorRequest) => unknown) {
  const transport: Transport = request => {
    const isAboutClients = JSON.stringify(request.body ?? null).includes('FROM customer_client');
    const [, known = isAboutClients ? clients : response(request)] =
      preliminary.find(([path]) => request.url.endsWith(path)) ?? [];
    return Promise.resolve({ status: 200, headers: {}, body: known });
  };
  const grant = { method: '', credentials: {}, state: {}, settings: {}, ...grants[kind.key] };
  const clock = manualClock(Date.parse('2026-11-21T12:00:00Z'));
  return connect({ kind, grants: grantsInMemory(grant), transport, limiter: unlimited, clock }).vendorFor({
    repeatable: true,
    deadlineMs: Infinity,
  });
}

const listed = kinds.flatMap(kind =>
  Object.entries(kind.entities).flatMap(([name, { search }]) =>
    // Advertisers are requested by id, which is one of the preliminary calls.
    search && name !== 'advertisers' ? [{ kind, name, sync: search.sync, key: kind.key }] : [],
  ),
);

/** Wraps a body in TikTok's envelope, without which no TikTok response is a success. */
const enveloped = (kind: Kind, body: unknown) =>
  kind.key === 'tiktok-marketing' ? { code: 0, data: body } : body;

describe.each(listed)('a sync run of $key $name', ({ kind, sync }) => {
  test.each(withoutRecords)('fails on %j instead of finishing', async body => {
    const vendor = await vendorOf(kind, () => enveloped(kind, body));
    const runSync = async () => {
      for await (const { since } of sync.run(vendor, { since: null, position: null }))
        expect(since).toBeUndefined();
    };
    await expect(runSync()).rejects.toMatchObject({ code: 'vendor_failed' });
  });
});

const params: Readonly<Record<string, object>> = {
  'tiktok-marketing': { advertiser_id: '7', advertiser_ids: '["7"]' },
  'google-ads': { customer_id: '6120459183' },
};

describe.each(listed.filter(({ kind, name }) => kind.entities[name]?.actions.list))(
  'a list of $key $name',
  ({ kind, name }) => {
    test.each(withoutRecords)('reports %j as a vendor failure', async body => {
      const vendor = await vendorOf(kind, () => enveloped(kind, body));
      const list = kind.entities[name]?.actions.list?.run(params[kind.key] ?? {}, vendor);
      await expect(list).rejects.toMatchObject({ code: 'vendor_failed', status: 502 });
    });
  },
);

describe('a page without a valid next page', () => {
  test.each([
    ['granola', 'notes', { notes: [{ id: 'not_1' }], hasMore: true }],
    ['granola', 'notes', { notes: [{ id: 'not_1' }], hasMore: true, cursor: '' }],
    ['gong', 'users', { users: [{ id: '1' }], records: { cursor: 7 } }],
    ['tiktok-marketing', 'campaigns', { list: [{ campaign_id: '1' }] }],
    ['tiktok-marketing', 'ads_reports_daily', { list: [], page_info: {} }],
    ['google-ads', 'campaigns', { results: [{}], nextPageToken: 7 }],
  ])('%s %s fails on %j instead of treating it as the last page', async (key, name, body) => {
    const found = listed.find(one => one.key === key && one.name === name);
    if (!found) throw new Error(`${key} has no ${name}`);
    const { kind, sync } = found;
    const vendor = await vendorOf(kind, () => enveloped(kind, body));
    const pages = sync.run(vendor, { since: null, position: null })[Symbol.asyncIterator]();
    await expect(pages.next()).rejects.toMatchObject({ code: 'vendor_failed' });
    const list = kind.entities[name]?.actions.list?.run(params[key] ?? {}, vendor);
    await expect(list).rejects.toMatchObject({ code: 'vendor_failed' });
  });
});

describe('an empty list from the vendor', () => {
  test.each([
    ['granola', 'notes', 'granola/fixtures/list_empty_no_cursor.json'],
    ['tiktok-marketing', 'campaigns', 'tiktok-marketing/fixtures/campaign_get_3_empty.json'],
    ['google-ads', 'campaigns', 'google-ads/fixtures/search_campaigns_5_empty.json'],
  ])('%s %s reads an empty list from %s', async (key, name, file) => {
    const body: unknown = JSON.parse(readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8'));
    const kind = kinds.find(one => one.key === key);
    if (!kind) throw new Error(`there is no ${key}`);
    const list = kind.entities[name]?.actions.list;
    const outcome = list?.run(params[key] ?? {}, await vendorOf(kind, () => body));
    await expect(outcome).resolves.toMatchObject({ result: [] });
  });
});
