import {
  endpoints,
  type Endpoint,
  type EndpointName,
  type ManagementRight,
  type ProblemCode,
} from '@connector-auth/api';
import type { RunningSandbox } from '@connector-auth/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callersFor } from '../../../test/callers-for.ts';
import {
  callers,
  codeFor,
  makeWorld,
  serviceOrigin,
  startWorldSandbox,
  type Applications,
  type CallerCase,
  type World,
} from '../../../test/callers.ts';
import { consentKind, platformApps } from '../../../test/consent.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { addressOf, exampleRequest, type Example } from '../../../test/example-requests.ts';
import { bothKinds } from '../../../test/second-kind.ts';
import { documentedCodes, startTestService, type TestService } from '../../../test/test-service.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import { findApplication } from '../repositories/applications.ts';

/**
 * Tests every endpoint with every caller. The expected outcome is derived from the contract's `callers` and
 * the properties of the caller, so a new endpoint is covered as soon as it is in the contract.
 */

type Outcome = ProblemCode | 'allowed';

/** The management right that each example request requires. */
const rights: Partial<Record<EndpointName, ManagementRight>> = {
  createConnector: 'create',
  updateConnector: 'rename',
  deleteConnector: 'delete',
  restoreConnector: 'delete',
  initiateOAuth: 'create',
  cancelOAuthSession: 'create',
  listConnectorAccounts: 'settings',
  listSessionAccounts: 'create',
  createConnectLink: 'link',
  listConnectLinks: 'link',
  getConnectLink: 'link',
  deleteConnectLink: 'link',
  deleteAgent: 'delete',
};

/** The access rules, implemented a second time and independently of the service. */
function expectedOutcome(
  name: EndpointName,
  caller: CallerCase,
  { namesCustomer, namesOther }: { readonly namesCustomer: boolean; readonly namesOther: boolean },
): Outcome {
  const { kind, organization = 'own', customer = 'own', mayUseSource = true } = caller;
  const endpoint: Endpoint = endpoints[name];
  const right = rights[name];
  if (endpoint.callers.length === 0 && caller.organizationError === 'malformed_request')
    return 'malformed_request';
  if (endpoint.callers.length === 0) return namesOther ? 'organization_not_allowed' : 'allowed';
  if (caller.tokenError !== undefined) return caller.tokenError;
  if (kind === undefined || !endpoint.callers.includes(kind)) return 'token_kind_not_allowed';
  if (caller.isOriginWrong) return 'origin_not_allowed';
  const needsNone =
    endpoint.needsOrganization === false && caller.organizationError === 'organization_required';
  if (caller.organizationError !== undefined && !needsNone) return caller.organizationError;
  // A token has all rights except `link` unless its request named them.
  const { management = right === 'link' && kind !== 'application' ? [] : [right] } = caller;
  if (right !== undefined && !management.includes(right)) return 'management_not_allowed';
  if (customer !== 'own' && namesCustomer) return 'customer_not_allowed';
  const isAboutConnector = endpoint.path.includes('/connectors/{id}');
  if (isAboutConnector && (organization === 'other' || customer === 'other')) return 'connector_not_found';
  const isAboutSession = endpoint.path.includes('/sessions/');
  if (isAboutSession && (organization === 'other' || customer === 'other')) return 'oauth_session_not_found';
  const isAboutLink = endpoint.path.includes('/connect-links/{id}');
  if (isAboutLink && (organization === 'other' || customer === 'other')) return 'link_not_found';
  const isAboutAgent = endpoint.path.includes('/agents/{id}');
  if (isAboutAgent && (organization === 'other' || customer === 'other')) return 'agent_not_found';
  if (endpoint.path.includes('/sign-ins/') && organization === 'other') return 'sign_in_invalid';
  if (endpoint.path.includes('/webhooks/{') && organization === 'other') return 'webhook_not_found';
  const isAboutSource =
    isAboutConnector ||
    isAboutSession ||
    endpoint.path.includes('/sources/{id}') ||
    endpoint.method === 'POST';
  return isAboutSource && !mayUseSource ? 'source_not_allowed' : 'allowed';
}

// `endpoints` has exactly these keys.
const names = Object.keys(endpoints) as EndpointName[];

const callersOf = callersFor<EndpointName, CallerCase>(
  callers,
  ['listConnectors', 'createConnector'],
  ({
    tokenError,
    kind,
    organization,
    customer,
    organizationError,
    isOriginWrong,
    mayUseSource,
    management,
  }) => [
    tokenError,
    kind,
    organization,
    customer,
    organizationError,
    isOriginWrong,
    mayUseSource,
    management,
  ],
);

