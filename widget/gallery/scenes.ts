import type {
  ActivityEntry,
  Agent,
  Connector,
  EntitySync,
  ListDefinitionsResponse,
  ManagementRight,
} from '@connector-auth/api';
import type { ConnectorAuthElement } from '../src/index.ts';
import {
  account,
  accountList,
  apiKeyMethod,
  connectLink,
  connector,
  consentMethod,
  definition,
  detail,
  json,
  never,
  oauthSession,
  outage,
  problem,
  searchableSources,
  sources,
  words,
  type FakeService,
  type Handler,
} from './fake-service.ts';
import { interceptWindows } from './fake-windows.ts';

/** A widget state, described by the service's responses and the user's actions that lead to it. */
export interface Scene {
  readonly name: string;
  readonly routes?: Readonly<Record<string, Handler>>;
  /** The attributes in addition to `token-url`. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  /** The behaviour of windows that the widget opens. */
  readonly windows?: 'intercepted' | 'blocked';
  /** Accepts what the widget copies, which browsers forbid without a real click. */
  readonly clipboard?: 'faked';
  /** A selector that matches once the scene is complete. */
  readonly shows: string;
}

/** A user action: clicking an element or typing into it. */
type Step = { readonly click: string } | { readonly type: string; readonly into: string };

const list = '/integrations/connectors';
const catalog = 'GET /integrations/definitions/sources';
const pickGranola: Step = { click: '[data-id="def-granola"]' };
const integrator = {
  name: 'Acme Analytics',
  logo_url: `${location.origin}/no-such-logo.png`,
  support_url: 'https://acme.example/support',
};
const enterKey: Step = { type: 'grn_live_5f2a90', into: '[id="field-credentials.api_key"]' };
const submit: Step = { click: '.primary' };

const mine = [
  connector({ id: 'mine-1', name: 'Granola' }),
  connector({
    id: 'mine-2',
    name: 'Gong EMEA',
    definition_id: 'def-gong',
    connector_type: 'gong',
    status: 'needs_reauth',
  }),
];
const withMine = { [`GET ${list}`]: () => json({ data: mine, meta: { cursor: null, has_more: false } }) };

/** Returns the time that is some minutes from now. */
const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
const entity = (title: string, fields: Partial<EntitySync> = {}): EntitySync => ({
  title,
  state: 'done',
  records: 0,
  last_synced_at: minutes(-2),
  last_error: null,
  retry_at: null,
  ...fields,
});
/** A connector in each state that users can see. */
const inEveryState = [
  connector({
    id: 'state-1',
    sync: { status: 'ready', entities: { notes: entity(words.granola.notes.title, { records: 1200 }) } },
  }),
  connector({
    id: 'state-2',
    name: 'Google Ads, EMEA brand campaigns and their agencies',
    definition_id: 'def-google-ads',
    sync: {
      status: 'building',
      entities: {
        ads: entity('Ads', { state: 'running', last_synced_at: null }),
        keywords: entity('Keywords'),
      },
    },
  }),
  connector({ id: 'state-3', name: 'Gong EMEA', definition_id: 'def-gong', status: 'needs_reauth' }),
  connector({
    id: 'state-4',
    name: 'TikTok Marketing',
    definition_id: 'def-tiktok-marketing',
    sync: {
      status: 'ready',
      entities: {
        ads: entity('Ads'),
        reports: entity('Reports', { state: 'failed', last_error: 'Not allowed' }),
      },
    },
  }),
];
const withEveryState = {
  [`GET ${list}`]: () => json({ data: inEveryState, meta: { cursor: null, has_more: false } }),
};
/** Sixteen sources in three categories, of which two have none. */
const inCategories = [
  ...sources.map((source, index) => ({
    ...source,
    category: index < 2 ? words.gong.category : words.googleAds.category,
  })),
  ...['Meta Ads', 'LinkedIn Ads', 'Microsoft Ads', 'Pinterest Ads'].map(name =>
    definition({ name, category: words.googleAds.category, description: words.googleAds.description }),
  ),
  ...['HubSpot', 'Close', 'Zoho CRM', 'Streak', 'Copper'].map(name =>
    definition({
      name,
      category: 'CRM',
      description: 'Companies, contacts and deals',
      supportLevel: name === 'Copper' ? 'community' : 'certified',
    }),
  ),
  ...['Zoom', 'Fathom'].map(name =>
    definition({ name, category: words.gong.category, description: words.granola.description }),
  ),
  definition({ name: 'Notion', description: 'Pages and databases' }),
];
const manageFirst: Step = { click: '[data-id="mine-1"]' };

const everyField = {
  ...apiKeyMethod,
  schema: {
    type: 'object',
    required: ['client_id', 'client_secret', 'region', 'quota'],
    properties: {
      client_id: { type: 'string', title: 'Client ID', examples: ['1234-abcd.apps.example.com'] },
      client_secret: { type: 'string', title: 'Client secret', format: 'password' },
      region: {
        title: 'Region',
        oneOf: [
          { const: 'eu', title: 'Europe' },
          { const: 'us', title: 'United States' },
        ],
      },
      quota: { type: 'integer', title: 'Requests per minute', default: 60, minimum: 1, maximum: 600 },
      start_date: {
        type: 'string',
        format: 'date',
        title: 'Start date',
        description: 'Older data is not imported.',
      },
      notes: {
        type: 'string',
        title: 'Certificate',
        'x-multiline': true,
        examples: ['-----BEGIN CERTIFICATE-----'],
      },
      sandbox: { type: 'boolean', title: 'This is a test account', description: 'Its limits are lower.' },
      proxy: {
        type: 'object',
        title: 'Proxy',
        properties: { host: { type: 'string', title: 'Host' }, port: { type: 'integer', title: 'Port' } },
      },
    },
  },
};

