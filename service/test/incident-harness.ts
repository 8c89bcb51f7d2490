import { createHash, randomBytes } from 'node:crypto';
import { createTransport, type VendorRequest } from '@connector-auth/connectors/kind';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Database } from '../src/platform/database/database.ts';
import { allPlatformApps } from './consent.ts';
import { goodKey } from './example-requests.ts';
import { TestBrowser } from './test-browser.ts';
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
const publicUrl = 'http://localhost:4321';

/** An application of its own organization. */
export interface Tenant {
  readonly application: TestApplication;
  readonly applicationId: string;
  readonly organizationId: string;
  readonly token: string;
}

export interface Consented {
  readonly sessionId: string;
  /** Null while the consent is pending. */
  readonly secretId: string | null;
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
  /** Completes a consent of customer acme, or leaves it pending. */
  consent(tenant: Tenant, kind: string, until?: 'completed' | 'pending'): Promise<Consented>;
  /** Creates a connector with the grant of a completed consent. */
  redeem(tenant: Tenant, kind: string, consented: Consented): Promise<TestResponse>;
  /** Removes one of the operator's OAuth apps from the configuration. */
  removePlatformApp(prefix: string): { restore(): void };
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
  const oauthApps = new Map(allPlatformApps);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');

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
    consent: async ({ token }, connector_type, end = 'completed') => {
      const { body: started } = await service.ask('POST', `${connectorsPath}/oauth/initiate`, {
        token,
        body: {
          customer_name: 'acme',
          connector_type,
          redirect_url: `${publicUrl}/oauth/complete`,
          challenge,
        },
      });
      const sessionId = String(started.session_id);
      if (end === 'pending') return { sessionId, secretId: null };
      const browser = new TestBrowser(service, publicUrl);
      const headers = { 'sec-fetch-site': 'same-origin' };
      const { location } = await browser.visit(started.consent_url, { method: 'POST', headers });
      await browser.visit(await browser.decide(location ?? '', 'allow'));
      await browser.leave();
      const session = await service.ask('GET', `${connectorsPath}/oauth/sessions/${sessionId}`, {
        token,
        headers: { 'x-oauth-verifier': verifier },
      });
      return { sessionId, secretId: session.body.secret_id ?? null };
    },
    redeem: ({ token }, connector_type, { secretId }) =>
      service.ask('POST', connectorsPath, {
        token,
        body: {
          customer_name: 'acme',
          connector_type,
          name: 'Consented',
          server_side_oauth_secret_id: secretId,
        },
      }),
    removePlatformApp: prefix => {
      const app = oauthApps.get(prefix);
      oauthApps.delete(prefix);
      return { restore: () => void (app && oauthApps.set(prefix, app)) };
    },
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
      oauthApps,
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