onPostgresOrEachEngineInFull('access', database => {
  let service: TestService;
  let sandbox: RunningSandbox;
  let applications: Applications;
  /** The objects that the requests are about, until a request deletes one. */
  let world: World | null = null;
  beforeAll(async () => {
    sandbox = await startWorldSandbox();
    service = await startTestService(database(), {
      kinds: [...bothKinds, consentKind],
      publicUrl: serviceOrigin,
      oauthApps: platformApps,
      sandbox,
    });
    applications = {
      own: await service.addApplication('own', ['Own']),
      other: await service.addApplication('other', ['Other']),
      both: await service.addApplication('both', ['Own', 'Other']),
      disabledId: await disableApplication(),
    };
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
  });

  /** Creates an application, disables it, and returns its id. */
  async function disableApplication(): Promise<string> {
    const [clientId, clientSecret] = ['disabled', new Secret('secret')];
    await service.bootstrap({ clientId, clientSecret, organizations: ['Own'], redirectUrls: [] });
    await service.bootstrap(null);
    return (await findApplication(database().kysely, { clientId }))?.id ?? '';
  }

  /** Returns the request of a caller, and what the service should do with it. */
  function requestOf(name: EndpointName, caller: CallerCase, example: Example, present: World) {
    const namesCustomer = 'customer_name' in { ...example.query, ...example.body };
    const headers = caller.headers?.(present) ?? {};
    const namesOther = headers['x-organization-id'] === present.other.organizationIds[0];
    return {
      expected: expectedOutcome(name, caller, { namesCustomer, namesOther }),
      send: () => {
        if (name === 'createApplicationToken') service.advance(2_000);
        return service.ask(endpoints[name].method, addressOf(endpoints[name].path, example), {
          token: caller.token(present),
          headers: { ...example.headers, ...headers },
          ...(example.body ? { body: example.body } : {}),
        });
      },
    };
  }

  async function exampleOf(name: EndpointName, present: World): Promise<Example> {
    const { clientId, clientSecret } = present.own;
    return exampleRequest(name, {
      clientId,
      clientSecret,
      connectorId: present.connectorId,
      sessionId: present.sessionId,
      linkId: present.linkId,
      webhookId: present.webhookId,
      eventId: present.eventId,
      agentId: present.agentId,
      ...(await codeFor(name, present, database(), service)),
      ...(name === 'listSessionAccounts' ? { secretId: await present.secretId() } : {}),
    });
  }

  test.each(names)('%s rejects callers without access, and changes nothing for them', async name => {
    const endpoint: Endpoint = endpoints[name];
    world ??= await makeWorld(service, database(), applications);
    const example = await exampleOf(name, world);
    const before = await readDatabaseContents(database());
    for (const caller of callersOf(name)) {
      const { expected, send } = requestOf(name, caller, example, world);
      if (expected === 'allowed') continue;
      const response = await send();
      expect(response.body?.code, `${caller.title}: ${response.text}`).toBe(expected);
      expect(documentedCodes(endpoint, response.status), caller.title).toContain(expected);
      expect(response.status, caller.title).toBe(response.body.status);
      if (response.status === 401) expect(response.headers['www-authenticate']).toMatch(/^Bearer realm=/);
    }
    expect(await readDatabaseContents(database())).toEqual(before);
  });

  test.each(names)('%s answers callers with access', async name => {
    for (const caller of callersOf(name)) {
      world ??= await makeWorld(service, database(), applications);
      const example = await exampleOf(name, world);
      const { expected, send } = requestOf(name, caller, example, world);
      if (expected !== 'allowed') continue;
      const response = await send();
      expect(response.status, `${caller.title}: ${response.text}`).toBe(endpoints[name].status);
      if (endpoints[name].method === 'DELETE') world = null;
    }
  });

  test('isolates organizations whose customers have the same name', async () => {
    world = await makeWorld(service, database(), applications);
    const { tokens, connectorId } = world;
    for (const token of [tokens['otherApplication'], tokens['scopedElsewhere']]) {
      const list = await service.ask('GET', '/api/v1/integrations/connectors', { token });
      expect(list.body.data.map(({ id }: { id: string }) => id)).not.toContain(connectorId);
    }
    const body = { token: tokens['otherApplication'] };
    expect((await service.ask('DELETE', '/api/v1/customers/acme', body)).status).toBe(204);
    const mine = await service.ask('GET', `/api/v1/integrations/connectors/${connectorId}`, {
      token: tokens['scoped'],
    });
    expect(mine.status).toBe(200);
  });
});
