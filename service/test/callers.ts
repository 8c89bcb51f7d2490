import { tokenKinds, type EndpointName, type ManagementRight, type TokenKind } from '@connector-auth/api';
import { exampleValues } from '@connector-auth/api/examples';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { expect } from 'vitest';
import { issueCode } from '../src/features/agents/sign-in/store.ts';
import type { Database } from '../src/platform/database/database.ts';
import { addAgent } from './agents.ts';
import { completeConsent, consentKind, setOwnApp, startConsent } from './consent.ts';
import { goodKey } from './example-requests.ts';
import { openLink } from './link-browser.ts';
import { firstKind, secondKind } from './second-kind.ts';
import type { TestApplication, TestService } from './test-service.ts';

/** The origins of the service and of a page that embeds the widget. */
export const serviceOrigin = 'https://service.example';
/** An OAuth app at Gong whose users return to the service. */
const worldApp = {
  name: 'World',
  clientId: 'world',
  clientSecret: 'world_secret',
  redirectUris: [`${serviceOrigin}/oauth/callback/${consentKind.key}`],
};

/** Starts the sandbox for a world. The caller must close it. */
export const startWorldSandbox = (): Promise<RunningSandbox> =>
  startSandbox({ oauthApps: { [consentKind.key]: [worldApp] } });

const pageOrigin = 'https://app.example';

/** A caller with its token and the properties that determine its access. */
export interface CallerCase {
  readonly title: string;
  readonly token: (world: World) => string | undefined;
  readonly headers?: (world: World) => Record<string, string>;
  /** The error code that the token causes. */
  readonly tokenError?: 'token_missing' | 'token_invalid' | 'token_expired';
  readonly kind?: TokenKind;
  readonly isOriginWrong?: boolean;
  readonly organizationError?: 'organization_required' | 'organization_not_allowed' | 'malformed_request';
  readonly organization?: 'own' | 'other';
  readonly customer?: 'own' | 'other';
  readonly mayUseSource?: boolean;
  /** The rights of a token that does not have all. */
  readonly management?: readonly ManagementRight[];
}

/**
 * The objects in the tests. The caller's own organization has a customer named acme, with a connector and an
 * OAuth session, and a customer named beta. The other organization also has a customer named acme.
 */
export interface World {
  readonly own: TestApplication;
  readonly other: TestApplication;
  readonly both: TestApplication;
  /** The id of an application that was disabled. */
  readonly disabledId: string;
  readonly connectorId: string;
  readonly sessionId: string;
  readonly linkUrl: string;
  readonly linkId: string;
  readonly webhookId: string;
  /** An event that is to be sent to the webhook. */
  readonly eventId: string;
  /** An app that a person of the customer has authorized. */
  readonly agentId: string;
  /** Completes the OAuth session, and returns its secret id. */
  readonly secretId: () => Promise<string>;
  readonly tokens: Readonly<Record<string, string>>;
}

/** The applications, which are kept when the world is recreated. */
export type Applications = Pick<World, 'own' | 'other' | 'both' | 'disabledId'>;

/**
 * Recreates all objects. Tokens issued earlier may become invalid.
 * @param needed the customer tokens that are needed. By default, the world has every token that {@link callers} use, and the
 * other organization has settings too.
 */
export async function makeWorld(
  service: TestService,
  database: Database,
  applications: Applications,
  needed?: readonly string[],
): Promise<World> {
  const { own, other, both } = applications;
  // Lets the rate limit of the token endpoint refill.
  service.advance(10_000);
  const token = await service.tokenOf(own);
  await service.ask('DELETE', '/api/v1/customers/acme', { token });
  const body = {
    customer_name: 'acme',
    connector_type: firstKind.key,
    name: 'Notes',
    credentials: { api_key: goodKey },
  };
  const created = await service.ask('POST', '/api/v1/integrations/connectors', { token, body });
  expect(created.status).toBe(201);
  await setUpOrganization(service, token);
  const link = await service.ask('POST', '/api/v1/integrations/connect-links', {
    token,
    body: { customer_name: 'acme' },
  });
  expect(link.status).toBe(201);
  const event = await addWebhook(service, token);
  const tokens: Record<string, string> = { application: token };
  if (needed === undefined) {
    tokens['bothApplication'] = await service.tokenOf(both);
    tokens['otherApplication'] = await service.tokenOf(other);
    await setUpOrganization(service, tokens['otherApplication']);
  }
  for (const [name, { of = 'application', ...more }] of Object.entries(customerTokens)) {
    if (needed?.includes(name) === false) continue;
    const requester = tokens[of] ?? '';
    tokens[name] = await service.customerToken(requester, { customer_name: 'acme', ...more });
  }
  if (needed === undefined) {
    const deleted = await service.ask('DELETE', '/api/v1/customers/gone', { token });
    expect(deleted.status).toBe(204);
  }
  const started = await startConsent(service, token);
  let secretId: Promise<string> | undefined;
  const forged = needed === undefined ? await forge(service, tokens, applications.disabledId) : {};
  return {
    ...applications,
    connectorId: created.body.id,
    sessionId: started.session_id,
    linkUrl: link.body.url,
    linkId: link.body.id,
    ...event,
    agentId: await addAgent(database, own.organizationIds[0] ?? ''),
    secretId: () => (secretId ??= completeConsent(service, serviceOrigin, started)),
    tokens: { ...tokens, ...forged },
  };
}