const accessKeyMethod = {
  id: 'access_key',
  type: 'credentials' as const,
  title: words.gong.accessKey.title,
  description: words.gong.accessKey.description,
  instead: words.gong.accessKey.instead,
  help_url: null,
  schema: {
    type: 'object',
    required: ['access_key', 'access_key_secret'],
    properties: {
      access_key: { type: 'string', title: words.gong.accessKey.title, writeOnly: true },
      access_key_secret: { type: 'string', title: words.gong.accessKey.secret.title, writeOnly: true },
    },
  },
};
const twoMethods = [
  {
    ...apiKeyMethod,
    id: 'token',
    title: words.gong.signIn.title,
    description: words.gong.signIn.description,
  },
  accessKeyMethod,
];

const session = `GET ${list}/oauth/sessions/*`;
const withConsent = (fields: Parameters<typeof detail>[0] = {}) => ({
  [`${catalog}/*`]: () =>
    json(detail({ ...sources[1], auth_methods: [consentMethod, accessKeyMethod], ...fields })),
});
const denied = (reason: string | null) => () =>
  json(
    oauthSession({
      status: 'denied',
      error: { code: 'access_denied', message: `Gong: ${reason ?? 'Access was denied'}`, reason },
    }),
  );
const signIn: Step = { click: '[data-id="oauth"]' };
const settings = {
  type: 'object',
  properties: {
    advertiser_ids: {
      type: 'array',
      items: { type: 'string' },
      title: words.tikTok.advertiserIds.title,
      description: words.tikTok.advertiserIds.hint,
    },
    start_date: { type: 'string', format: 'date', title: 'Start date' },
  },
};
/** Responses that lead to the choice of accounts. */
const withAccounts = (list: Parameters<typeof accountList>[0] | Handler = {}) => ({
  ...withConsent({
    ...sources[2],
    auth_methods: [{ ...consentMethod, title: words.googleAds.signIn.title, lists_accounts: true }],
    accounts_setting: 'customer_ids',
    replication_schema: settings,
  }),
  [session]: () => json(oauthSession({ status: 'completed', secret_id: 'secret-1' })),
  [`${session}/accounts`]: typeof list === 'function' ? list : () => json(accountList(list)),
});
const accountsOf = (count: number) => Array.from({ length: count }, (_, index) => account(index + 1));
const toAccounts = { steps: [pickGranola, signIn], windows: 'intercepted' } as const;
/** A connector of Google Ads with everything that its screen can show. */
const ads = (fields: Partial<Connector> = {}, sync: Partial<Connector['sync']> = {}): Connector =>
  connector({
    id: 'mine-1',
    name: 'Google Ads',
    connector_type: 'google-ads',
    definition_id: 'def-google-ads',
    replication_config: { customer_id: ['6120459183', '6120459184', '6120459185'] },
    access: 'read',
    sync: {
      status: 'ready',
      next_sync_at: minutes(48.5),
      entities: {
        ads: entity('Ads', { records: 1204 }),
        campaigns: entity('Campaigns', { records: 86 }),
        daily_metrics: entity(words.tikTok.campaignReports.title, { records: 312_480 }),
      },
      ...sync,
    },
    ...fields,
  });
const activity: readonly ActivityEntry[] = [
  { id: '6', at: minutes(-2), actor: 'sync', action: 'sync', entity: 'ads', outcome: 'ok', records: 1204 },
  {
    id: '5',
    at: minutes(-2),
    actor: 'sync',
    action: 'sync',
    entity: 'campaigns',
    outcome: 'ok',
    records: 12,
  },
  {
    id: '4',
    at: minutes(-31),
    actor: 'integrator',
    action: 'search',
    entity: 'ads',
    outcome: 'ok',
    records: 20,
  },
  {
    id: '3',
    at: minutes(-62),
    actor: 'sync',
    action: 'sync',
    entity: 'ads',
    outcome: 'vendor_failed',
    records: 0,
  },
  {
    id: '2',
    at: minutes(-1500),
    actor: 'operator',
    action: 'connector.enabled',
    entity: null,
    outcome: 'ok',
    records: null,
  },
  {
    id: '1',
    at: minutes(-9000),
    actor: 'customer',
    action: 'connector.created',
    entity: null,
    outcome: 'ok',
    records: null,
  },
];
const withAds = (one: Connector, rights?: ListDefinitionsResponse['rights']) => ({
  [`GET ${list}`]: () => json({ data: [one], meta: { cursor: null, has_more: false } }),
  [`GET ${list}/*/activity`]: () => json({ data: activity, meta: { cursor: null, has_more: false } }),
  [catalog]: () =>
    json({
      definitions: sources.map(source =>
        source.name === 'Google Ads' ? { ...source, accounts_setting: 'customer_id' } : source,
      ),
      integrator,
      rights,
    }),
});
const vendorError = { last_error: 'Google Ads: Internal error', last_error_code: 'vendor_failed' };
const partlyFailing = ads(
  {},
  {
    entities: {
      ads: entity('Ads', { records: 1204 }),
      campaigns: entity('Campaigns', { state: 'running', last_synced_at: null, records: 40 }),
      daily_metrics: entity(words.tikTok.campaignReports.title, {
        state: 'failed',
        records: 312_480,
        last_synced_at: minutes(-190),
        ...vendorError,
        retry_at: minutes(4.5),
      }),
    },
  },
);
const importing = ads(
  {},
  {
    status: 'preview',
    next_sync_at: null,
    entities: {
      ads: entity('Ads', { records: 1204 }),
      campaigns: entity('Campaigns', { state: 'running', records: 86, last_synced_at: null }),
      daily_metrics: entity(words.tikTok.campaignReports.title, { state: 'waiting', last_synced_at: null }),
    },
  },
);
const allEntities = (fields: Partial<EntitySync>) => ({
  ads: entity('Ads', { records: 1204, ...fields }),
  campaigns: entity('Campaigns', { records: 86, ...fields }),
});

