import type { Endpoint, ProblemCode } from '@connector-auth/api';
import { adminEndpoints, type AdminEndpointName } from '@connector-auth/api/admin';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminCallers, type AdminCallerCase } from '../../../test/admin-callers.ts';
import { adminNames, makeAdminWorld, type AdminWorld } from '../../../test/admin-world.ts';
import { consentKind, platformApps } from '../../../test/consent.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { addressOf, adminExampleRequest } from '../../../test/example-requests.ts';
import { bothKinds } from '../../../test/second-kind.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';

/**
 * Tests every endpoint for operators with every caller. The expected outcome is derived from the contract and the
 * properties of the caller, so a new endpoint is covered as soon as it is in the contract.
 */

/** The access rules, implemented a second time and independently of the service. */
function expectedOutcome(name: AdminEndpointName, caller: AdminCallerCase): ProblemCode | 'allowed' {
  const endpoint: Endpoint = adminEndpoints[name];
  if (caller.isForeign === true) return 'origin_not_allowed';
  // The service in these tests has an application.
  if (name === 'setUp') return 'set_up_complete';
  if (endpoint.callers.length === 0) return 'allowed';
  if (caller.error !== undefined) return caller.error;
  const isRead = endpoint.method === 'GET';
  if (caller.isUnmarked === true && !isRead) return 'origin_not_allowed';
  if (name === 'deleteSession' && !caller.title.includes('ADMIN_TOKEN')) return 'admin_session_not_found';
  const needed = endpoint.access ?? (isRead ? 'read' : 'write');
  return needed === 'write' && caller.access === 'read' ? 'admin_access_insufficient' : 'allowed';
}

onPostgresOrEachEngineInFull("operators' access", database => {
  let service: TestService;
  /** The objects and all rows, until a request is allowed to change something. */
  let present: { readonly world: AdminWorld; readonly contents: readonly string[] } | null = null;
  beforeAll(async () => {
    service = await startTestService(database(), {
      kinds: [...bothKinds, consentKind],
      oauthApps: platformApps,
      sleep: async () => {},
    });
  });
  afterAll(() => service.close());

  describe.each(adminNames)('%s', name => {
    test.each(adminCallers.map(caller => [caller.title, caller] as const))(
      'returns the expected outcome for the caller: %s',
      async (_title, caller) => {
        present ??= {
          world: await makeAdminWorld(service, database()),
          contents: await readDatabaseContents(database()),
        };
        const { world, contents } = present;
        const endpoint: Endpoint = adminEndpoints[name];
        const example = adminExampleRequest(name, world);
        const expected = expectedOutcome(name, caller);
        // Lets the limit of wrong keys refill.
        service.advance(6_000);

        const response = await service.ask(endpoint.method, addressOf(endpoint.path, example), {
          headers: caller.headers(world),
          ...(example.body ? { body: example.body } : {}),
        });

        expect(response.headers).not.toHaveProperty('access-control-allow-origin');
        if (expected === 'allowed') {
          expect(response.status, response.text).toBe(endpoint.status);
          if (endpoint.method !== 'GET') present = null;
          return;
        }
        expect(response.body?.code, response.text).toBe(expected);
        expect(response.status).toBe(response.body.status);
        expect(response.headers).not.toHaveProperty('set-cookie');
        if (response.status === 401) expect(response.headers['www-authenticate']).toMatch(/^Bearer realm=/);
        expect(await readDatabaseContents(database())).toEqual(contents);
      },
    );
  });
});
