/**
 * Tests that every entity and action in the specification returns the same results and errors in open source
 * mode and in hosted mode.
 */
import { readFileSync } from 'node:fs';
import { ConnectorAuthError, parseJson, stringifyJson } from '@connector-auth/api';
import { findKind, Gong, GoogleAds, Granola, TikTokMarketing } from '@connector-auth/connectors';
import {
  createTransport,
  unlimited,
  type ConnectorOptions,
  type Operation,
} from '@connector-auth/connectors/kind';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from './engines.ts';
import { startTestService, type TestService } from './test-service.ts';

/** A connector without its types. */
interface Untyped {
  execute(
    entity: string,
    action: string,
    params?: Readonly<Record<string, unknown>>,
  ): Promise<{ result: unknown; connector_metadata: unknown }>;
  check(): Promise<unknown>;
}

type Mode = 'open source' | 'hosted';
const modes: readonly Mode[] = ['open source', 'hosted'];

const classes = {
  granola: Granola,
  gong: Gong,
  'tiktok-marketing': TikTokMarketing,
  'google-ads': GoogleAds,
} as unknown as Readonly<Record<string, new (options: ConnectorOptions) => unknown>>;

const customerName = 'both-modes';

onPostgresOrEachEngineInFull('both modes', database => {
  let service: TestService;
  let application: Awaited<ReturnType<TestService['addApplication']>>;

  beforeAll(async () => {
    service = await startTestService(database());
    application = await service.addApplication('both-modes', ['Both modes']);
    const token = await service.tokenOf(application);
    for (const kind of Object.keys(classes)) {
      const body = {
        customer_name: customerName,
        connector_type: kind,
        name: kind,
        credentials: credentialsOf(kind),
      };
      const { status, text } = await service.ask('POST', '/api/v1/integrations/connectors', { token, body });
      if (status !== 201) throw new Error(`${kind} could not be connected: ${text}`);
    }
  });
  afterAll(() => service.close());

  function credentialsOf(kind: string): Readonly<Record<string, string>> {
    const vendor = service.sandbox.control.vendors().find(({ key }) => key === kind);
    const credential = vendor?.credentials.find(({ works }) => works);
    if (!credential) throw new Error(`The sandbox has no credentials for ${kind}`);
    return credential.values;
  }

  const opened = new Map<string, Untyped>();
  function open(kind: string, mode: Mode): Untyped {
    const connector = opened.get(`${kind} ${mode}`) ?? make(kind, mode);
    opened.set(`${kind} ${mode}`, connector);
    return connector;
  }

  function make(kind: string, mode: Mode): Untyped {
    const Connector = classes[kind];
    if (!Connector) throw new Error(`No class for ${kind}`);
    const { clientId, clientSecret } = application;
    return new Connector(
      mode === 'hosted'
        ? { hosted: { customerName, clientId, clientSecret, baseUrl: service.url } }
        : {
            credentials: credentialsOf(kind),
            transport: createTransport({ sandboxUrl: service.sandbox.url }),
            limiter: unlimited,
          },
    ) as Untyped;
  }

  describe.each(Object.keys(classes))('%s', kind => {
    const inBothModes = async (run: (connector: Untyped) => Promise<unknown>) =>
      Promise.all(modes.map(mode => run(open(kind, mode)).catch(describeError)));

    test('these tests call every entity and action in the specification', () => {
      expect(Object.keys(operations[kind] ?? {}).toSorted()).toEqual(specifiedOperations(kind).toSorted());
    });

    test.each(Object.entries(operations[kind] ?? {}))(
      '%s returns the same result in both modes',
      async (name, paramsOf) => {
        const [entity = '', action = ''] = name.split('.');
        const run = async (mode: Mode) => {
          const connector = open(kind, mode);
          return connector.execute(entity, action, await paramsOf(connector, mode));
        };
        const [openSource, hosted] = [await run('open source'), await run('hosted')];
        expect(comparable(hosted, action)).toEqual(comparable(openSource, action));
        if (action === 'list') expect(openSource.result).not.toEqual([]);
      },
    );

    test.each(invalidCalls(kind))(
      'rejects invalid params of $entity.$action with the same issues and no vendor call',
      async operation => {
        service.sandbox.control.requests.clear();
        const [openSource, hosted] = await inBothModes(connector =>
          connector.execute(operation.entity, operation.action, operation.params ?? {}),
        );
        expect(hosted).toEqual(openSource);
        expect(hosted).toHaveProperty('code');
        expect(service.sandbox.control.requests.list()).toEqual([]);
      },
    );

    test('reports a vendor rate limit identically in both modes', async () => {
      service.sandbox.control.faults.add({ vendor: kind, status: 429, retryAfter: 3600 });
      try {
        const name = Object.keys(operations[kind] ?? {}).find(operation => operation.endsWith('.list')) ?? '';
        const [entity = '', action = ''] = name.split('.');
        const params = (await operations[kind]?.[name]?.(null, 'hosted')) ?? {};
        const [openSource, hosted] = await inBothModes(connector =>
          connector.execute(entity, action, params),
        );
        expect(hosted).toEqual(openSource);
        expect(hosted).toMatchObject({ code: 'vendor_rate_limited' });
      } finally {
        service.sandbox.control.faults.clear();
      }
    });

    test('check returns the same result in both modes', async () => {
      const [openSource, hosted] = await inBothModes(connector => connector.check());
      expect(hosted).toEqual(openSource);
      expect(hosted).toMatchObject({ status: 'healthy' });
    });
  });

  test('returns private fields in both modes if the connector object allows them', async () => {
    const { clientId, clientSecret } = application;
    const open = {
      credentials: { api_key: credentialsOf('granola')['api_key'] ?? '' },
      transport: createTransport({ sandboxUrl: service.sandbox.url }),
      limiter: unlimited,
    };
    const hosted = { customerName, clientId, clientSecret, baseUrl: service.url };
    const allowedData = ['private_fields'] as const;
    const note_id = (await new Granola(open).notes.list({ page_size: 1 })).result[0]?.id ?? '';
    const [openSource, inService] = await Promise.all(
      [{ ...open, allowedData }, { hosted: { ...hosted, allowedData } }].map(options =>
        new Granola(options).notes.get({ note_id }),
      ),
    );
    expect(inService).toEqual(openSource);
    expect(inService?.result).toHaveProperty('private_notes_text');
    expect((await new Granola({ hosted }).notes.get({ note_id })).result).not.toHaveProperty(
      'private_notes_text',
    );
  });

  test('requires a connector id when a customer has several connectors of the same kind', async () => {
    const token = await service.tokenOf(application);
    const ids: string[] = [];
    for (const name of ['first', 'second']) {
      const body = {
        customer_name: 'several',
        connector_type: 'granola',
        name,
        credentials: credentialsOf('granola'),
      };
      ids.push(
        (await service.ask('POST', '/api/v1/integrations/connectors', { token, body })).body.id as string,
      );
    }
    const hosted = { ...application, customerName: 'several', baseUrl: service.url };
    const { clientId, clientSecret, baseUrl } = hosted;
    const ambiguous = new Granola({ hosted: { customerName: 'several', clientId, clientSecret, baseUrl } });
    await expect(ambiguous.notes.list()).rejects.toMatchObject({ code: 'connector_ambiguous' });
    const chosen = new Granola({
      hosted: { customerName: 'several', clientId, clientSecret, baseUrl, connectorId: ids[1] ?? '' },
    });
    expect((await chosen.notes.list({ page_size: 1 })).result).toHaveLength(1);
  });

  test('reports connector_not_found until the customer has a connector', async () => {
    const { clientId, clientSecret } = application;
    const granola = new Granola({
      hosted: { customerName: 'late', clientId, clientSecret, baseUrl: service.url },
    });
    await expect(granola.notes.list()).rejects.toMatchObject({ code: 'connector_not_found' });
    const body = {
      customer_name: 'late',
      connector_type: 'granola',
      name: 'Late',
      credentials: credentialsOf('granola'),
    };
    await service.ask('POST', '/api/v1/integrations/connectors', {
      token: await service.tokenOf(application),
      body,
    });
    expect((await granola.notes.list({ page_size: 1 })).result).toHaveLength(1);
  });
});

