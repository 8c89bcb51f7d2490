import { createTransport, type VendorRequest } from '@connector-auth/connectors/kind';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { allPlatformApps } from './consent.ts';
import { goodKey } from './example-requests.ts';
import {
  adminToken,
  startTestService,
  type TestApplication,
  type TestResponse,
  type TestService,
} from './test-service.ts';
import { until } from './until.ts';

export const connectorsPath = '/api/v1/integrations/connectors';
export const incidentsPath = '/api/v1/admin/incidents';
export const publicUrl = 'http://localhost:4321';

/** An application of its own organization. */
export interface Tenant {
  readonly application: TestApplication;
  readonly applicationId: string;
  readonly organizationId: string;
  readonly token: string;
}

/** A service with every vendor, in which each test declares its own incidents. */
export interface IncidentHarness {
  readonly service: TestService;
  readonly sandbox: RunningSandbox;
  /** Makes vendor requests wait for the promise that this function returns, if any. */
  gate: ((request: VendorRequest) => Promise<void> | undefined) | null;
  addTenant(): Promise<Tenant>;
  /** Creates a connector to Granola, whose API cannot revoke keys. */
  connectGranola(tenant: Tenant, customer?: string): Promise<string>;
  /** Creates a connector to Google Ads with a token that can be revoked. Default: a new token. */
  connectGoogle(tenant: Tenant, customer?: string, credentials?: object): Promise<string>;
  ask(method: string, path: string, body?: unknown): Promise<TestResponse>;
  declare(body: object): Promise<{ id: string; frozen_connectors: number; receipts: object }>;
  undo(id: string): Promise<TestResponse>;
  receipts(id: string, query?: string): Promise<TestResponse['body'][]>;
  /** Resolves when every receipt of the incident has the state. */
  untilAll(id: string, state: string): Promise<TestResponse['body'][]>;
  statusOf(tenant: Tenant, connectorId: string): Promise<string>;
  execute(tenant: Tenant, connectorId: string): Promise<TestResponse>;
  revocationRequests(): number;
}

/** Sets up the harness for a suite. Undoes the incidents of each test. */
export function useIncidentHarness(database: () => Database): IncidentHarness {
  let service: TestService;
  let sandbox: RunningSandbox;
  let tenants = 0;

  const ask: IncidentHarness['ask'] = (method, path, body) =>
    service.ask(method, path, { token: adminToken, ...(body === undefined ? {} : { body }) });
  const create = async (tenant: Tenant, body: object): Promise<string> => {
    const response = await service.ask('POST', connectorsPath, { token: tenant.token, body });
    expect(response.status, response.text).toBe(201);
    return response.body.id;
  };

  const harness: IncidentHarness = {
    gate: null,
    get service() {
      return service;
    },
    get sandbox() {
      return sandbox;
    },
    ask,
    addTenant: async () => {
      const name = `tenant-${(tenants += 1)}`;
      // Lets the rate limit of the token endpoint refill.
      service.advance(10_000);
      const application = await service.addApplication(name, [name]);
      const token = await service.tokenOf(application);
      const [organizationId = ''] = application.organizationIds;
      return { application, applicationId: decodeJwt(token).sub ?? '', organizationId, token };
    },
    connectGranola: (tenant, customer_name = 'acme') =>
      create(tenant, {
        customer_name,
        connector_type: 'granola',
        name: 'Notes',
        credentials: { api_key: goodKey },
      }),
    connectGoogle: (tenant, customer_name = 'acme', credentials = googleCredentials(sandbox)) =>
      create(tenant, { customer_name, connector_type: 'google-ads', name: 'Ads', credentials }),
    declare: async body => {
      const response = await ask('POST', incidentsPath, body);
      expect(response.status, response.text).toBe(201);
      return response.body;
    },
    undo: id => ask('POST', `${incidentsPath}/${id}/undo`),
    receipts: async (id, query = '') => {
      const response = await ask('GET', `${incidentsPath}/${id}/receipts${query}`);
      expect(response.status, response.text).toBe(200);
      return response.body.data;
    },
    untilAll: (id, state) =>
      until(async () => {
        const receipts = await harness.receipts(id, '?limit=1000');
        expect(receipts.length).toBeGreaterThan(0);
        expect(receipts.filter(receipt => receipt.state !== state)).toEqual([]);
        return receipts;
      }),
    statusOf: async ({ token }, connectorId) => {
      const response = await service.ask('GET', `${connectorsPath}/${connectorId}`, { token });
      return response.body.status;
    },
    execute: ({ token }, connectorId) =>
      service.ask('POST', `${connectorsPath}/${connectorId}/check`, { token }),
    revocationRequests: () => sandbox.control.requests.count({ operation: 'revoke token' }),
  };

  beforeAll(async () => {
    sandbox = await startSandbox();
    const send = createTransport({ sandboxUrl: sandbox.url });
    service = await startTestService(database(), {
      publicUrl,
      sandbox,
      oauthApps: allPlatformApps,
      transport: async (request, call) => {
        await harness.gate?.(request);
        return send(request, call);
      },
    });
  });
  afterEach(async () => {
    harness.gate = null;
    sandbox.control.reset();
    const { body } = await ask('GET', `${incidentsPath}?limit=1000`);
    for (const { id, status } of body.data) if (status === 'open') await harness.undo(id);
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
  });
  return harness;
}

/** Returns pasted credentials for Google Ads with a new refresh token. */
export function googleCredentials({ control }: RunningSandbox): Readonly<Record<string, string>> {
  const google = control.vendors().find(({ key }) => key === 'google-ads');
  const credential = google?.credentials.find(({ works }) => works);
  if (credential === undefined) throw new Error('The sandbox has no credentials for Google Ads');
  return credential.values;
}

/** Tuning for tests: short delays, because tests wait for repeated attempts. */
export const quick = { pollMs: 20, firstDelaySeconds: 0.02 } as const;