/** What a connection to Gong does. */
const gongAccess = {
  access: { level: 'read' as const, reads: [...words.gong.reads], changes: [], vendor_says: null },
  entities: [{ name: 'calls', ...words.gong.calls, is_synced: true }],
  sync_interval_minutes: 60,
};
/** What a connection to an ad platform does. */
const adsAccess = {
  vendor_name: 'Google',
  access: {
    level: 'read' as const,
    reads: [...words.googleAds.reads],
    changes: [...words.googleAds.changes],
    vendor_says: words.googleAds.consentSays,
  },
  entities: [
    {
      name: 'campaigns',
      ...words.googleAds.campaigns,
      is_synced: true,
    },
    { name: 'ads', ...words.googleAds.ads, is_synced: true },
    {
      name: 'ads_reports_daily',
      ...words.tikTok.adReports,
      is_synced: true,
    },
  ],
  sync_interval_minutes: 60,
  accounts_setting: 'advertiser_ids',
};
const signInToAds = {
  ...consentMethod,
  title: words.googleAds.signIn.title,
  description: words.googleAds.signIn.description,
  lists_accounts: true,
};
/** A source with a key, which says what the connection does and how to create the key. */
const guided = {
  access: { level: 'read' as const, reads: [...words.granola.reads], changes: [], vendor_says: null },
  entities: [
    {
      name: 'notes',
      ...words.granola.notes,
      is_synced: true,
    },
  ],
  sync_interval_minutes: 15,
  auth_methods: [
    {
      ...apiKeyMethod,
      guide: {
        steps: [...words.granola.apiKey.steps],
        url: 'https://app.granola.ai/settings/api',
        who: words.granola.apiKey.who,
      },
    },
  ],
};

/** Responses to a user who may send a link, for a source with a key. */
const withLinks = (
  routes: Scene['routes'] = {},
  fields: Parameters<typeof detail>[0] = guided,
  management: readonly ManagementRight[] = ['create', 'reconnect', 'link'],
) => ({
  [catalog]: () =>
    json({
      definitions: sources,
      integrator,
      rights: { actions: ['list', 'get'], management },
    }),
  [`${catalog}/*`]: () => json(detail(fields)),
  ...routes,
});
const links = '/integrations/connect-links';
const sendLink: Step = { click: '[part="link-button"]' };

/** A connector whose accounts were chosen. */
const withChoice = connector({
  id: 'mine-1',
  name: 'Google Ads',
  definition_id: 'def-google-ads',
  connector_type: 'google-ads',
  replication_config: { customer_ids: ['account-1'], start_date: '2026-01-01' },
});

/** Returns a new connector whose first sync is under way or complete. */
function firstSync(status: 'preview' | 'ready') {
  const done = { state: 'done', last_synced_at: '2026-10-02T09:31:00Z', last_error: null } as const;
  const ofAds = { name: 'Google Ads', definition_id: 'def-google-ads' };
  const dates = { from: '2025-11-03T08:00:00Z', to: '2026-10-02T07:12:00Z' };
  const latest = [
    'Autumn launch, video',
    'Brand search, always on',
    'Retargeting of visitors without a purchase',
  ].map((title, day) => ({ title, at: `2026-10-0${2 - (day % 2)}T07:12:00Z` }));
  const entities: Readonly<Record<string, EntitySync>> = {
    campaigns: { ...done, title: 'Campaigns', records: 86, dates, latest },
    ads: { ...done, title: 'Ads', records: 914, dates },
    ads_reports_daily: { ...done, title: words.tikTok.campaignReports.title, records: 11_480, dates },
    keywords: { ...done, title: 'Keywords', records: 3204 },
    ...Object.fromEntries(
      ['Audiences', 'Labels', 'Images', 'Videos', 'Accounts'].map((title, index) => [
        title,
        { ...done, title, records: 12 * (index + 1) },
      ]),
    ),
  };
  if (status === 'ready') return connector({ ...ofAds, sync: { status, entities } });
  const later = { ...done, last_synced_at: null, records: 0, state: 'waiting' } as const;
  const started = Object.entries(entities).map(([name, entity], index): readonly [string, EntitySync] => [
    name,
    index < 2 ? entity : { ...later, title: entity.title },
  ]);
  return connector({
    ...ofAds,
    sync: {
      status,
      entities: {
        ...Object.fromEntries(started),
        ads_reports_daily: {
          ...later,
          title: words.tikTok.campaignReports.title,
          state: 'running',
          records: 11_480,
        },
        keywords: { ...later, title: 'Keywords', retry_at: new Date(Date.now() + 30_500).toISOString() },
        ad_groups: { ...later, title: words.googleAds.adGroups.title, state: 'failed', ...vendorError },
      },
    },
  });
}

