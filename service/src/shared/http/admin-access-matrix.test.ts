import type { Endpoint, ProblemCode } from '@connector-auth/api';
import { adminEndpoints, type AdminEndpointName } from '@connector-auth/api/admin';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminCallers, type AdminCallerCase } from '../../../test/admin-callers.ts';
import { adminNames, makeAdminWorld, type AdminWorld } from '../../../test/admin-world.ts';
import { callersFor } from '../../../test/callers-for.ts';
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

/** The endpoints that use up an object or a name. */
const using = /^(create|delete)/;

const callersOf = callersFor<AdminEndpointName, AdminCallerCase>(
  adminCallers,
  ['listAdminKeys', 'createAdminKey'],
  ({ error, access, isForeign, isUnmarked }) => [error, access, isForeign, isUnmarked],
);

onPostgresOrEachEngineInFull("operators' access", database => {
  let service: TestService;
  /** The objects that the requests are about, until a request may have used one up. */
  let world: AdminWorld | null = null;
  beforeAll(async () => {
    service = await startTestService(database(), {
      kinds: [...bothKinds, consentKind],
      oauthApps: platformApps,
      sleep: async () => {},
    });
  });
  afterAll(() => service.close());

  const send = (name: AdminEndpointName, caller: AdminCallerCase, present: AdminWorld) => {
    const endpoint: Endpoint = adminEndpoints[name];
    const example = adminExampleRequest(name, present);
    // Lets the limit of wrong keys refill.
    service.advance(6_000);
    return service.ask(endpoint.method, addressOf(endpoint.path, example), {
      headers: caller.headers(present),
      ...(example.body ? { body: example.body } : {}),
    });
  };

  test.each(adminNames)('%s rejects callers without access, and changes nothing for them', async name => {
    world ??= await makeAdminWorld(service, database());
    const before = await readDatabaseContents(database());
    for (const caller of callersOf(name)) {
      const expected = expectedOutcome(name, caller);
      if (expected === 'allowed') continue;
      const { status, headers, body, text } = await send(name, caller, world);
      expect(body?.code, `${caller.title}: ${text}`).toBe(expected);
      expect(status, caller.title).toBe(body.status);
      expect(headers, caller.title).not.toHaveProperty('set-cookie');
      expect(headers, caller.title).not.toHaveProperty('access-control-allow-origin');
      if (status === 401) expect(headers['www-authenticate']).toMatch(/^Bearer realm=/);
    }
    expect(await readDatabaseContents(database())).toEqual(before);
  });

  test.each(adminNames)('%s answers callers with access', async name => {
    for (const caller of callersOf(name)) {
      if (expectedOutcome(name, caller) !== 'allowed') continue;
      world ??= await makeAdminWorld(service, database());
      const { status, headers, text } = await send(name, caller, world);
      expect(status, `${caller.title}: ${text}`).toBe(adminEndpoints[name].status);
      expect(headers, caller.title).not.toHaveProperty('access-control-allow-origin');
      if (using.test(name)) world = null;
    }
    if (adminEndpoints[name].method !== 'GET') world = null;
  });
});
