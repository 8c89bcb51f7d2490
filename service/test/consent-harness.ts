import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Database } from '../src/platform/database/database.ts';
import { platformApps } from './consent.ts';
import { TestBrowser, type StartedConsent } from './test-browser.ts';
import {
  startTestService,
  type RequestOptions,
  type TestResponse,
  type TestService,
} from './test-service.ts';

/** The service's public URL, its completion page, and an integrator's page. */
export const publicUrl = 'http://localhost:4321';
export const completion = `${publicUrl}/oauth/complete`;
export const page = 'http://127.0.0.1:5555';
export const connectors = '/api/v1/integrations/connectors';

/** The verifier and challenge with which tests start OAuth flows and read their outcome. */
export const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

type Changes = Readonly<Record<string, unknown>>;

/** A service with an organization, a customer's widget on {@link page}, and a user with a browser. */
export interface ConsentHarness {
  readonly service: TestService;
  /** An application token for the organization. */
  readonly token: string;
  /** The token and headers of the widget for customer acme. */
  readonly asWidget: { readonly token: string; readonly headers: { readonly origin: string } };
  readonly browser: TestBrowser;
  /** Starts an OAuth flow with Gong. By default, uses the widget token. */
  initiate(changes?: Changes, asking?: RequestOptions): Promise<TestResponse>;
  /** Starts an OAuth flow and asserts that this succeeds. */
  begin(changes?: Changes): Promise<StartedConsent & { readonly expires_at: string }>;
  /** Requests the status of an OAuth session with the verifier. */
  status(id: string, asking?: RequestOptions & { readonly query?: string }): Promise<TestResponse>;
  /** Creates a connector with a secret id. */
  create(secretId: unknown, changes?: Changes, asking?: RequestOptions): Promise<TestResponse>;
  /** Completes an OAuth flow and returns its secret id. */
  secretOf(changes?: Changes, account?: string): Promise<string>;
}

/** Sets up the harness for a suite, with new customers for each test. */
export function useConsentHarness(database: () => Database): ConsentHarness {
  let service: TestService;
  let token: string;
  let widget: string;
  let browser: TestBrowser;
  beforeAll(async () => {
    service = await startTestService(database(), { publicUrl, oauthApps: platformApps });
    token = await service.tokenOf(await service.addApplication('own', ['Acme Analytics']));
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('customers').execute();
    service.sandbox.control.reset();
    widget = await service.customerToken(token, { customer_name: 'acme', allowed_origin: page });
    browser = new TestBrowser(service, publicUrl);
    return () => browser.leave();
  });
  afterAll(() => service.close());

  const harness: ConsentHarness = {
    get service() {
      return service;
    },
    get token() {
      return token;
    },
    get asWidget() {
      return { token: widget, headers: { origin: page } };
    },
    get browser() {
      return browser;
    },
    initiate: (changes = {}, asking = {}) => {
      const body = { connector_type: 'gong', redirect_url: completion, challenge, ...changes };
      return service.ask('POST', `${connectors}/oauth/initiate`, { ...harness.asWidget, ...asking, body });
    },
    begin: async changes => {
      const response = await harness.initiate(changes);
      expect(response.status, response.text).toBe(200);
      return response.body;
    },
    status: (id, { query = '', headers = {}, ...asking } = {}) =>
      service.ask('GET', `${connectors}/oauth/sessions/${id}${query}`, {
        token: widget,
        headers: { origin: page, 'x-oauth-verifier': verifier, ...headers },
        ...asking,
      }),
    create: (secretId, changes = {}, asking = {}) => {
      const body = {
        connector_type: 'gong',
        name: 'Calls',
        server_side_oauth_secret_id: secretId,
        ...changes,
      };
      return service.ask('POST', connectors, { ...harness.asWidget, ...asking, body });
    },
    secretOf: async (changes, account) => {
      const started = await harness.begin(changes);
      const { session_id } = started;
      await browser.consent(started, `${page}/`, 'allow', account);
      return String((await harness.status(session_id)).body.secret_id);
    },
  };
  return harness;
}