const days = (count: number) => minutes(count * 24 * 60 + 1);
/** Apps and agents that people have authorized. */
const agents: readonly Agent[] = [
  {
    id: 'agent-1',
    client: { id: 'https://claude.ai/oauth/client.json', name: 'Claude', host: 'claude.ai' },
    customer_name: 'acme',
    user: { id: 'user-1', name: 'Ana Silva' },
    scopes: ['read', 'search'],
    allowed_sources: null,
    authorized_at: days(-3),
    last_used_at: minutes(-2),
    expires_at: days(29),
  },
  {
    id: 'agent-2',
    client: { id: 'n3Xq', name: 'Claude (really, trust this one)', host: 'agents.mallory.example' },
    customer_name: 'acme',
    user: { id: 'user-2', name: 'Elizabeth Montgomery-Richardson the Third' },
    scopes: ['read', 'search', 'write', 'connect'],
    allowed_sources: ['gong', 'google-ads'],
    authorized_at: days(-20),
    last_used_at: days(-6),
    expires_at: days(160),
  },
  {
    id: 'agent-3',
    client: { id: 'b7Zk', name: null, host: null },
    customer_name: 'acme',
    user: { id: 'user-1', name: 'Ana Silva' },
    scopes: ['search'],
    allowed_sources: null,
    authorized_at: days(-1),
    last_used_at: minutes(-300),
    expires_at: minutes(200),
  },
  {
    id: 'agent-4',
    client: { id: 'https://claude.ai/oauth/client.json', name: 'Claude', host: 'claude.ai' },
    customer_name: 'acme',
    user: { id: 'user-3', name: 'Ana Silva' },
    scopes: ['read', 'search'],
    allowed_sources: null,
    authorized_at: minutes(-1),
    last_used_at: minutes(-1),
    expires_at: minutes(30 * 24 * 60 - 1),
  },
];
const mcpUrl = 'https://connect.acme.example/mcp/0b8f5c1e-7a43-4b52-9d0e-2f1f6c3a9d71';
const withAgents = (
  data: readonly Agent[],
  more: Readonly<Record<string, Handler>> = {},
): Readonly<Record<string, Handler>> => ({
  [catalog]: () => json({ definitions: sources, integrator, mcp_url: mcpUrl }),
  'GET /agents': () => json({ data, meta: { cursor: null, has_more: false } }),
  ...more,
});
const openAgents: Step = { click: '[part="agents-button"]' };
const endFirst: Step = { click: '[part="revoke-button"]' };

const withSearch = { [catalog]: () => json({ definitions: searchableSources }) };

