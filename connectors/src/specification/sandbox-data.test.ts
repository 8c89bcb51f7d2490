import { readFileSync } from 'node:fs';
import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  connect,
  createTransport,
  execute,
  grantsInMemory,
  parseGrant,
  unlimited,
  type Connection,
  type Kind,
} from '../kind/index.ts';
import { kinds } from '../kinds.ts';

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** Recent days of the ad accounts that have data, so that the syncs are short. */
const settingsOf: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'tiktok-marketing': {
    start_date: '2026-11-15',
    advertiser_ids: ['7210046633581101057', '6998112233445566778', '7305518842910334977'],
  },
  'google-ads': { start_date: '2026-11-19' },
};

function connectTo(kind: Kind): Connection {
  const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === kind.key) ?? {};
  const values = credentials.find(({ works }) => works)?.values ?? {};
  return connect({
    kind,
    grants: grantsInMemory(parseGrant(kind, values, settingsOf[kind.key]), () => {}),
    transport: createTransport({ sandboxUrl: sandbox.url }),
    limiter: unlimited,
  });
}

/** Removes the names that have a value in one of the records. */
function removeFilled(names: Set<string>, records: readonly unknown[]): void {
  for (const record of records) {
    for (const name of names) {
      // Records are objects.
      const value = (record as Readonly<Record<string, unknown>>)[name];
      if (value !== null && value !== undefined) names.delete(name);
    }
  }
}

const searchable = kinds.flatMap((kind: Kind) =>
  Object.entries(kind.entities).flatMap(([entity, { search }]) =>
    search ? [[`${kind.key} ${entity}`, kind, search] as const] : [],
  ),
);

test.each(searchable)('the sandbox fills every search field of %s', async (_title, kind, search) => {
  const empty = new Set(Object.keys(search.fields));
  // The addresses of Gong's media expire, so syncs do not request them.
  if (kind.key === 'gong') empty.delete('media');
  const vendor = await connectTo(kind).vendorFor({ repeatable: true });
  for await (const { records } of search.sync.run(vendor, { since: null, position: null })) {
    removeFilled(empty, records);
    if (empty.size === 0) break;
  }
  expect([...empty]).toEqual([]);
});

interface Specified {
  readonly entities: Readonly<
    Record<string, { readonly actions: Readonly<Record<string, { readonly record: object } | null>> }>
  >;
}
const tiktok = JSON.parse(
  readFileSync(new URL('tiktok-marketing.json', import.meta.url), 'utf8'),
) as Specified;
const ids = '["7210046633581101057","6998112233445566778"]';

test.each([
  ['advertisers', { advertiser_ids: ids }],
  ...['campaigns', 'ad_groups', 'ads', 'audiences', 'creative_assets_images', 'creative_assets_videos'].map(
    entity => [entity, { advertiser_id: '7210046633581101057' }] as const,
  ),
] as const)('the sandbox fills every specified field of TikTok %s in lists', async (entity, first) => {
  const kind = kinds.find(({ key }) => key === 'tiktok-marketing') as Kind;
  const connection = connectTo(kind);
  const { list } = kind.entities[entity]?.actions ?? {};
  const specified = Object.keys(tiktok.entities[entity]?.actions['list']?.record ?? {});
  const empty = new Set(specified.filter(path => !path.includes('.') && !path.includes('[]')));
  expect(empty.size).toBeGreaterThan(5);
  let params: Readonly<Record<string, unknown>> | null = first;
  while (params !== null && empty.size > 0) {
    const page = await execute(connection, { entity, action: 'list', params });
    // Lists return arrays.
    removeFilled(empty, page.result as readonly unknown[]);
    params = (list?.nextPage?.(params, page) ?? null) as typeof params;
  }
  expect([...empty]).toEqual([]);
});