const widget = { allowed_origin: pageOrigin };
/** The requests for customer tokens, by default for acme from its own organization. */
const customerTokens: Readonly<Record<string, Readonly<Record<string, unknown>> & { readonly of?: string }>> =
  {
    scoped: {},
    scopedBeta: { customer_name: 'beta' },
    scopedElsewhere: { of: 'otherApplication' },
    scopedSecondSource: { allowed_sources: [secondKind.name] },
    scopedActions: { allowed_actions: ['list', 'get', 'search', 'check'] },
    scopedRename: { allowed_management: ['rename'] },
    scopedLink: { allowed_management: ['link'] },
    scopedDeleted: { customer_name: 'gone' },
    widget,
    widgetBeta: { ...widget, customer_name: 'beta' },
    widgetActions: { ...widget, allowed_actions: ['list', 'search', 'check'] },
    widgetLink: { ...widget, allowed_management: ['link'] },
    widgetDelete: { ...widget, allowed_management: ['delete'] },
    widgetElsewhere: { ...widget, of: 'otherApplication' },
    widgetSecondSource: { ...widget, allowed_sources: [secondKind.key] },
    widgetOfService: { allowed_origin: serviceOrigin },
    widgetDeleted: { ...widget, customer_name: 'gone' },
  };

/** Returns the one-time code that the example request of an endpoint needs, if it needs one. */
export async function codeFor(
  name: EndpointName,
  { linkUrl, own }: World,
  database: Database,
  service: TestService,
): Promise<Readonly<Partial<Record<'linkCode' | 'signInCode', string>>>> {
  if (name === 'confirmConnectLink') {
    const browser = await openLink(database, service, linkUrl);
    return { linkCode: (await browser?.code()) ?? '' };
  }
  if (name !== 'confirmAgentSignIn') return {};
  const [organizationId = ''] = own.organizationIds;
  return { signInCode: await issueCode(database.kysely, { organizationId, id: exampleValues.signInId }) };
}

/** Registers the organization's OAuth app and the page of its backend. */
async function setUpOrganization(service: TestService, token: string): Promise<void> {
  await setOwnApp(service, token, worldApp);
  const body = { connect_helper_url: `${pageOrigin}/connector-auth`, agent_sign_in: true };
  await service.ask('PATCH', '/api/v1/organization', { token, body });
}

/** Creates a webhook that replaces the others of the organization, and an event for it. */
export async function addWebhook(
  service: TestService,
  token: string,
): Promise<{ readonly webhookId: string; readonly eventId: string }> {
  const path = '/api/v1/webhooks';
  const present = await service.ask('GET', path, { token });
  for (const { id } of present.body.data) await service.ask('DELETE', `${path}/${id}`, { token });
  const body = { url: 'listen:laptop' };
  const created = await service.ask('POST', path, { token, body });
  expect(created.status, created.text).toBe(201);
  const webhookId = String(created.body.id);
  const tested = await service.ask('POST', `${path}/${webhookId}/test`, { token });
  expect(tested.status, tested.text).toBe(200);
  return { webhookId, eventId: tested.body.event_id };
}

