import { randomUUID } from 'node:crypto';
import type { OrganizationDeletion } from '@connector-auth/api/admin';
import type { Page } from 'playwright';
import { endSession, type OpenOptions } from './open-page.ts';
import { changeResponses, rejectRequests, respond } from './responses.ts';

/** A page of the console in one state. */
export interface PageToShow extends OpenOptions {
  readonly name: string;
  /** The path below `/console`, with names of seeded objects in braces for their ids. */
  readonly path: string;
  /** Brings the page into the state. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const noItems = { data: [], meta: { cursor: null, has_more: false } };

export const firstKey = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'First admin key',
  access: 'write',
  created_at: '2030-01-01T00:00:00.000Z',
  expires_at: null,
  last_used_at: null,
  key: 'ca_admin_4V3kPq9ZyXw0sT7mLhN2rB8dFgJcUeA6',
} as const;

const edgeOnWindows = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0';

const newSecret = {
  id: '00000000-0000-4000-8000-000000000002',
  created_at: '2030-01-01T00:00:00.000Z',
  expires_at: null,
  last_used_at: null,
  client_id: 'app_77777777777777777711',
  client_secret: 'cas_9mPw4LkVt6YxQz1NbR8sHc2JfD7g',
};

/** Shows an installation without anything, as after the first start of the service, or with the set-up done. */
export async function showEmpty(page: Page, applications = 0): Promise<void> {
  await respond(page, 'listOrganizations', noItems);
  await respond(page, 'listApplications', noItems);
  await respond(page, 'getHealth', { sources: [], problems: [] });
  await changeResponses(page, 'getOverview', overview => ({
    ...overview,
    organizations: applications,
    applications,
    customers: 0,
    connectors: { active: 0, needs_reauth: 0, disabled: 0, frozen: 0 },
    failing_sync_jobs: 0,
    open_incidents: 0,
  }));
}

export function openSetUp(page: Page): Promise<void> {
  return respond(page, 'getSetUpState', { is_open: true });
}

/** Clicks the first button with this name, which opens a dialog. */
function openDialog(button: string | RegExp): (page: Page) => Promise<void> {
  return async page => {
    await page.getByRole('button', { name: button }).first().click();
    await page.getByRole('dialog').waitFor();
  };
}

async function setUp(page: Page): Promise<void> {
  await page.getByLabel('Set-up code').fill('K7QF-2M9X-4T8P-8RWD-5HJZ-3CVN-6G');
  await page.getByRole('button', { name: 'Create admin key' }).click();
}

const deletion: OrganizationDeletion = {
  organization_id: '6b0d7c52-9e41-4d1f-8a3b-5c2e7f90a614',
  status: 'deleting',
  requested_at: new Date(Date.now() - 90_000).toISOString(),
  requested_by: 'Ada',
  finished_at: null,
  deleted: { customers: 41, connectors: 128, records: 1_204_311, oauth_sessions: 9, applications: 1 },
  erased_audit_entries: 20_418,
  grants: { pending: 3, revoked: 57, in_use: 2, invalid: 4, failed: 0 },
};

/** Every page of the console, in the states that look different. */
export const pagesToShow: readonly PageToShow[] = [
  { name: 'sign-in', path: '/', as: null },
  {
    name: 'sign-in with a wrong key',
    path: '/',
    as: null,
    prepare: async page => {
      await page.getByLabel('Admin key', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'set-up', path: '/', as: null, set: openSetUp },
  {
    name: 'set-up with a wrong code',
    path: '/',
    as: null,
    set: openSetUp,
    prepare: async page => {
      await rejectRequests(page, 'setUp', { code: 'setup_code_invalid', detail: 'The code is invalid' });
      await setUp(page);
    },
  },
  {
    name: 'first admin key',
    path: '/',
    as: null,
    set: openSetUp,
    prepare: async page => {
      await respond(page, 'setUp', firstKey);
      await setUp(page);
      await page.getByRole('button', { name: 'Copy admin key' }).waitFor();
    },
  },
  { name: 'first connection', path: '/start', set: page => showEmpty(page) },
  {
    name: 'first connection, existing application',
    path: '/start?organization={Fieldbook}',
    prepare: page => page.getByLabel('Application').waitFor(),
  },
  {
    name: 'leave with a new secret',
    path: '/applications/{Fieldbook backend}',
    set: page => respond(page, 'createSecret', newSecret),
    prepare: async page => {
      await page.getByRole('button', { name: 'Add a second secret' }).click();
      await page.getByRole('button', { name: 'Add secret' }).click();
      await page.getByRole('region', { name: 'Environment' }).waitFor();
      await page.getByRole('link', { name: 'Applications' }).last().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'overview', path: '/' },
  { name: 'overview, healthy', path: '/?organization_id={Fieldbook staging}' },
  { name: 'overview, empty', path: '/', set: page => showEmpty(page) },
  {
    name: 'overview, no connectors',
    path: '/',
    set: async page => {
      await showEmpty(page, 1);
      await respond(page, 'listConnectors', noItems);
    },
  },
  {
    name: 'overview, audit unavailable',
    path: '/',
    set: page =>
      changeResponses(page, 'getOverview', overview => ({
        ...overview,
        customers: 13_074,
        audit: { is_writable: false, waiting_entries: 1204, oldest_at: null },
        warnings: [
          'TRUSTED_PROXIES is 0, but requests carry X-Forwarded-For: set it to the number of reverse proxies in front of the service.',
        ],
      })),
  },
  { name: 'organizations', path: '/organizations' },
  { name: 'organizations, none', path: '/organizations', set: page => showEmpty(page) },
  { name: 'organizations, no match', path: '/organizations?search=unknown' },
  {
    name: 'organizations, many',
    path: '/organizations',
    set: page =>
      changeResponses(page, 'listOrganizations', ({ data: [first] }) => ({
        data: first
          ? Array.from({ length: 25 }, (_, index) => ({
              ...first,
              id: randomUUID(),
              name: `Tenant ${index}`,
            }))
          : [],
        meta: { cursor: 'next', has_more: true },
      })),
  },
  {
    name: 'organizations, unreachable',
    path: '/organizations',
    set: page =>
      rejectRequests(page, 'listOrganizations', {
        code: 'overloaded',
        detail: 'The service is restarting. Try again.',
      }),
  },
  { name: 'new organization', path: '/organizations/new' },
  {
    name: 'new organization, invalid',
    path: '/organizations/new',
    prepare: async page => {
      await page.getByLabel('Name', { exact: true }).fill('Fieldbook');
      await page.getByLabel('Sources').selectOption('some');
      await page.getByLabel('Gong').check();
      await page.getByRole('button', { name: 'Create organization' }).click();
      await page.getByText('Another organization has this name').waitFor();
    },
  },
  { name: 'organization', path: '/organizations/{Fieldbook}' },
  { name: 'organization, disabled', path: '/organizations/{Old prototype}' },
  {
    name: 'organization, long name',
    path: '/organizations/{<b>Long}',
  },
  {
    name: 'organization, disable',
    path: '/organizations/{Fieldbook}',
    prepare: openDialog('Disable organization'),
  },
  {
    name: 'organization, delete',
    path: '/organizations/{Fieldbook staging}',
    prepare: openDialog('Delete organization'),
  },
  {
    name: 'deleted organizations',
    path: '/organizations/deletions',
    set: page =>
      respond(page, 'listOrganizationDeletions', {
        data: [deletion, { ...deletion, organization_id: randomUUID(), status: 'deleted' }],
        meta: { cursor: null, has_more: false },
      }),
  },
  {
    name: 'organization, being deleted',
    path: `/organizations/deletions/${deletion.organization_id}`,
    set: page => respond(page, 'getOrganizationDeletion', deletion),
  },
  {
    name: 'organization, edit conflict',
    path: '/organizations/{Fieldbook}',
    set: page => rejectRequests(page, 'editOrganization', { code: 'edit_conflict', detail: 'Changed' }),
    prepare: async page => {
      await page.getByLabel('Display name').fill('Fieldbook CRM');
      await changeResponses(page, 'getOrganization', stored => ({
        ...stored,
        version: 2,
        support_url: 'https://fieldbook.example/help',
      }));
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'OAuth app, none', path: '/organizations/{Fieldbook}/oauth-apps/google-ads' },
  { name: 'OAuth app of the service', path: '/organizations/{Fieldbook}/oauth-apps/gong' },
  { name: 'new webhook', path: '/organizations/{Fieldbook}/webhooks/new' },
  { name: 'webhook', path: '/organizations/{Fieldbook}/webhooks/{Production events}' },
  { name: 'webhook, off', path: '/organizations/{Fieldbook}/webhooks/{Old receiver}' },
  {
    name: 'webhook, new secret',
    path: '/organizations/{Fieldbook}/webhooks/{Production events}',
    set: page =>
      changeResponses(page, 'rotateWebhookSecret', webhook => ({
        ...webhook,
        secret: 'whsec_4V3kPq9ZyXw0sT7mLhN2rB8dFgJcUeA64V3kPq9ZyXw=',
        previous_secret_expires_at: '2030-01-01T00:00:00.000Z',
      })),
    prepare: async page => {
      await openDialog('Create new secret')(page);
      await page.getByRole('button', { name: 'Create secret' }).click();
      await page.getByRole('heading', { name: 'New signing secret' }).waitFor();
    },
  },
  { name: 'applications', path: '/applications' },
  { name: 'new application', path: '/applications/new' },
  { name: 'application', path: '/applications/{Fieldbook backend}' },
  { name: 'application, rotating', path: '/applications/{Harbor backend}' },
  {
    name: 'application, new secret',
    path: '/applications/{Fieldbook backend}',
    set: page => respond(page, 'createSecret', newSecret),
    prepare: async page => {
      await page.getByRole('button', { name: 'Add a second secret' }).click();
      await page.getByRole('button', { name: 'Add secret' }).click();
      await page.getByRole('region', { name: 'Environment' }).waitFor();
    },
  },
  {
    name: 'application, delete secret',
    path: '/applications/{Fieldbook backend}',
    prepare: openDialog(/^Delete the secret/),
  },
  {
    name: 'application, delete replaced secret',
    path: '/applications/{Harbor backend}',
    prepare: openDialog(/^Delete the secret/),
  },
  { name: 'application of the environment', path: '/applications/{fieldbook-demo}' },
  { name: 'application, disabled', path: '/applications/{Leaked test client}' },
  { name: 'customers', path: '/customers' },
  { name: 'customer', path: '/customers/{acme}' },
  {
    name: 'customer, apps and agents',
    path: '/customers/{acme}',
    set: page =>
      respond(page, 'listAgents', {
        data: [
          {
            id: '9a41e6c0-7f25-4d8b-b3c4-52e8d01f96a7',
            client: { id: 'https://claude.ai/oauth/client.json', name: 'Claude', host: 'claude.ai' },
            customer_name: 'acme',
            user: { id: 'user-4711', name: 'Ana Silva' },
            scopes: ['read', 'search'],
            allowed_sources: null,
            authorized_at: '2026-11-20T09:30:00.000Z',
            last_used_at: '2026-11-20T09:30:00.000Z',
            expires_at: '2026-12-20T09:30:00.000Z',
          },
          {
            id: 'a3b8d1b6-0b3b-4b1a-9c1a-1a2b3c4d5e6f',
            client: { id: 'n3Xq', name: null, host: null },
            customer_name: 'acme',
            user: { id: 'user-2', name: 'Elizabeth Montgomery-Richardson the Third' },
            scopes: ['read', 'search', 'write', 'connect'],
            allowed_sources: ['gong', 'google-ads'],
            authorized_at: '2026-11-20T09:30:00.000Z',
            last_used_at: '2026-11-20T09:30:00.000Z',
            expires_at: '2027-04-20T09:30:00.000Z',
          },
        ],
        meta: { cursor: null, has_more: false },
      }),
  },
  { name: 'customer, long name', path: '/customers/{<img}' },
  {
    name: 'customer, delete',
    path: '/customers/{juniper}',
    prepare: openDialog('Delete…'),
  },
  { name: 'connectors', path: '/connectors' },
  { name: 'connectors, frozen', path: '/connectors?status=frozen' },
  { name: 'connectors, no match', path: '/connectors?search=unknown' },
  { name: 'connector, failing sync', path: '/connectors/{Sales calls}' },
  { name: 'connector, needs reconnecting', path: '/connectors/{Brand campaigns}' },
  { name: 'connector, disabled', path: '/connectors/{Spring launch}' },
  { name: 'connector, frozen', path: '/connectors/{Leaked calls}' },
  { name: 'connector, long name', path: '/connectors/{<b>}' },
  {
    name: 'connector, disable',
    path: '/connectors/{Meeting notes}',
    prepare: openDialog('Disable…'),
  },
  {
    name: 'connector, read only',
    path: '/connectors/{Meeting notes}',
    as: 'Monitoring',
  },
  {
    name: 'connector, deleted',
    path: '/connectors/00000000-0000-4000-8000-999999999999',
    prepare: page => page.getByRole('alert').waitFor(),
  },
  { name: 'sync jobs', path: '/sync-jobs' },
  { name: 'sync jobs, failing', path: '/sync-jobs?state=failing' },
  { name: 'vendor quotas', path: '/vendor-quotas' },
  {
    name: 'vendor quotas, none',
    path: '/vendor-quotas',
    set: page => respond(page, 'listVendorQuotas', { data: [] }),
  },
  { name: 'incidents', path: '/incidents' },
  {
    name: 'incidents, none',
    path: '/incidents',
    set: page => respond(page, 'listIncidents', noItems),
  },
  { name: 'incident of a customer', path: '/incidents/{leaked token}' },
  { name: 'incident of an application', path: '/incidents/{leaked client}' },
  { name: 'incident, undone', path: '/incidents/{drill}' },
  {
    name: 'incident, undo',
    path: '/incidents/{leaked token}',
    prepare: openDialog('Undo…'),
  },
  { name: 'new incident', path: '/incidents/new' },
  {
    name: 'new incident, search',
    path: '/incidents/new?scope=customer',
    prepare: page => page.getByRole('button', { name: /^acme/ }).waitFor(),
  },
  {
    name: 'new incident, preview',
    path: '/incidents/new?scope=organization&target={Harbor Analytics}',
    prepare: page => page.getByRole('heading', { name: 'What will happen' }).waitFor(),
  },
  {
    name: 'new incident, confirm',
    path: '/incidents/new?scope=kind&target=gong',
    prepare: openDialog('Declare incident…'),
  },
  // Without the sessions of the other pages.
  { name: 'audit', path: '/audit?organization_id={Harbor Analytics}' },
  { name: 'audit, errors', path: '/audit?outcome=error' },
  {
    name: 'audit, entry',
    path: '/audit?action=connector.disabled',
    prepare: openDialog('Connector disabled'),
  },
  {
    name: 'audit, unavailable',
    path: '/audit',
    set: page =>
      rejectRequests(page, 'listAudit', {
        code: 'audit_unavailable',
        detail: 'The audit log can’t be read. Try again.',
      }),
  },
  { name: 'admin keys', path: '/keys' },
  { name: 'new admin key', path: '/keys/new' },
  {
    name: 'sessions',
    path: '/sessions',
    set: page =>
      changeResponses(page, 'listSessions', ({ data }) => ({
        data: data
          .slice(0, 2)
          .map(session => (session.is_current ? session : { ...session, user_agent: edgeOnWindows })),
      })),
  },
  { name: 'page not found', path: '/nowhere' },
  {
    name: 'session menu',
    path: '/keys',
    prepare: page => page.getByLabel('Signed in with').click(),
  },
  {
    name: 'session ended',
    path: '/organizations/new',
    prepare: async page => {
      await page.getByLabel('Name', { exact: true }).fill('Harbor Metrics');
      await endSession(page);
      await page.getByRole('button', { name: 'Create organization' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'read only',
    path: '/applications/{Harbor backend}',
    as: 'Monitoring',
  },
  // These create something, which the other pages would show.
  {
    name: 'first connection, code',
    path: '/start',
    set: page => showEmpty(page),
    prepare: async page => {
      await page.getByLabel('Name').fill('Acme Analytics');
      await page.getByRole('button', { name: 'Create organization' }).click();
      await page.getByPlaceholder('Acme backend').fill('Acme backend');
      await page.getByRole('button', { name: 'Create application' }).click();
      await page.getByRole('region', { name: 'Environment' }).waitFor();
    },
  },
  {
    name: 'new application, secret',
    path: '/applications/new',
    prepare: async page => {
      await page.getByLabel('Name', { exact: true }).fill('Fieldbook mobile backend');
      await page.getByLabel('Fieldbook', { exact: true }).check();
      await page.getByRole('button', { name: 'Create application' }).click();
      await page.getByRole('region', { name: 'Environment' }).waitFor();
    },
  },
];