/** The scenes, which cover every state of every screen. */
export const scenes: readonly Scene[] = [
  { name: 'catalog', shows: '[data-id="def-gong"]' },
  { name: 'catalog with connectors', routes: withMine, shows: '[data-id="mine-2"]' },
  {
    name: 'search',
    routes: { ...withMine, ...withSearch },
    steps: [{ type: 'go', into: 'input' }],
    shows: '[part="clear-button"]',
  },
  {
    name: 'search without a match',
    routes: withSearch,
    steps: [{ type: 'salesfroce', into: 'input' }],
    shows: '.empty-state',
  },
  {
    name: 'search without a match, request',
    routes: withSearch,
    attributes: { requests: '' },
    steps: [{ type: 'Salesforce', into: 'input' }],
    shows: '[part="request-button"]',
  },
  {
    name: 'search without a match, requested',
    routes: withSearch,
    attributes: { requests: '' },
    steps: [{ type: 'Salesforce', into: 'input' }, { click: '[part="request-button"]' }],
    shows: '.empty-state',
  },
  {
    name: 'catalog with categories',
    routes: { ...withEveryState, [catalog]: () => json({ definitions: inCategories }) },
    shows: '[part="source"]',
  },
  {
    name: 'catalog with agents',
    routes: { ...withMine, ...withAgents([]) },
    shows: '[part="agents-button"]',
  },
  { name: 'loading', routes: { [catalog]: never }, shows: '.skeleton-row' },
  { name: 'empty catalog', routes: { [catalog]: () => json({ definitions: [] }) }, shows: '.empty-state' },
  { name: 'service unreachable', routes: { [catalog]: outage }, shows: '.icon-circle.bad' },
  {
    name: 'too many requests',
    routes: { [catalog]: () => problem(429, 'rate_limited') },
    shows: '.icon-circle.bad',
  },
  {
    name: 'session expired',
    routes: { 'POST /token': () => new Response('', { status: 401 }) },
    shows: '.icon-circle.bad',
  },
  { name: 'invalid settings', attributes: { 'service-url': 'connect.example.com:' }, shows: '.empty-state' },
  {
    name: 'opening a source',
    routes: { [`${catalog}/*`]: never },
    steps: [pickGranola],
    shows: '.form-skeleton',
  },
  {
    name: 'source fails to open',
    routes: { [`${catalog}/*`]: () => problem(500, 'internal_error') },
    steps: [pickGranola],
    shows: '.icon-circle.bad',
  },
  {
    name: 'choice of methods',
    routes: { [`${catalog}/*`]: () => json(detail({ ...sources[1], auth_methods: twoMethods })) },
    steps: [pickGranola],
    shows: '[data-id="access_key"]',
  },
  {
    name: 'introduction of a named integrator',
    routes: {
      [catalog]: () => json({ definitions: sources, integrator }),
      [`${catalog}/*`]: () =>
        json(
          detail({
            ...sources[2],
            ...adsAccess,
            replication_schema: settings,
            auth_methods: [
              {
                ...apiKeyMethod,
                title: words.googleAds.ownClient.title,
                instead: words.googleAds.ownClient.instead,
              },
              signInToAds,
            ],
          }),
        ),
    },
    steps: [pickGranola],
    shows: '[part="access"]',
  },
  {
    name: 'introduction with its details open',
    routes: {
      [`${catalog}/*`]: () =>
        json(
          detail({
            ...sources[2],
            ...adsAccess,
            access: { ...adsAccess.access, level: 'write' },
            sync_interval_minutes: 45,
            auth_methods: [signInToAds],
          }),
        ),
    },
    steps: [pickGranola, { click: 'summary' }],
    shows: '[part="entities"][open]',
  },
  {
    name: 'introduction with long names',
    routes: {
      [catalog]: () =>
        json({ definitions: sources, integrator: { ...integrator, name: 'Wide '.repeat(16).trim() } }),
      [`${catalog}/*`]: () =>
        json(
          detail({
            ...sources[2],
            ...adsAccess,
            vendor_name: 'A'.repeat(300),
            name: 'A'.repeat(300),
            auth_methods: [{ ...consentMethod, title: `Sign in with ${'A'.repeat(300)}` }],
          }),
        ),
    },
    steps: [pickGranola],
    shows: '[part="access"]',
  },
  {
    name: 'reconnecting by signing in',
    routes: { ...withMine, ...withConsent(gongAccess) },
    steps: [{ click: '[data-id="mine-2"]' }, { click: '[part="reconnect-button"], .primary' }],
    shows: '[data-id="oauth"]',
  },
  {
    name: 'no method',
    routes: {
      [catalog]: () => json({ definitions: sources, integrator }),
      [`${catalog}/*`]: () => json(detail({ auth_methods: [] })),
    },
    steps: [pickGranola],
    shows: '.empty-state',
  },
  {
    name: 'empty catalog of a named integrator',
    routes: { [catalog]: () => json({ definitions: [], integrator }) },
    shows: '[part="support-link"]',
  },
  { name: 'form', steps: [pickGranola], shows: 'form' },
  {
    name: 'form of a named integrator',
    routes: { [catalog]: () => json({ definitions: sources, integrator }) },
    steps: [pickGranola],
    shows: '[part="logo"]',
  },
  {
    name: 'form with a guide',
    routes: {
      [catalog]: () => json({ definitions: sources, integrator }),
      [`${catalog}/*`]: () => json(detail({ ...guided, replication_schema: settings })),
    },
    steps: [pickGranola],
    shows: '[part="guide"]',
  },
  {
    name: 'form with a guide, nothing else known',
    routes: {
      [`${catalog}/*`]: () => json(detail({ auth_methods: guided.auth_methods })),
    },
    steps: [pickGranola, { click: '.guide.below summary' }],
    shows: '.guide.below[open]',
  },
  {
    name: 'form with every kind of field',
    routes: {
      [`${catalog}/*`]: () => json(detail({ auth_methods: [everyField] })),
      ...withMine,
    },
    steps: [pickGranola],
    shows: 'form',
  },
  {
    name: 'secret shown',
    steps: [pickGranola, enterKey, { click: '.secret .tool' }],
    shows: '.secret input[type="text"]',
  },
  { name: 'field left empty', steps: [pickGranola, submit], shows: '.field-error' },
  {
    name: 'credentials rejected',
    routes: {
      [`POST ${list}`]: () =>
        problem(422, 'credentials_refused', {
          errors: [
            {
              path: 'credentials.api_key',
              message: 'Granola didn’t accept this API key. Check that it’s complete and active.',
            },
          ],
        }),
    },
    steps: [pickGranola, enterKey, submit],
    shows: '.field-error',
  },
  {
    name: 'vendor not responding',
    routes: { [`POST ${list}`]: () => problem(504, 'vendor_timeout') },
    steps: [pickGranola, enterKey, submit],
    shows: '.notice',
  },
  {
    name: 'checking',
    routes: { [`POST ${list}`]: never },
    steps: [pickGranola, enterKey, submit],
    shows: '.spinner',
  },
  {
    name: 'consent or key',
    routes: withConsent(),
    steps: [pickGranola],
    shows: '[data-id="oauth"]',
  },
  {
    name: 'consent only, options open',
    routes: withConsent({
      ...sources[3],
      vendor_name: 'TikTok',
      auth_methods: [
        {
          ...consentMethod,
          title: words.tikTok.signIn.title,
          description: words.tikTok.signIn.description,
        },
      ],
      replication_schema: settings,
    }),
    steps: [pickGranola, { click: 'summary' }],
    shows: 'details[open] input',
  },
  {
    name: 'consent, waiting',
    routes: withConsent(),
    steps: [pickGranola, signIn],
    windows: 'intercepted',
    shows: 'a.button',
  },
  {
    name: 'consent, pop-up blocked',
    routes: withConsent(),
    steps: [pickGranola, signIn],
    windows: 'blocked',
    shows: 'a.primary',
  },
  {
    name: 'consent, in this window',
    routes: withConsent(),
    attributes: { 'oauth-mode': 'redirect' },
    steps: [pickGranola, signIn],
    windows: 'intercepted',
    shows: 'a.button',
  },
  {
    name: 'consent, denied',
    routes: { ...withConsent(), [session]: denied(null) },
    steps: [pickGranola, signIn],
    windows: 'intercepted',
    shows: '.notice',
  },
  {
    name: 'consent, refused by the vendor',
    routes: withLinks(
      { [session]: denied('Only a technical admin can allow this') },
      { ...sources[1], ...gongAccess, auth_methods: [consentMethod, accessKeyMethod] },
    ),
    steps: [pickGranola, signIn],
    windows: 'intercepted',
    shows: '.notice',
  },
  {
    name: 'consent, given',
    routes: {
      ...withConsent(),
      [session]: () => json(oauthSession({ status: 'completed', secret_id: 'secret-1' })),
      [`POST ${list}`]: never,
    },
    steps: [pickGranola, signIn],
    windows: 'intercepted',
    shows: '.success .spinner',
  },
  {
    name: 'different account',
    routes: {
      ...withMine,
      [`PATCH ${list}/*`]: () =>
        problem(409, 'different_account', {
          accounts: { current: 'Fieldbook Europe', given: 'Fieldbook North America' },
        }),
    },
    steps: [manageFirst, { click: '[part="reconnect-button"]' }, enterKey, submit],
    shows: '.confirm',
  },
  {
    name: 'accounts, loading',
    ...toAccounts,
    routes: withAccounts(never),
    shows: '.skeleton-account',
  },
  { name: 'accounts', ...toAccounts, routes: withAccounts(), shows: '.account' },
  {
    name: 'accounts, long list',
    ...toAccounts,
    steps: [...toAccounts.steps, { click: '.account [data-id="account-2"]' }],
    routes: withAccounts({ accounts: accountsOf(40) }),
    shows: '.account:has([data-id="account-2"]:not(:checked))',
  },
  {
    name: 'accounts, search without a match',
    ...toAccounts,
    steps: [...toAccounts.steps, { type: 'nothing', into: '[part="search-input"]' }],
    routes: withAccounts({ accounts: accountsOf(40), is_complete: false }),
    shows: '.picker > .hint',
  },
  {
    name: 'accounts, none chosen',
    ...toAccounts,
    steps: [...toAccounts.steps, { click: '.all input' }],
    routes: withAccounts(),
    shows: '.button.incomplete',
  },
  {
    name: 'accounts, all unavailable',
    ...toAccounts,
    routes: withAccounts({ accounts: accountList().accounts.filter(({ selectable }) => !selectable) }),
    shows: '.account.unavailable',
  },
  {
    name: 'accounts, empty',
    ...toAccounts,
    routes: withAccounts({ accounts: [] }),
    shows: '.empty-state .primary',
  },
  {
    name: 'accounts fail to load',
    ...toAccounts,
    routes: withAccounts(() => problem(504, 'vendor_timeout')),
    shows: '.icon-circle.bad',
  },
  {
    name: 'accounts, connecting',
    ...toAccounts,
    routes: { ...withAccounts(), [`POST ${list}`]: never },
    steps: [...toAccounts.steps, { click: '.picker ~ .footer .primary' }],
    shows: '.footer .spinner',
  },
  {
    name: 'accounts, connecting fails',
    ...toAccounts,
    routes: { ...withAccounts(), [`POST ${list}`]: () => problem(503, 'overloaded') },
    steps: [...toAccounts.steps, { click: '.picker ~ .footer .primary' }],
    shows: '.notice',
  },
  {
    name: 'manage, accounts',
    routes: {
      [catalog]: () => json({ definitions: [detail({ ...sources[2], accounts_setting: 'customer_ids' })] }),
      [`GET ${list}`]: () => json({ data: [withChoice], meta: { cursor: null, has_more: false } }),
      [`GET ${list}/*/accounts`]: () => json(accountList({ selected: ['account-1'] })),
    },
    steps: [manageFirst, { click: '[part="accounts-button"]' }],
    shows: '.account',
  },
  {
    name: 'link offered',
    routes: withLinks({}, { ...sources[1], ...gongAccess, auth_methods: [consentMethod, accessKeyMethod] }),
    steps: [pickGranola],
    shows: '[part="link-button"]',
  },
  {
    name: 'link offered, form',
    routes: withLinks(),
    steps: [pickGranola],
    shows: '[part="link-button"]',
  },
  {
    name: 'link only',
    routes: withLinks({}, guided, ['link']),
    steps: [pickGranola],
    shows: '[part="link-button"]',
  },
  {
    name: 'link, creating',
    routes: withLinks({ [`POST ${links}`]: never }),
    steps: [pickGranola, sendLink],
    shows: '.url',
  },
  {
    name: 'link',
    routes: withLinks(),
    steps: [pickGranola, sendLink],
    shows: '[part="cancel-link-button"][aria-disabled="false"]',
  },
  {
    name: 'link, copied',
    routes: withLinks(),
    steps: [pickGranola, sendLink, { click: '.success ~ .footer .primary[aria-disabled="false"]' }],
    shows: '.primary .icon',
    clipboard: 'faked',
  },
  {
    name: 'link, opened',
    routes: withLinks({ [`GET ${links}/*`]: () => json(connectLink({ status: 'confirmed' })) }),
    steps: [pickGranola, sendLink],
    shows: '.success:not(:has(.url))',
  },
  {
    name: 'link, cancelling fails',
    routes: withLinks({ [`DELETE ${links}/*`]: outage }),
    steps: [pickGranola, sendLink, { click: '[part="cancel-link-button"][aria-disabled="false"]' }],
    shows: '.notice',
  },
  {
    name: 'link, expired',
    routes: withLinks({ [`GET ${links}/*`]: () => json(connectLink({ status: 'expired' })) }),
    steps: [pickGranola, sendLink],
    shows: '.empty-state',
  },
  {
    name: 'link, not set up',
    routes: withLinks({ [`POST ${links}`]: () => problem(409, 'helper_url_missing') }),
    steps: [pickGranola, sendLink],
    shows: '.empty-state',
  },
  {
    name: 'connected',
    routes: { [catalog]: () => json({ definitions: sources, integrator }) },
    steps: [pickGranola, enterKey, submit],
    shows: '.icon-circle.good',
  },
  {
    name: 'connected, importing',
    routes: { [`POST ${list}`]: () => json(firstSync('preview'), 201) },
    steps: [pickGranola, enterKey, submit],
    shows: '.entities',
  },
  {
    name: 'connected, up to date',
    routes: { [`POST ${list}`]: () => json(firstSync('ready'), 201) },
    steps: [pickGranola, enterKey, submit],
    shows: '.entities',
  },
  { name: 'manage, not synced', routes: withMine, steps: [manageFirst], shows: '[part="disconnect-button"]' },
  { name: 'manage', routes: withAds(ads()), steps: [manageFirst], shows: '[part="activity"]' },
  {
    name: 'manage, sign-in expired',
    routes: withAds(ads({ status: 'needs_reauth' })),
    steps: [manageFirst],
    shows: '[part="activity"]',
  },
  {
    name: 'manage, paused',
    routes: withAds(ads({ status: 'disabled' })),
    steps: [manageFirst],
    shows: '[part="activity"]',
  },
  {
    name: 'manage, not available',
    routes: withAds(ads({ status: 'unavailable' })),
    steps: [manageFirst],
    shows: '[part="activity"]',
  },
  { name: 'manage, importing', routes: withAds(importing), steps: [manageFirst], shows: 'progress' },
  {
    name: 'manage, first import begins',
    routes: withAds(
      ads(
        {},
        { status: 'building', entities: allEntities({ state: 'waiting', last_synced_at: null, records: 0 }) },
      ),
    ),
    steps: [manageFirst],
    shows: 'progress',
  },
  {
    name: 'manage, partly failing',
    routes: withAds(partlyFailing),
    steps: [manageFirst],
    shows: '[part="sync-error"]',
  },
  {
    name: 'manage, failing',
    routes: withAds(
      ads({}, { entities: allEntities({ state: 'failed', ...vendorError, retry_at: minutes(0.5) }) }),
    ),
    steps: [manageFirst],
    shows: '.strip.bad',
  },
  {
    name: 'manage, integrator has to act',
    routes: withAds(
      ads(
        {},
        {
          entities: allEntities({
            state: 'failed',
            last_error: 'Google Ads rejected the developer token',
            last_error_code: 'vendor_misconfigured',
            retry_at: minutes(30.5),
          }),
        },
      ),
    ),
    steps: [manageFirst],
    shows: '[part="sync-error"]',
  },
  {
    name: 'manage, paused by the provider',
    routes: withAds(ads({}, { entities: allEntities({ state: 'waiting', retry_at: minutes(12.5) }) })),
    steps: [manageFirst],
    shows: '.strip.neutral',
  },
  {
    name: 'manage, sync not possible',
    routes: { ...withAds(ads()), [`POST ${list}/*/sync`]: () => problem(429, 'rate_limited') },
    steps: [manageFirst, { click: '[part="sync-button"]' }],
    shows: '[part="notice"]',
  },
  {
    name: 'manage, view only',
    routes: withAds(ads(), { actions: ['list', 'get'], management: [] }),
    steps: [manageFirst],
    shows: '[part="activity"]',
  },
  {
    name: 'manage, open links',
    routes: {
      ...withAds(ads(), {
        actions: ['list', 'get', 'search'],
        management: ['rename', 'reconnect', 'delete', 'link'],
      }),
      [`GET ${links}`]: () =>
        json({
          data: [
            connectLink({ connector_type: 'google-ads' }),
            connectLink({
              id: 'link-2',
              connector_type: 'google-ads',
              audience: 'guest',
              inviter: 'Ana Silva',
              expires_at: minutes(3 * 24 * 60 + 1),
            }),
          ],
          meta: { cursor: null, has_more: false },
        }),
    },
    steps: [manageFirst],
    shows: '[part="links"]',
  },
  {
    name: 'rename',
    routes: withAds(ads()),
    steps: [manageFirst, { click: '[part="rename-button"]' }],
    shows: '#new-name',
  },
  {
    name: 'renaming fails',
    routes: { ...withAds(ads()), [`PATCH ${list}/*`]: outage },
    steps: [
      manageFirst,
      { click: '[part="rename-button"]' },
      { type: 'Ads EMEA', into: '#new-name' },
      { click: '.rename .primary' },
    ],
    shows: '.notice',
  },
  {
    name: 'manage, long name',
    routes: withAds(ads({ name: `${'Very long names '.repeat(12)}end` })),
    steps: [manageFirst],
    shows: '[part="activity"]',
  },
  {
    name: 'confirm disconnect',
    routes: withAds(ads()),
    steps: [manageFirst, { click: '[part="disconnect-button"]' }],
    shows: '.cancel',
  },
  {
    name: 'disconnected',
    routes: withAds(ads()),
    steps: [manageFirst, { click: '[part="disconnect-button"]' }, { click: '[part="confirm-button"]' }],
    shows: '.confirm .primary',
  },
  {
    name: 'undoing fails',
    routes: { ...withAds(ads()), 'POST /integrations/connectors/*/restore': outage },
    steps: [
      manageFirst,
      { click: '[part="disconnect-button"]' },
      { click: '[part="confirm-button"]' },
      { click: '.confirm:has(.primary) .cancel' },
    ],
    shows: '.notice',
  },
  {
    name: 'disconnecting fails',
    routes: { ...withAds(ads()), 'DELETE /integrations/connectors/*': outage },
    steps: [manageFirst, { click: '[part="disconnect-button"]' }, { click: '[part="confirm-button"]' }],
    shows: '.notice',
  },
  {
    name: 'long and odd names',
    routes: {
      [catalog]: () =>
        json({
          definitions: [
            definition({ name: 'A'.repeat(300), description: 'Unbroken' }),
            definition({ name: '<b>Markup</b> & “quotes”', description: '<img src=x onerror=alert(1)>' }),
            definition({ name: 'مصدر البيانات', description: 'من اليمين إلى اليسار' }),
            definition({ name: 'An unusually long name that needs more than one line in a narrow place' }),
          ],
        }),
    },
    shows: '.row',
  },
  { name: 'agents', routes: withAgents(agents), steps: [openAgents], shows: '[part="agent"]' },
  { name: 'agents, none', routes: withAgents([]), steps: [openAgents], shows: '.address' },
  {
    name: 'agents, many, without the right to end them',
    routes: withAgents(
      Array.from(
        { length: 40 },
        (_, index) => ({ ...agents[index % agents.length], id: `agent-${index}` }) as Agent,
      ),
      {
        [catalog]: () =>
          json({
            definitions: sources,
            rights: { actions: [], management: [] },
            mcp_url: mcpUrl,
          }),
      },
    ),
    steps: [openAgents],
    shows: '[part="agent"]',
  },
  {
    name: 'agents, loading',
    routes: withAgents([], { 'GET /agents': never }),
    steps: [openAgents],
    shows: '.form-skeleton',
  },
  {
    name: 'agents fail to load',
    routes: withAgents([], { 'GET /agents': outage }),
    steps: [openAgents],
    shows: '.icon-circle.bad',
  },
  {
    name: 'agents, ending',
    routes: withAgents(agents),
    steps: [openAgents, endFirst],
    shows: '[part="confirm-button"]',
  },
  {
    name: 'agents, last one ended',
    routes: withAgents(agents.slice(0, 1), {
      'DELETE /agents/*': () => new Response(null, { status: 204 }),
    }),
    steps: [openAgents, endFirst, { click: '[part="confirm-button"]' }],
    shows: '[part="status"]',
  },
  {
    name: 'agents, ending fails',
    routes: withAgents(agents, { 'DELETE /agents/*': () => problem(429, 'rate_limited') }),
    steps: [openAgents, endFirst, { click: '[part="confirm-button"]' }],
    shows: '.notice',
  },
];