/** Creates forged, expired and revoked tokens. */
async function forge(
  service: TestService,
  tokens: Readonly<Record<string, string>>,
  disabledId: string,
): Promise<Record<string, string>> {
  const forged: Record<string, string> = {};
  const right = service.signingKeys[0].secret.reveal();
  const wrong = Buffer.alloc(32, 99);
  for (const kind of tokenKinds) {
    const token = tokens[kind] ?? '';
    const payload = decodeJwt(token);
    const header = decodeProtectedHeader(token);
    const sign = (changed: object, key: Uint8Array, more: object = {}) =>
      new SignJWT({ ...payload, ...changed })
        .setProtectedHeader({ alg: 'HS256', ...header, ...more })
        .sign(key);
    forged[`${kind} expired`] = await sign({ exp: Math.floor(Date.now() / 1000) - 1 }, right);
    forged[`${kind} signed by another key`] = await sign({}, wrong);
    forged[`${kind} of an unknown key id`] = await sign({}, right, { kid: 'unknown' });
    forged[`${kind} of no key id`] = await sign({}, right, { kid: undefined });
    forged[`${kind} of another type`] = await sign({}, right, { typ: 'JWT' });
    forged[`${kind} for another audience`] = await sign({ aud: 'another-service' }, right);
    forged[`${kind} of another issuer`] = await sign({ iss: 'another-service' }, right);
    forged[`${kind} with another algorithm`] = await sign({}, Buffer.alloc(64, 1), { alg: 'HS512' });
    forged[`${kind} without an expiry`] = await sign({ exp: undefined }, right);
    const audience = [payload.aud ?? []].flat()[0] ?? '';
    forged[`${kind} for another installation`] = await sign({ aud: [audience, crypto.randomUUID()] }, right);
    const ofDisabled = kind === 'application' ? { sub: disabledId } : { app: disabledId };
    forged[`${kind} of a disabled application`] = await sign({ ...ofDisabled, iat_us: 1 }, right);
    forged[`${kind} unsigned`] = new UnsecuredJWT(payload).encode();
    const [head, body, signature] = token.split('.');
    const widened = Buffer.from(JSON.stringify({ ...payload, sub: '00000000-0000-4000-8000-000000000000' }));
    forged[`${kind} with a modified body`] = `${head}.${widened.toString('base64url')}.${signature}`;
    forged[`${kind} truncated`] = `${head}.${body}`;
  }
  return forged;
}

const at = (name: string) => (world: World) => world.tokens[name];
const from = (origin: string) => () => ({ origin });
const inOrganization = (which: 'own' | 'other') => (world: World) => ({
  'x-organization-id': world[which].organizationIds[0] ?? '',
});

const badTokens: CallerCase[] = [
  { title: 'no token', token: () => undefined, tokenError: 'token_missing' },
  { title: 'a malformed token', token: () => 'abc.def.ghi', tokenError: 'token_invalid' },
  {
    title: 'another scheme',
    token: () => undefined,
    headers: () => ({ authorization: 'Basic YTpi' }),
    tokenError: 'token_missing',
  },
  ...tokenKinds.flatMap(kind =>
    [
      'expired',
      'signed by another key',
      'of an unknown key id',
      'of no key id',
      'of another type',
      'for another audience',
      'for another installation',
      'of a disabled application',
      'of another issuer',
      'with another algorithm',
      'without an expiry',
      'unsigned',
      'with a modified body',
      'truncated',
    ].map((defect): CallerCase => ({
      title: `${kind} ${defect}`,
      token: at(`${kind} ${defect}`),
      headers: from(pageOrigin),
      tokenError: defect === 'expired' ? 'token_expired' : 'token_invalid',
    })),
  ),
];

const applications: CallerCase[] = [
  { title: 'application', token: at('application'), kind: 'application' },
  ...(['application', 'scoped'] as const).map((kind): CallerCase => ({
    title: `${kind} in a page of another origin`,
    token: at(kind),
    kind,
    headers: from(pageOrigin),
    isOriginWrong: true,
  })),
  {
    title: "application in the service's own page",
    token: at('application'),
    kind: 'application',
    headers: from(serviceOrigin),
  },
  {
    title: 'application naming its organization',
    token: at('application'),
    kind: 'application',
    headers: inOrganization('own'),
  },
  {
    title: 'application naming an organization it is not in',
    token: at('application'),
    kind: 'application',
    headers: inOrganization('other'),
    organizationError: 'organization_not_allowed',
  },
  {
    title: 'application naming an organization that is not a UUID',
    token: at('application'),
    kind: 'application',
    headers: () => ({ 'x-organization-id': 'Own' }),
    organizationError: 'malformed_request',
  },
  {
    title: 'application of another organization',
    token: at('otherApplication'),
    kind: 'application',
    organization: 'other',
  },
  {
    title: 'application of two organizations naming none',
    token: at('bothApplication'),
    kind: 'application',
    organizationError: 'organization_required',
  },
  {
    title: 'application of two organizations naming this',
    token: at('bothApplication'),
    kind: 'application',
    headers: inOrganization('own'),
  },
  {
    title: 'application of two organizations naming the other',
    token: at('bothApplication'),
    kind: 'application',
    headers: inOrganization('other'),
    organization: 'other',
  },
];

