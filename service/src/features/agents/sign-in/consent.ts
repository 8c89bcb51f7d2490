import { agentLifetimeDays, agentScopes, type AgentScope } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Tables } from '../../../platform/database/tables.ts';
import type { KindRegistry } from '../../../shared/definitions/registry.ts';
import { findOrganization, type Organization } from '../../../shared/repositories/organizations.ts';
import type { AgentRequest } from '../authorization-server/authorization-server.ts';
import {
  findConfirmed,
  findEarlierConsent,
  listConnectedKinds,
  type ConfirmedSignIn,
  type Consent,
  type EarlierConsent,
} from './store.ts';

/** What a person decides. */
export interface Question {
  readonly request: AgentRequest;
  readonly organization: Organization;
  readonly signIn: ConfirmedSignIn;
  /** What the client asks for, as far as the person can allow it. */
  readonly scopes: readonly AgentScope[];
  /** The sources of the customer that the person can allow. */
  readonly sources: readonly Pick<Kind, 'key' | 'name'>[];
  /** Whether the client also asks to change data, which no source allows. */
  readonly asksToWriteInVain: boolean;
  /** What the person has allowed this client before. */
  readonly earlier: EarlierConsent | null;
}

/** What a person selects in the form. */
export interface Selection {
  readonly scopes: readonly string[];
  readonly sources: readonly string[];
  /** Whether sources that are connected later are included. */
  readonly includesLater: boolean;
  readonly days: number;
}

/** Returns what to ask the person of a request, or null if the helper has not confirmed who that is. */
export async function findQuestion(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  request: AgentRequest,
): Promise<Question | null> {
  const { organizationId } = request;
  const signIn = await findConfirmed(db, request);
  if (signIn === null) return null;
  const connected = await listConnectedKinds(db, organizationId, signIn.customerId);
  const sources = connected.filter(({ key }) => signIn.allowedSources?.includes(key) ?? true);
  const scopes = request.scopes.filter(scope => signIn.allowedScopes.includes(scope));
  const canWrite = sources.some(({ key, mayWrite }) => mayWrite && canChange(kinds.byKey(key)));
  return {
    request,
    organization: await findOrganization(db, organizationId),
    signIn,
    scopes: scopes.filter(scope => scope !== 'write' || canWrite),
    sources: sources.map(({ key }) => ({ key, name: kinds.byKey(key)?.name ?? key })),
    asksToWriteInVain: scopes.includes('write') && !canWrite,
    earlier: await findEarlierConsent(db, request, signIn),
  };
}

/** Returns whether a kind has an action that changes data. */
function canChange(kind: Kind | null): boolean {
  return Object.values(kind?.entities ?? {}).some(({ actions }) =>
    agentScopes.write.actions.some(name => Object.hasOwn(actions, name)),
  );
}

/** The periods that a person can choose, in days. */
export const periods = [1, agentLifetimeDays.unused, agentLifetimeDays.max] as const;

/** What is selected at first: what the person has allowed before, or everything the first time. Writing never is. */
export function preselected({ scopes, sources, earlier }: Question): Selection {
  const keys = sources.map(({ key }) => key);
  const allowed = earlier?.allowedSources ?? null;
  return {
    scopes: scopes.filter(scope => scope !== 'write' && (earlier?.scopes.includes(scope) ?? true)),
    sources: keys.filter(key => allowed?.includes(key) ?? true),
    // A list does not say whether a source that is not connected was one to be connected later, or was connected then.
    includesLater: allowed === null,
    days: periods.find(days => days === earlier?.days) ?? agentLifetimeDays.unused,
  };
}

/** Reads a submitted form. */
export function readSelection(body: unknown): Selection {
  // The parser returns an object whose values are text, or lists of text for repeated fields.
  const fields = Object(body) as Readonly<Record<string, string | string[] | undefined>>;
  const valuesOf = (name: string): readonly string[] => [fields[name] ?? []].flat();
  return {
    scopes: valuesOf('scope'),
    sources: valuesOf('source'),
    includesLater: valuesOf('later').length > 0,
    days: Number(valuesOf('days')[0]),
  };
}

/** Returns what a person allows. Returns null if that is nothing, or more than the person could select. */
export function consentOf(
  { request, signIn, ...question }: Question,
  selection: Selection,
  kinds: KindRegistry,
): Consent | null {
  const scopes = question.scopes.filter(scope => selection.scopes.includes(scope));
  const chosen = question.sources.map(({ key }) => key).filter(key => selection.sources.includes(key));
  const hasAll = chosen.length === question.sources.length;
  const includesLater = selection.includesLater || question.sources.length === 0;
  if (scopes.length === 0 || (chosen.length === 0 && !includesLater)) return null;
  if (!(periods as readonly number[]).includes(selection.days)) return null;
  const left = question.sources.map(({ key }) => key).filter(key => !chosen.includes(key));
  const possible = signIn.allowedSources ?? kinds.all.map(({ key }) => key);
  return {
    client: { id: request.client.id, ...shownClient(request) },
    resource: request.resource,
    scopes,
    allowedSources: !includesLater
      ? chosen
      : hasAll
        ? signIn.allowedSources
        : possible.filter(key => !left.includes(key)),
    days: selection.days,
  };
}

/** What people see of a client. */
export interface ShownClient {
  /** What it says it is called. Anyone can use this name. */
  readonly name: string | null;
  /** The host that serves its metadata or receives its codes. Null for an app on the person's device, which no host vouches for. */
  readonly host: string | null;
}

const maxNameLength = 80;

export function shownClient({ client, redirectUri }: AgentRequest): ShownClient {
  // Also invisible letters, and the Braille pattern without dots.
  const clean = (client.name ?? '').replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800]/gu, '').trim();
  // By code point, so that no half of a character is left.
  const name = Array.from(clean).slice(0, maxNameLength).join('');
  const redirectHost = hostOf(redirectUri);
  return {
    name: name === '' ? null : name,
    host: redirectHost === null ? null : (client.host ?? redirectHost),
  };
}

/** Returns the host that receives the code, or null if that is an app on the person's device. */
export function hostOf(redirectUri: string): string | null {
  const { protocol, hostname, host } = new URL(redirectUri);
  const isOnDevice = !/^https?:$/.test(protocol) || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return isOnDevice ? null : host;
}
