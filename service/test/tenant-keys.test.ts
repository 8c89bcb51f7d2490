/**
 * Lists each table and each statement on tenants' tables that does not lead to an organization, with the reason. Every key of
 * a tenant's table begins with the organization, and every statement names the organization of each such table.
 */
import { endpoints, type Endpoint, type EndpointName } from '@connector-auth/api';
import { adminEndpoints } from '@connector-auth/api/admin';
import type { RunningSandbox } from '@connector-auth/sandbox';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi, type MockInstance } from 'vitest';
import { adminNames, makeAdminWorld } from './admin-world.ts';
import { codeFor, makeWorld, serviceOrigin, startWorldSandbox, type World } from './callers.ts';
import { consentKind, platformApps } from './consent.ts';
import { onPostgresOrEachEngineInFull } from './engines.ts';
import { addressOf, adminExampleRequest, exampleRequest } from './example-requests.ts';
import { bothKinds } from './second-kind.ts';
import { untilReady } from './synced-records.ts';
import { adminToken, startTestService, type TestService } from './test-service.ts';

const ofOperators = 'belongs to operators';
const ofInstallation = 'belongs to the installation';
const ofApplications = 'an application serves several organizations';
const byLink = 'a browser has only the secret or id of a link or consent, which names no organization';
const byAgent = 'the authorization server refers to a grant by its id only';
const concernsSeveral = 'operators declare what concerns several organizations, and the cleanup serves all';

/** The tables without an organization, and the keys of other tables that do not begin with it. */
const keysWithout: Readonly<Record<string, string>> = {
  added_record_columns: ofInstallation,
  admin_idempotency_keys: ofOperators,
  admin_keys: ofOperators,
  admin_sessions: ofOperators,
  agent_sign_ins_id_key: byLink,
  agents_id_key: byAgent,
  application_organizations_pkey: ofApplications,
  application_organizations_application_id_position_key: ofApplications,
  application_secrets: ofApplications,
  applications: ofApplications,
  audit_entries_pkey: 'operators read all entries in one order',
  audit_entries_batch: 'a batch has entries of several organizations',
  authorization_records: 'who has a code or token, or registers as a client, names no organization',
  change_feed: ofInstallation,
  connect_links_id_key: byLink,
  deleted_connectors_pkey: 'an older version stores no organization',
  filled_record_tables: ofInstallation,
  grant_revocations_pkey: concernsSeveral,
  incidents_pkey: concernsSeveral,
  installation: ofInstallation,
  known_kinds: ofInstallation,
  leases: ofInstallation,
  migrations: ofInstallation,
  oauth_sessions_id_key: byLink,
  oauth_sessions_state_hash_key: byLink,
  oauth_sessions_secret_hash_key: byLink,
  organizations_pkey: 'is the organization',
  organizations_name_key: 'applications name organizations',
  setup_codes: ofOperators,
  vendor_limits: 'a limit of a vendor can be shared by several organizations',
  vendor_quota_totals_pkey: 'a quota of a vendor can be shared by several organizations',
  vendor_quota_usage_pkey: 'a quota of a vendor can be shared by several organizations',
};

/** The tables whose organization a statement need not name. */
const sharedTables: Readonly<Record<string, string>> = {
  application_organizations: ofApplications,
  audit_entries: 'operators read the entries of all organizations',
  deleted_connectors: 'the cleanup serves all organizations',
  grant_revocations: concernsSeveral,
  incidents: concernsSeveral,
  organization_deletions: 'operators read the receipts of all organizations',
  token_revocations: 'each process reads all revocations',
  vendor_quota_totals: 'a quota of a vendor can be shared by several organizations',
  vendor_quota_usage: 'a quota of a vendor can be shared by several organizations',
};

/** Parts of the statements on other tables that do not name the organization, with the reason. */
const statementsWithout: Readonly<Record<string, string>> = {
  'update "synced_entities" set "lease_id" = $1, "lease_holder"': 'the leases of a process that ended',
  'select "secret_hash" from "connect_links" where "id" = $1': byLink,
  'update "connectors" set "incident_id"': concernsSeveral,
  'insert into grant_revocations': concernsSeveral,
  'update "oauth_sessions" set "status" = $1, "error_code" = $2': concernsSeveral,
  'update "oauth_sessions" set "credentials"': concernsSeveral,
  'as failing_sync_jobs': "operators' overview counts all organizations",
  'select min(first_job_at) from sync_queue': 'operators list the sync jobs of all organizations',
  'select kind, due_at from sync_queue': 'workers take who waits longest of all organizations',
  'from hourly_uses where hour': "operators' overview counts all organizations",
  'update "agents" set "revoked_at"': ofApplications,
  'delete from "agent_sign_ins" where "application_id"': ofApplications,
  'update "agent_sign_ins" set "code_hash" = $1 where "code_hash" is not null and true': ofApplications,
  'update "connect_links" set "revoked_at"': ofApplications,
  'select "organization_id" as "organizationId", "id", "name" from "customers" where "id" = $1':
    'operators declare an incident for a customer by its id',
};

const organization = String.raw`"?\$?organization(?:_id)?"?`;

