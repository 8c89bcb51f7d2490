import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AdminConnector } from '../../api/src/admin.ts';
import { events, type EventName } from '../../api/src/index.ts';
import type { AuditEntry } from '../../service/src/platform/audit-log/entry.ts';
import { insertBatch } from '../../service/src/platform/audit-log/store.ts';
import { Secret } from '../../service/src/platform/crypto/secret.ts';
import type { Database } from '../../service/src/platform/database/database.ts';
import { jsonb } from '../../service/src/platform/database/values.ts';
import type { TestResponse, TestService } from '../../service/test/test-service.ts';
import { until } from '../../service/test/until.ts';
import data from './seed.json' with { type: 'json' };

/** What a seeded service contains. */
export interface Seeded {
  /** Admin keys, by name. */
  readonly keys: Readonly<Record<string, string>>;
  /** Returns the id of the object with this name or, if there is none, of the first whose name starts with it. */
  idOf(name: string): string;
  /** Calls the API for operators with a key that can change everything. Rejects if the request fails. */
  admin(method: string, path: string, body?: unknown): Promise<TestResponse['body']>;
}

interface SeededConnector {
  readonly organization: string;
  readonly customer: string;
  readonly kind: string;
  readonly name: string;
  readonly disabled?: boolean;
  readonly needs_reauth?: boolean;
  /** What differs from a sync that is up to date. Without it, the first sync is due. */
  readonly entities?: Readonly<Record<string, SeededSync>>;
}

interface SeededIncident {
  readonly name: string;
  readonly reason: string;
  readonly minutes: number;
  /** What the incident is about. */
  readonly kind?: string;
  readonly application?: string;
  readonly customer?: string;
  readonly organization?: string;
  readonly undone?: boolean;
  /** The connectors that it freezes. */
  readonly connectors?: readonly SeededConnector[];
  /** What became of their grants at the vendors, by kind. */
  readonly receipts?: Readonly<Record<string, Row>>;
}

type Row = Readonly<Record<string, unknown>>;

interface SeededSync {
  readonly records: number;
  readonly running?: boolean;
  readonly failures?: number;
  readonly error?: string;
  /** The problem code of the error. */
  readonly code?: string;
}

/**
 * Fills a new service with the busy installation that `seed.json` describes. Uses the API; only times in the past, and
 * what background jobs would have done, are written to the database.
 */
export async function seed(service: TestService, database: Database): Promise<Seeded> {
  const seeding = new Seeding(service, database);
  await seeding.setUp();
  await seeding.addOrganizations();
  for (const incident of data.incidents) await seeding.addIncident(incident);
  for (const connector of data.connectors) await seeding.addConnector(connector);
  for (const name of data.customers) await seeding.addCustomer(name);
  await seeding.addQuotas();
  await seeding.addWebhooks();
  await seeding.disableAll();
  await seeding.addAuditEntries();
  await seeding.addUses();
  return seeding;
}

class Seeding implements Seeded {
  readonly keys: Record<string, string> = {};
  readonly #ids = new Map<string, string>();
  /** A token for each organization, by name. */
  readonly #tokens = new Map<string, string>();
  readonly #service: TestService;
  readonly #database: Database;
  #adminKey = '';

  constructor(service: TestService, database: Database) {
    this.#service = service;
    this.#database = database;
  }

  idOf(name: string): string {
    const id = this.#ids.get(name) ?? [...this.#ids].find(([other]) => other.startsWith(name))?.[1];
    if (id === undefined) throw new Error(`The seed has nothing with the name ${name}`);
    return id;
  }