/** Adds a widget with these properties to `parent`, and performs the steps of a scene. */
export async function setScene(
  scene: Scene,
  parent: Element,
  service: FakeService,
  properties: Partial<Pick<ConnectorAuthElement, 'icons'>> = {},
): Promise<ConnectorAuthElement> {
  if (scene.windows !== undefined) interceptWindows({ isBlocked: scene.windows === 'blocked' });
  if (scene.clipboard) navigator.clipboard.writeText = () => Promise.resolve();
  const element = Object.assign(document.createElement('connector-auth'), properties);
  for (const [name, value] of Object.entries({ 'token-url': service.tokenUrl, ...scene.attributes })) {
    element.setAttribute(name, value);
  }
  parent.append(element);
  for (const step of scene.steps ?? []) {
    if ('click' in step) (await appearing(element, step.click)).click();
    else await type(element, step.into, step.type);
  }
  await appearing(element, scene.shows);
  return element;
}

/**
 * Resolves with the element in a widget that matches a selector, as soon as it exists. Rejects after ten seconds with what
 * the widget shows instead.
 */
export function appearing(widget: HTMLElement, selector: string): Promise<HTMLElement> {
  const root = widget.shadowRoot;
  if (root === null) throw new Error('The widget is not defined');
  const missing = new Error(`No element matches ${selector}`);
  // Unlike a timer, it does not depend on a test's clock.
  const limit = AbortSignal.timeout(10_000);
  return new Promise((resolve, reject) => {
    const check = () => {
      const found = root.querySelector<HTMLElement>(selector);
      if (found === null) return;
      observer.disconnect();
      limit.removeEventListener('abort', fail);
      resolve(found);
    };
    const fail = () => {
      observer.disconnect();
      missing.message += `. The widget shows: ${root.textContent.replaceAll(/\s+/g, ' ').trim()}`;
      reject(missing);
    };
    const observer = new MutationObserver(check);
    observer.observe(root, { subtree: true, childList: true, attributes: true });
    limit.addEventListener('abort', fail);
    check();
  });
}

async function type(widget: ConnectorAuthElement, selector: string, text: string): Promise<void> {
  // Scenes type into text fields only.
  const input = (await appearing(widget, selector)) as HTMLInputElement;
  input.value = text;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
