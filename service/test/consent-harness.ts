import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { Person } from './browser.ts';
import { platformApps } from './consent.ts';
import { startService, type StartedService, type TestRequest, type TestResponse } from './test-service.ts';

/** Where the service is to the outside, its own completion page, and a page of an integrator. */
export const publicUrl = 'http://localhost:4321';
export const completion = `${publicUrl}/oauth/complete`;
export const page = 'http://127.0.0.1:5555';
export const connectors = '/api/v1/integrations/connectors';

/** What the tests begin consents with, and present to see what came of them. */
export const verifier = randomBytes(32).toString('base64url');
export const challenge = createHash('sha256').update(verifier).digest('base64url');

type Changes = Readonly<Record<string, unknown>>;

/** A service with an organization, a customer's widget on {@link page}, and a person with a browser; new customers for each test. */
export interface ConsentHarness {
  readonly service: StartedService;
  /** An application token of the organization. */
  readonly token: string;
  /** How the widget of the customer acme asks. */
  readonly asWidget: { readonly token: string; readonly headers: { readonly origin: string } };
  readonly person: Person;
  /** Asks for a consent at Gong; as the widget, unless told otherwise. */
  initiate(changes?: Changes, asking?: TestRequest): Promise<TestResponse>;
  /** The same, which must succeed. */
  begin(changes?: Changes): Promise<{ consent_url: string; session_id: string; expires_at: string }>;
  /** Asks how a consent stands, with the verifier. */
  status(id: string, asking?: TestRequest & { readonly query?: string }): Promise<TestResponse>;
  /** Makes a connector with a secret id. */
  create(secretId: unknown, changes?: Changes, asking?: TestRequest): Promise<TestResponse>;
  /** Goes through a whole consent; the secret id that comes of it. */
  secretOf(changes?: Changes, account?: string): Promise<string>;
}

/** Sets the stage for the tests of a suite. */
export function setUpConsentHarness(database: () => Database): ConsentHarness {
  let service: StartedService;
  let token: string;
  let widget: string;
  let person: Person;
  beforeAll(async () => {
    service = await startService(database(), { publicUrl, oauthApps: platformApps });
    token = await service.tokenOf(await service.addApplication('own', ['Acme Analytics']));
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('customers').execute();
    service.sandbox.control.reset();
    widget = await service.customerToken(token, { customer_name: 'acme', allowed_origin: page });
    person = new Person(service, publicUrl);
    return () => person.leave();
  });
  afterAll(() => service.close());

  const stage: ConsentHarness = {
    get service() {
      return service;
    },
    get token() {
      return token;
    },
    get asWidget() {
      return { token: widget, headers: { origin: page } };
    },
    get person() {
      return person;
    },
    initiate: (changes = {}, asking = {}) => {
      const body = { connector_type: 'gong', redirect_url: completion, challenge, ...changes };
      return service.ask('POST', `${connectors}/oauth/initiate`, { ...stage.asWidget, ...asking, body });
    },
    begin: async changes => {
      const response = await stage.initiate(changes);
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
      return service.ask('POST', connectors, { ...stage.asWidget, ...asking, body });
    },
    secretOf: async (changes, account) => {
      const { consent_url, session_id } = await stage.begin(changes);
      await person.consent(consent_url, `${page}/`, 'allow', account);
      return String((await stage.status(session_id)).body.secret_id);
    },
  };
  return stage;
}
