import type { ActionName, ProblemCode } from '@connector-auth/api';
import type { RunningSandbox } from '@connector-auth/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  callers,
  makeWorld,
  serviceOrigin,
  startWorldSandbox,
  type CallerCase,
  type World,
} from '../../../test/callers.ts';
import { consentKind, platformApps } from '../../../test/consent.ts';
import { readDatabaseContents } from '../../../test/database-contents.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { bothKinds, firstKind } from '../../../test/second-kind.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import { findApplication } from '../../shared/repositories/applications.ts';

/**
 * Calls every tool with every caller of the access matrix, and every tool with every right. The expected outcome is
 * derived from the properties of the caller, independently of the service.
 */

type Outcome = ProblemCode | 'allowed';

interface ToolCase {
  readonly given: (world: World) => Readonly<Record<string, unknown>>;
  /** The actions of which the token must allow one. */
  readonly actions?: readonly ActionName[];
  /** Whether the token must allow links. */
  readonly needsLink?: boolean;
  /** The error of an allowed call, if the example causes one. */
  readonly fails?: ProblemCode;
}

const notes = ({ connectorId }: World) => ({ connector_id: connectorId, entity: 'notes' });
const toolCases = {
  list_sources: { given: () => ({}) },
  describe: { given: () => ({ source: firstKind.key }) },
  search: { given: notes, actions: ['search'] },
  read: { given: world => ({ ...notes(world), action: 'list' }), actions: ['list'] },
  write: {
    given: world => ({ ...notes(world), action: 'create', params: {} }),
    actions: ['create'],
    // Notes cannot be created.
    fails: 'unknown_action',
  },
  connect: { given: () => ({ source: firstKind.key }), needsLink: true },
} as const satisfies Readonly<Record<string, ToolCase>>;
const tools = Object.entries<ToolCase>(toolCases);

/** The rights of tokens that name none. */
const defaultActions: readonly ActionName[] = ['list', 'get', 'search', 'check'];

function expectedOutcome(tool: string, caller: CallerCase): Outcome {
  const { actions, needsLink, fails = 'allowed' } = toolCases[tool as keyof typeof toolCases] as ToolCase;
  const { kind, organization = 'own', customer = 'own', mayUseSource = true } = caller;
  if (caller.tokenError !== undefined) return caller.tokenError;
  if (kind === 'widget' || kind === undefined) return 'token_kind_not_allowed';
  if (caller.isOriginWrong) return 'origin_not_allowed';
  if (caller.organizationError !== undefined) return caller.organizationError;
  const allowed = kind === 'application' ? actions : defaultActions;
  if (actions && !actions.some(action => allowed?.includes(action))) return 'action_not_allowed';
  if (needsLink && kind !== 'application' && !caller.management?.includes('link'))
    return 'action_not_allowed';
  if (tool === 'list_sources') return 'allowed';
  if (tool === 'describe' || tool === 'connect') return mayUseSource ? 'allowed' : 'source_not_allowed';
  if (organization === 'other' || customer === 'other') return 'connector_not_found';
  return mayUseSource ? fails : 'source_not_allowed';
}

onPostgresOrEachEngineInFull('access to tools', database => {
  let service: TestService;
  let sandbox: RunningSandbox;
  let world: World;
  beforeAll(async () => {
    sandbox = await startWorldSandbox();
    service = await startTestService(database(), {
      kinds: [...bothKinds, consentKind],
      publicUrl: serviceOrigin,
      oauthApps: platformApps,
      sandbox,
    });
    const [clientId, clientSecret] = ['disabled', new Secret('secret')];
    await service.bootstrap({ clientId, clientSecret, organizations: ['Own'], redirectUrls: [] });
    await service.bootstrap(null);
    world = await makeWorld(service, database(), {
      own: await service.addApplication('own', ['Own']),
      other: await service.addApplication('other', ['Other']),
      both: await service.addApplication('both', ['Own', 'Other']),
      disabledId: (await findApplication(database().kysely, { clientId }))?.id ?? '',
    });
    // The customer of the other organization that has the same name.
    const token = world.tokens['otherApplication'];
    if (token !== undefined) await service.customerToken(token, { customer_name: 'acme' });
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
  });

  async function call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    {
      token,
      headers = {},
    }: { readonly token: string | undefined; readonly headers?: Record<string, string> },
  ): Promise<Outcome> {
    const response = await service.ask('POST', '/mcp', {
      token,
      headers: { accept: 'application/json, text/event-stream', ...headers },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    });
    if (response.status !== 200) {
      if (response.status === 401) expect(response.headers['www-authenticate']).toMatch(/^Bearer realm=/);
      return response.body.code;
    }
    const data = response.text.split('\n').find(line => line.startsWith('data: {')) ?? '';
    const { result } = JSON.parse(data.slice('data: '.length));
    return result.isError ? JSON.parse(result.content[0].text).code : 'allowed';
  }

  describe.each(tools)('%s', (name, { given }) => {
    // Tokens are checked before the tool is known, so one tool is enough for those that are not valid.
    const cases = callers.filter(({ tokenError }) => tokenError === undefined || name === 'write');
    test.each(cases.map(caller => [caller.title, caller] as const))(
      'returns the expected outcome for the caller: %s',
      async (_title, caller) => {
        const before = await readDatabaseContents(database());
        const customer = caller.kind === 'application' ? { customer_name: 'acme' } : {};
        const outcome = await call(
          name,
          { ...given(world), ...customer },
          { token: caller.token(world), headers: caller.headers?.(world) ?? {} },
        );
        expect(outcome).toBe(expectedOutcome(name, caller));
        if (outcome !== 'allowed') expect(await readDatabaseContents(database())).toEqual(before);
      },
    );
  });

  const rights: readonly ActionName[] = ['list', 'get', 'search', 'create', 'update', 'check'];
  test.each(rights)('a token with the right %s can use only the tools for it', async right => {
    const { application } = world.tokens;
    const token = await service.customerToken(application ?? '', {
      customer_name: 'acme',
      allowed_actions: [right],
    });
    for (const [name, { given, actions, needsLink, fails = 'allowed' }] of tools) {
      const isAllowed = !needsLink && (actions === undefined || actions.includes(right));
      const outcome = await call(name, given(world), { token });
      // `get` and `update` allow the tool, but not the action of the example.
      const isOther = (name === 'read' && right === 'get') || (name === 'write' && right === 'update');
      expect(outcome, name).toBe(isOther ? 'malformed_request' : isAllowed ? fails : 'action_not_allowed');
    }
  });
});