  async setUp(): Promise<void> {
    const code = await this.#service.issueSetUpCode();
    const first = await this.admin('POST', '/setup', { code, name: 'First admin key' });
    this.#adminKey = first.key;
    await this.#age('admin_keys', first.id, 412, { last_used_at: ago(40 * day) });
    for (const { name, access, days, used, expires } of data.keys) {
      const { id, key } = await this.admin('POST', '/keys', { name, access });
      this.keys[name] = key;
      await this.#age('admin_keys', id, days, {
        last_used_at: ago(used),
        expires_at: expires === undefined ? null : ago(-expires * day),
      });
    }
  }

  async addOrganizations(): Promise<void> {
    for (const { days, disabled: _, ...body } of data.organizations) {
      const { id } = await this.#add('/organizations', body);
      await this.#age('organizations', id, days);
    }
    for (const { name, organizations, redirect_urls, days, secrets } of data.applications) {
      const {
        id,
        client_id: clientId,
        client_secret: clientSecret,
      } = await this.#add('/applications', {
        name,
        organization_ids: organizations.map(organization => this.idOf(organization)),
        ...(redirect_urls ? { redirect_urls } : {}),
      });
      await this.#age('applications', id, days);
      const token = await this.#service.tokenOf({ clientId, clientSecret, organizationIds: [] });
      for (const organization of organizations) {
        if (!this.#tokens.has(organization)) this.#tokens.set(organization, token);
      }
      if (secrets.length > 1) await this.admin('POST', `/applications/${id}/secrets`, {});
      const stored = (await this.admin('GET', `/applications/${id}`)).secrets as { id: string }[];
      for (const [index, secret] of stored.entries()) {
        const times = secrets[index];
        if (!times) await this.admin('DELETE', `/applications/${id}/secrets/${secret.id}?force=true`);
        else {
          await this.#age('application_secrets', secret.id, times.days, {
            last_used_at: ago(times.used),
            expires_at: 'expires' in times ? ago(-times.expires * day) : null,
          });
        }
      }
    }
    const { name, organization } = data.environment_application;
    await this.#service.bootstrap({
      organizations: [organization],
      clientId: name,
      clientSecret: new Secret('a-secret-of-the-environment'),
      redirectUrls: [],
    });
    for (const application of (await this.admin('GET', '/applications')).data) {
      this.#ids.set(application.name, application.id);
    }
  }

  async addIncident({
    name,
    connectors = [],
    minutes,
    undone = false,
    receipts = {},
    ...about
  }: SeededIncident): Promise<void> {
    for (const connector of connectors) await this.addConnector(connector);
    const { application, customer, organization = '', ...body } = about;
    const { id } = await this.admin('POST', '/incidents', {
      ...body,
      ...(application === undefined ? {} : { application: this.idOf(application) }),
      ...(customer === undefined
        ? {}
        : { customer: { name: customer, organization: this.idOf(organization) } }),
    });
    this.#ids.set(name, id);
    if (undone) await this.admin('POST', `/incidents/${id}/undo`);
    await this.#set(
      'incidents',
      { id },
      {
        declared_at: ago(minutes),
        ...(undone ? { undone_at: ago(minutes - day) } : {}),
      },
    );
    for (const [kind, values] of Object.entries(receipts)) {
      await this.#set('grant_revocations', { incident_id: id, kind }, values);
    }
  }

  async addConnector(connector: SeededConnector): Promise<void> {
    const { organization, customer, kind, name, entities = {} } = connector;
    const credentials = this.#service.sandbox.control
      .vendors()
      .find(({ key }) => key === kind)
      ?.credentials.find(({ works }) => works)?.values;
    const created = await this.#ask('POST', '/api/v1/integrations/connectors', {
      token: this.#tokens.get(organization),
      headers: { 'x-organization-id': this.idOf(organization) },
      body: { customer_name: customer, connector_type: kind, name, credentials },
    });
    this.#ids.set(name, created.id);
    await this.#addCustomerId(customer);
    await this.#age('connectors', created.id, 40, { updated_at: ago(3 * day) });
    if (connector.needs_reauth) {
      const method = kind === 'google-ads' ? { auth_method: 'oauth' } : {};
      await this.#set('connectors', { id: created.id }, { status: 'needs_reauth', ...method });
    }
    if (!connector.entities) return;
    const synced = { records: 640, last_synced_at: ago(14), due_at: ago(-16) };
    await this.#set('synced_entities', { connector_id: created.id }, synced);
    for (const [entity, { records, running, failures = 0, error = null, code = null }] of Object.entries(
      entities,
    )) {
      const lease = running ? { lease_until: ago(-day), slice_started_at: ago(2) } : {};
      const values = { records, failures, last_error: error, last_error_code: code, ...lease };
      await this.#set('synced_entities', { connector_id: created.id, entity }, values);
    }
  }

  async addCustomer(name: string): Promise<void> {
    await this.#service.customerToken(this.#tokens.get('Harbor Analytics') ?? '', { customer_name: name });
    await this.#addCustomerId(name);
  }

  async #addCustomerId(name: string): Promise<void> {
    const { data: found } = await this.admin('GET', `/customers?search=${encodeURIComponent(name)}`);
    this.#ids.set(name, found[0].id);
    await this.#age('customers', found[0].id, 80);
  }

  async addQuotas(): Promise<void> {
    const { data: customers } = await this.admin('GET', '/customers');
    for (const { key, used } of data.quotas) {
      for (const [index, count] of used.entries()) {
        await this.#database.kysely
          .insertInto('vendor_quota_usage')
          .values({
            key,
            hour: sql<Date>`date_trunc('hour', now())`,
            organization_id: customers[index].organization.id,
            customer_id: customers[index].id,
            used: count,
            last_used_at: ago(index * 3 + 1),
          })
          .execute();
      }
    }
  }

  /** Adds webhooks, and the outcome of each delivery of their events. */
  async addWebhooks(): Promise<void> {
    const { kysely } = this.#database;
    for (const { organization, off, deliveries, ...body } of data.webhooks) {
      const organizationId = this.idOf(organization);
      const { id } = await this.admin('POST', `/organizations/${organizationId}/webhooks`, body);
      this.#ids.set(body.description, id);
      await this.#age('webhooks', id, 40);
      for (const { type, minutes, state, attempts, status, response } of deliveries) {
        const event = await kysely
          .insertInto('webhook_events')
          .values({
            organization_id: organizationId,
            type,
            // The seed has types of the contract.
            data: jsonb({ ...events[type as EventName].example, organization_id: organizationId }),
            webhook_id: id,
            created_at: ago(minutes),
          })
          .returning('position')
          .executeTakeFirstOrThrow();
        const isPending = state === 'pending';
        await this.#set('webhook_deliveries', event, {
          state,
          attempts,
          due_at: isPending ? ago(-100) : null,
          last_attempt_at: attempts === 0 ? null : ago(minutes),
          last_status: status,
          last_response: response,
        });
      }
      const times = { disabled_at: ago(day), disabled_reason: 'failing', failing_since: ago(6 * day) };
      if (off) await this.#set('webhooks', { id }, times);
    }
  }

  /** Disables organizations, applications and connectors, which the seed needed enabled. */
  async disableAll(): Promise<void> {
    for (const collection of ['organizations', 'applications', 'connectors'] as const) {
      const items: readonly { readonly name: string; readonly disabled?: boolean }[] = data[collection];
      for (const { name, disabled } of items) {
        if (disabled) await this.admin('POST', `/${collection}/${this.idOf(name)}/disable`);
      }
    }
  }

  /** Adds 120 uses of connectors, one in 11 minutes, after what the seed did, as if that was 40 days ago. */
  async addAuditEntries(): Promise<void> {
    const { kysely } = this.#database;
    // Entries are written in the background.
    await until(async () => {
      const { data: written } = await this.admin('GET', '/audit?action=connector.disabled');
      if (written.length === 0) throw new Error('The entries are not written yet');
    });
    await sql`alter table audit_entries disable trigger user`.execute(kysely);
    await sql`update audit_entries set at = at - interval '40 days'`.execute(kysely);
    await sql`alter table audit_entries enable trigger user`.execute(kysely);
    const connectors: AdminConnector[] = [];
    for (const name of data.uses) connectors.push(await this.admin('GET', `/connectors/${this.idOf(name)}`));
    const entries = Array.from({ length: 120 }, (_, index) => {
      const number = 120 - index;
      // `uses` is not empty.
      const connector = connectors[number % connectors.length] as AdminConnector;
      return {
        recordedAt: performance.now() - number * 11 * 60_000,
        entry: useOf(connector, number, this.idOf('Harbor backend')),
      };
    });
    await insertBatch(kysely, { id: randomUUID(), entries });
  }

  /** Adds the counters of the last 30 days: the usual share of failed uses, and that of some days. */
  async addUses(): Promise<void> {
    await sql`truncate hourly_uses`.execute(this.#database.kysely);
    for (const { organization, kind, each_hour, failed, days } of data.hourly_uses) {
      const shares: Readonly<Record<string, number>> = days;
      const rows = Array.from({ length: 30 * 24 }, (_, hour) => {
        const count = Math.round(each_hour * (shares[Math.floor(hour / 24)] ?? failed));
        return { hour: ago(hour * 60), succeeded: each_hour - count, failed: count };
      });
      await sql`insert into hourly_uses (organization_id, kind, hour, succeeded, failed)
        select ${this.idOf(organization)}::uuid, ${kind}, date_trunc('hour', hour), succeeded, failed
        from json_to_recordset(${JSON.stringify(rows)}::json) as (hour timestamptz, succeeded integer, failed integer)`.execute(
        this.#database.kysely,
      );
    }
  }

  async #add(path: string, body: Row & { readonly name: string }): Promise<TestResponse['body']> {
    const created = await this.admin('POST', path, body);
    this.#ids.set(body.name, created.id);
    return created;
  }

  admin(method: string, path: string, body?: unknown): Promise<TestResponse['body']> {
    return this.#ask(method, `${this.#service.privateUrl ?? ''}/api/v1/admin${path}`, {
      ...(this.#adminKey === '' ? {} : { token: this.#adminKey }),
      body,
    });
  }

  async #ask(...request: Parameters<TestService['ask']>): Promise<TestResponse['body']> {
    const { status, text, body } = await this.#service.ask(...request);
    if (status >= 400) throw new Error(`${request[0]} ${request[1]}: ${text}`);
    return body;
  }

  #age(table: string, id: string, days: number, more: Row = {}): Promise<void> {
    return this.#set(table, { id }, { created_at: ago(days * day), ...more });
  }

  async #set(table: string, where: Row, values: Row): Promise<void> {
    const equals = ([name, value]: [string, unknown]) => sql`${sql.ref(name)} = ${value}`;
    await sql`update ${sql.table(table)} set ${sql.join(Object.entries(values).map(equals))}
      where ${sql.join(Object.entries(where).map(equals), sql` and `)}`.execute(this.#database.kysely);
  }
}

/** Every ninth use is a sync, every thirteenth fails, and the last one is of a connector that is disabled. */
function useOf(connector: AdminConnector, number: number, application: string): AuditEntry {
  const isSync = number % 9 === 0;
  const isLast = number === 1;
  const isLimited = number % 13 === 0;
  return {
    actor: isSync
      ? { type: 'sync', id: null, name: null, tokenId: null }
      : { type: 'application', id: application, name: null, tokenId: 'tok_5f2a90c3' },
    organizationId: connector.organization.id,
    customer: connector.customer,
    connectorId: connector.id,
    kind: connector.connector_type,
    entity: { gong: 'calls', granola: 'notes' }[connector.connector_type] ?? 'campaigns',
    action: isSync ? 'sync' : number % 2 ? 'list' : 'search',
    applicationId: null,
    targetId: null,
    outcome: isLast ? 'connector_disabled' : isLimited ? 'vendor_rate_limited' : 'ok',
    records: isLast || isLimited ? null : (number * 7) % 100,
    requestId: isSync ? null : randomUUID(),
    address: isSync ? null : '203.0.113.24',
  };
}

const day = 24 * 60;
const ago = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