const scoped: CallerCase[] = [
  { title: 'scoped', token: at('scoped'), kind: 'scoped' },
  { title: 'scoped, of another customer', token: at('scopedBeta'), kind: 'scoped', customer: 'other' },
  { title: 'scoped, of a deleted customer', token: at('scopedDeleted'), tokenError: 'token_invalid' },
  {
    title: 'scoped, restricted to actions',
    token: at('scopedActions'),
    kind: 'scoped',
    management: [],
  },
  {
    title: 'scoped, allowed to rename connectors only',
    token: at('scopedRename'),
    kind: 'scoped',
    management: ['rename'],
  },
  {
    title: 'scoped, allowed to create links only',
    token: at('scopedLink'),
    kind: 'scoped',
    management: ['link'],
  },
  {
    title: 'scoped, of the same name in another organization',
    token: at('scopedElsewhere'),
    kind: 'scoped',
    organization: 'other',
  },
  {
    title: 'scoped, for another source',
    token: at('scopedSecondSource'),
    kind: 'scoped',
    mayUseSource: false,
  },
  {
    title: 'scoped, naming another organization',
    token: at('scoped'),
    kind: 'scoped',
    headers: inOrganization('other'),
    organizationError: 'organization_not_allowed',
  },
];

const widgets: CallerCase[] = [
  { title: 'widget', token: at('widget'), kind: 'widget', headers: from(pageOrigin) },
  ...[
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'https://app.example:8443',
    'null',
  ].map((origin): CallerCase => ({
    title: `widget from ${origin}`,
    token: at('widget'),
    kind: 'widget',
    headers: from(origin),
    isOriginWrong: true,
  })),
  { title: 'widget without an origin', token: at('widget'), kind: 'widget', isOriginWrong: true },
  {
    title: 'widget of a page elsewhere, from the same origin',
    token: at('widget'),
    kind: 'widget',
    headers: () => ({ 'sec-fetch-site': 'same-origin' }),
    isOriginWrong: true,
  },
  {
    title: "widget of the service's page, from the same origin",
    token: at('widgetOfService'),
    kind: 'widget',
    headers: () => ({ 'sec-fetch-site': 'same-origin' }),
  },
  {
    title: "widget of the service's page, from the same site only",
    token: at('widgetOfService'),
    kind: 'widget',
    headers: () => ({ 'sec-fetch-site': 'same-site' }),
    isOriginWrong: true,
  },
  {
    title: 'widget, of another customer',
    token: at('widgetBeta'),
    kind: 'widget',
    headers: from(pageOrigin),
    customer: 'other',
  },
  {
    title: 'widget, of a deleted customer',
    token: at('widgetDeleted'),
    headers: from(pageOrigin),
    tokenError: 'token_invalid',
  },
  {
    title: 'widget, restricted to actions',
    token: at('widgetActions'),
    kind: 'widget',
    headers: from(pageOrigin),
  },
  {
    title: 'widget, allowed to delete connectors only',
    token: at('widgetDelete'),
    kind: 'widget',
    headers: from(pageOrigin),
    management: ['delete'],
  },
  {
    title: 'widget, of the same name in another organization',
    token: at('widgetElsewhere'),
    kind: 'widget',
    headers: from(pageOrigin),
    organization: 'other',
  },
  {
    title: 'widget, for another source',
    token: at('widgetSecondSource'),
    kind: 'widget',
    headers: from(pageOrigin),
    mayUseSource: false,
  },
];

/** Callers with valid, invalid and forged tokens, from this and other organizations and customers. */
export const callers = [...badTokens, ...applications, ...scoped, ...widgets];
