import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { goodKey } from './example-requests.ts';
import { bothKinds, firstKind } from './second-kind.ts';
import { startService, type StartedService, type TestResponse } from './test-service.ts';

/** Where connectors are. */
export const connectorsPath = '/api/v1/integrations/connectors';

/** A service with two kinds and an organization, whose customers are gone before each test. */
export interface ConnectorHarness {
  readonly service: StartedService;
  /** An application token of the organization. */
  readonly token: string;
  /** Creates a connector of the customer acme with credentials that are good; as the application, unless told otherwise. */
  readonly create: (changes?: Readonly<Record<string, unknown>>, as?: string) => Promise<TestResponse>;
  /** How often the vendor was asked in this test. */
  readonly vendorCalls: () => number;
}

/** Sets the stage for the tests of a suite. */
export function setUpConnectorHarness(database: () => Database): ConnectorHarness {
  let service: StartedService;
  let token: string;
  beforeAll(async () => {
    service = await startService(database(), { kinds: bothKinds });
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
