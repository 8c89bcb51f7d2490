import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../src/platform/database/database.ts';
import { goodKey } from './example-requests.ts';
import { bothKinds, firstKind } from './second-kind.ts';
import { startTestService, type TestResponse, type TestService } from './test-service.ts';

export const connectorsPath = '/api/v1/integrations/connectors';

/** A service with two kinds and an organization without customers. */
export interface ConnectorHarness {
  readonly service: TestService;
  /** An application token for the organization. */
  readonly token: string;
  /** Creates a connector for customer acme with valid credentials. By default, uses the application token. */
  readonly create: (changes?: Readonly<Record<string, unknown>>, as?: string) => Promise<TestResponse>;
  /** Returns the number of requests to the vendor in this test. */
  readonly vendorCalls: () => number;
}

/** Sets up the harness for a suite, and deletes the customers before each test. */
export function useConnectorHarness(database: () => Database): ConnectorHarness {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService(database(), { kinds: bothKinds });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
  });
  beforeEach(async () => {
    await database().kysely.deleteFrom('customers').execute();
    service.sandbox.control.reset();
  });
  afterAll(() => service.close());
  return {
    get service() {
      return service;
    },
    get token() {
      return token;
    },
    create: (changes = {}, as = token) =>
      service.ask('POST', connectorsPath, {
        token: as,
        body: {
          customer_name: 'acme',
          connector_type: firstKind.key,
          name: 'Sales notes',
          credentials: { api_key: goodKey },
          ...changes,
        },
      }),
    vendorCalls: () => service.sandbox.control.requests.count({ vendor: 'granola' }),
  };
}