/** Returns the tables of a statement whose organization it does not name. */
function tablesWithoutOrganization(statement: string, tables: readonly string[]): string[] {
  return tables.filter(table => {
    // Creating the regular expressions would take most of the time.
    if (!statement.includes(table)) return false;
    const references = new RegExp(
      String.raw`\b(from|join|into|update|using|,)\s+"?${table}"?(?:\s+(?:as\s+)?"?(\w+)"?)?`,
      'gi',
    );
    return [...statement.matchAll(references)].some(([, keyword = '', alias = '']) => {
      if (keyword.toLowerCase() === 'into')
        return !new RegExp(String.raw`into "?${table}"?[^)]*${organization}`).test(statement);
      const isAlias =
        !/^(where|set|on|inner|left|join|order|group|limit|for|cross|using|as|union|returning|)$/i.test(
          alias,
        );
      const name = String.raw`"?${isAlias ? alias : table}"?`;
      const qualified = String.raw`${name}\.${organization}`;
      const comparison = String.raw`\s*(?:=|in\b|is not distinct)`;
      const patterns = [
        `${qualified}${comparison}`,
        String.raw`=\s*${qualified}`,
        String.raw`\(${qualified}, [^)]*\) in`,
        String.raw`(?:where|and|on|\()\s+${organization}${comparison}`,
        String.raw`\(${organization}, [^)]*\) (?:in|=)`,
      ];
      return !patterns.some(pattern => new RegExp(pattern, 'i').test(statement));
    });
  });
}

onPostgresOrEachEngineInFull('tenant keys', database => {
  let service: TestService;
  let sandbox: RunningSandbox;
  let sent: MockInstance<Client['query']>;
  beforeAll(async () => {
    sent = vi.spyOn(Client.prototype, 'query');
    sandbox = await startWorldSandbox();
    service = await startTestService(database(), {
      kinds: [...bothKinds, consentKind],
      publicUrl: serviceOrigin,
      oauthApps: platformApps,
      sandbox,
      sleep: async () => {},
    });
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
    vi.restoreAllMocks();
  });

  const readTables = async () => {
    const { rows } = await sql<{ name: string; isTenants: boolean; otherKeys: string[] }>`
      select relname as name,
        exists (select from pg_attribute where attrelid = pg_class.oid and attname in ('organization_id', '$organization')
          and attnum > 0) or relname = 'organizations' as "isTenants",
        array(select indexrelid::regclass::text from pg_index
          where indrelid = pg_class.oid and indisunique and not exists (select from pg_attribute
            where attrelid = indrelid and attnum = indkey[0] and attname in ('organization_id', '$organization')))
          as "otherKeys"
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`.execute(
      database().kysely,
    );
    return rows;
  };

  /** Sends each request of the examples, and syncs. */
  const walk = async (): Promise<void> => {
    const syncing = await service.startSync({ pollMs: 50 });
    const applications = {
      own: await service.addApplication('own', ['Own']),
      other: await service.addApplication('other', ['Other']),
      both: await service.addApplication('both', ['Own', 'Other']),
      disabledId: '',
    };
    let world: World | null = null;
    // `endpoints` has exactly these keys.
    for (const name of Object.keys(endpoints) as EndpointName[]) {
      if (world === null) {
        world = await makeWorld(service, database(), applications, ['scoped', 'widget']);
        await untilReady(service, world.tokens['application'] ?? '', world.connectorId);
      }
      const { clientId, clientSecret } = applications.own;
      const example = exampleRequest(name, {
        clientId,
        clientSecret,
        connectorId: world.connectorId,
        sessionId: world.sessionId,
        linkId: world.linkId,
        webhookId: world.webhookId,
        eventId: world.eventId,
        agentId: world.agentId,
        ...(await codeFor(name, world, database(), service)),
        ...(name === 'listSessionAccounts' ? { secretId: await world.secretId() } : {}),
      });
      const endpoint: Endpoint = endpoints[name];
      const [caller] = endpoint.callers;
      const token = caller === undefined ? {} : { token: world.tokens[caller] ?? '' };
      const { status, text } = await service.ask(endpoint.method, addressOf(endpoint.path, example), {
        ...token,
        headers: { ...example.headers },
        ...(example.body ? { body: example.body } : {}),
      });
      expect(status, `${name}: ${text}`).toBe(endpoint.status);
      if (endpoint.method === 'DELETE') world = null;
    }
    const adminWorld = await makeAdminWorld(service, database());
    for (const name of adminNames) {
      const endpoint: Endpoint = adminEndpoints[name];
      const example = adminExampleRequest(name, adminWorld);
      const { status, text } = await service.ask(endpoint.method, addressOf(endpoint.path, example), {
        token: adminToken,
        ...(example.body ? { body: example.body } : {}),
      });
      expect(status, `${name}: ${text}`).toBeLessThan(500);
    }
    await syncing.close();
  };

  test(
    'every key of a tenant table begins with the organization, or has a reason not to',
    { timeout: 300_000 },
    async () => {
      await service.startSync().then(syncing => syncing.close());
      const found = (await readTables()).flatMap(({ isTenants, otherKeys, name }) =>
        isTenants ? otherKeys : [name],
      );
      expect(found.toSorted()).toEqual(Object.keys(keysWithout).toSorted());
    },
  );

  test(
    'every statement names the organization of its tables, or has a reason not to',
    { timeout: 300_000 },
    async () => {
      await walk();
      const statements = new Set(
        sent.mock.calls.map(([statement]) => statement.replaceAll(/\s+/g, ' ').trim()),
      );
      const tables = (await readTables())
        .filter(({ isTenants, name }) => isTenants && name !== 'organizations' && !(name in sharedTables))
        .map(({ name }) => name);
      expect([...statements].some(statement => statement.includes('into "records_'))).toBe(true);
      const found = [...statements].filter(
        statement => tablesWithoutOrganization(statement, tables).length > 0,
      );
      const isFor = (statement: string) => (part: string) => statement.includes(part);
      const parts = Object.keys(statementsWithout);
      expect(found.filter(statement => !parts.some(isFor(statement)))).toEqual([]);
      expect(parts.filter(part => !found.some(statement => isFor(statement)(part)))).toEqual([]);
    },
  );
});