type ParamsOf = (
  connector: Untyped | null,
  mode: Mode,
) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>;

/** An advertiser and a customer in the sandbox's default accounts. */
const advertiser_id = '7210046633581101057';
const customer_id = '6120459183';

const report =
  (data_level: string, id: string): ParamsOf =>
  () => ({
    advertiser_id,
    service_type: 'AUCTION',
    report_type: 'BASIC',
    data_level,
    dimensions: JSON.stringify([id, 'stat_time_day']),
    metrics: '["spend","impressions","clicks","likes"]',
    start_date: '2026-10-01',
    end_date: '2026-10-07',
    page_size: 20,
  });
const ofAdvertiser: ParamsOf = () => ({ advertiser_id, page_size: 20 });
const ofCustomer: ParamsOf = () => ({ customer_id, pageSize: 25 });

/** Returns the first record of a list. */
async function first(
  connector: Untyped | null,
  entity: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Record<string, Record<string, string>>> {
  const { result } = (await connector?.execute(entity, 'list', params)) ?? {};
  const [record] = result as Record<string, Record<string, string>>[];
  if (!record) throw new Error(`${entity} is empty`);
  return record;
}

async function resourceName(
  connector: Untyped | null,
  entity: string,
  key: string,
  where: string,
): Promise<string> {
  const query = `SELECT ${key}.resource_name FROM ${key} ${where}`;
  const camel = key.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const record = await first(connector, entity, { customer_id, query });
  return record[camel]?.['resourceName'] ?? '';
}

/** Creates a label that is not attached to anything yet. */
async function newLabel(connector: Untyped | null, mode: Mode, name: string): Promise<string> {
  const { result } = (await connector?.execute('labels', 'create', {
    customer_id,
    operations: [{ create: { name: `${name} ${mode} ${Math.random()}` } }],
  })) ?? { result: null };
  return (result as { results: { resourceName: string }[] }).results[0]?.resourceName ?? '';
}

const operations: Readonly<Record<string, Readonly<Record<string, ParamsOf>>>> = {
  granola: {
    'notes.list': () => ({ page_size: 5, created_after: '2026-01-01' }),
    'notes.get': async connector => ({
      note_id: (await first(connector, 'notes', { page_size: 1 }))['id'],
      include: 'transcript',
    }),
  },
  gong: {
    'users.list': () => ({}),
    'users.get': async connector => ({ id: (await first(connector, 'users', {}))['id'] }),
    'calls.list': () => ({}),
    'calls.get': async connector => ({ id: (await first(connector, 'calls', {}))['id'] }),
    'calls_extensive.list': () => ({
      filter: { fromDateTime: '2026-10-01T00:00:00Z', toDateTime: '2026-10-08T00:00:00Z' },
    }),
    'call_transcripts.list': () => ({
      filter: { fromDateTime: '2026-10-01T00:00:00Z', toDateTime: '2026-10-08T00:00:00Z' },
    }),
  },
  'tiktok-marketing': {
    'advertisers.list': () => ({ advertiser_ids: JSON.stringify([advertiser_id]) }),
    'campaigns.list': ofAdvertiser,
    'ad_groups.list': ofAdvertiser,
    'ads.list': ofAdvertiser,
    'audiences.list': ofAdvertiser,
    'creative_assets_images.list': ofAdvertiser,
    'creative_assets_videos.list': ofAdvertiser,
    'advertisers_reports_daily.list': report('AUCTION_ADVERTISER', 'advertiser_id'),
    'campaigns_reports_daily.list': report('AUCTION_CAMPAIGN', 'campaign_id'),
    'ad_groups_reports_daily.list': report('AUCTION_ADGROUP', 'adgroup_id'),
    'ads_reports_daily.list': report('AUCTION_AD', 'ad_id'),
  },
  'google-ads': {
    'accessible_customers.list': () => ({}),
    'accounts.list': ofCustomer,
    'campaigns.list': ofCustomer,
    'campaigns.update': async connector => ({
      customer_id,
      operations: [
        {
          update: {
            resourceName: await resourceName(
              connector,
              'campaigns',
              'campaign',
              "WHERE campaign.status = 'ENABLED'",
            ),
            status: 'PAUSED',
          },
        },
      ],
    }),
    'ad_groups.list': ofCustomer,
    'ad_groups.update': async connector => ({
      customer_id,
      operations: [
        {
          updateMask: 'cpcBidMicros',
          update: {
            resourceName: await resourceName(
              connector,
              'ad_groups',
              'ad_group',
              "WHERE ad_group.status = 'ENABLED'",
            ),
            cpcBidMicros: '1230000',
          },
        },
      ],
    }),
    'ad_group_ads.list': ofCustomer,
    'campaign_labels.list': ofCustomer,
    'campaign_labels.create': async (connector, mode) => ({
      customer_id,
      operations: [
        {
          create: {
            campaign: await resourceName(
              connector,
              'campaigns',
              'campaign',
              "WHERE campaign.status = 'ENABLED'",
            ),
            label: await newLabel(connector, mode, 'campaign'),
          },
        },
      ],
    }),
    'ad_group_labels.list': ofCustomer,
    'ad_group_labels.create': async (connector, mode) => ({
      customer_id,
      operations: [
        {
          create: {
            adGroup: await resourceName(
              connector,
              'ad_groups',
              'ad_group',
              "WHERE ad_group.status = 'ENABLED'",
            ),
            label: await newLabel(connector, mode, 'ad group'),
          },
        },
      ],
    }),
    'ad_group_ad_labels.list': ofCustomer,
    'labels.create': (_connector, mode) => ({
      customer_id,
      operations: [
        { create: { name: `Label ${mode} ${Math.random()}`, textLabel: { backgroundColor: '#336699' } } },
      ],
    }),
  },
};

/** Returns every entity and action in the specification. */
function specifiedOperations(kind: string): string[] {
  const file = new URL(`../../connectors/src/specification/${kind}.json`, import.meta.url);
  const { entities } = JSON.parse(readFileSync(file, 'utf8')) as {
    entities: Record<string, { actions: Record<string, unknown> }>;
  };
  return Object.entries(entities).flatMap(([entity, { actions }]) =>
    Object.keys(actions).map(action => `${entity}.${action}`),
  );
}

/** Returns calls to each entity and action with unknown, missing and invalid params. */
function invalidCalls(kind: string): Operation[] {
  const entities = Object.entries(findKind(kind)?.entities ?? {});
  return [
    { entity: 'nothing', action: 'list' },
    { entity: entities[0]?.[0] ?? '', action: 'destroy' },
    ...entities.flatMap(([entity, { actions }]) =>
      Object.keys(actions).map(action => ({
        entity,
        action,
        params: {
          colour: 'red',
          page: 0,
          page_size: 1e9,
          pageSize: 'many',
          customer_id: '612-045-9183',
          created_after: 'yesterday',
          advertiser_ids: '7210046633581101057',
          operations: [],
        },
      })),
    ),
  ];
}

/** Describes an error without its request id, which only hosted mode has. */
function describeError(error: unknown): unknown {
  if (!(error instanceof ConnectorAuthError)) throw error;
  const { code, message, errors, vendor, retryAfterSeconds } = error;
  return { code, message, errors, vendor, retryAfterSeconds };
}

/**
 * Removes the values that differ between two calls, such as the expiry of signed URLs and the ids of new
 * objects.
 */
function comparable(outcome: unknown, action: string): unknown {
  const text = stringifyJson(outcome)
    .replaceAll(/x-expires=\d+/g, 'x-expires=#')
    .replaceAll(/("preview_url_expire_time":)"[^"]*"/g, '$1"#"');
  return parseJson(action === 'list' || action === 'get' ? text : text.replaceAll(/\d+/g, '0'));
}
