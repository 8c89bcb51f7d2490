import type {
  AdminApplication,
  AdminCustomer,
  AdminOrganization,
  DeclareIncidentRequest,
  Incident,
} from '@connector-auth/api/admin';
import type { Call } from '../../api/call.ts';
import { queryFor } from '../../components/name-search.ts';
import { count } from '../../components/time.ts';

export type Scope = Incident['scope'];

/** What an incident can be about. */
export interface Target {
  readonly scope: Scope;
  readonly id: string;
  readonly name: string;
  /** Distinguishes it from others with the same name. */
  readonly detail: string;
  /** The member of the request that names it. */
  readonly request: DeclareIncidentRequest;
  readonly preview: Preview;
}

/** What an incident does, and what it does not, as sentences for the operator. */
export interface Preview {
  readonly happens: readonly string[];
  readonly stays: readonly string[];
}

interface ScopeDeclaration {
  readonly name: string;
  /** How it is called among the scopes, and when to choose it. */
  readonly label: string;
  readonly hint: string;
  readonly question: string;
  /** Returns the targets whose names contain a text. */
  readonly find: (call: Call, text: string, signal: AbortSignal) => Promise<readonly Target[]>;
  /** Returns the target with this id, or null. */
  readonly get: (call: Call, id: string) => Promise<Target | null>;
}

/** What operators can choose from. */
export const scopes: Readonly<Record<Scope, ScopeDeclaration>> = {
  application: {
    name: 'Application',
    label: 'An application',
    hint: 'A client secret or an application token leaked.',
    question: 'Which application?',
    find: async (call, text, signal) =>
      (await call('listApplications', { query: queryFor(text), signal })).data.map(ofApplication),
    get: async (call, id) => ofApplication(await call('getApplication', { params: { application_id: id } })),
  },
  customer: {
    name: 'Customer',
    label: 'A customer',
    hint: 'A token or the credentials of one customer leaked.',
    question: 'Which customer?',
    find: async (call, text, signal) =>
      (await call('listCustomers', { query: queryFor(text), signal })).data.map(ofCustomer),
    get: async (call, id) => ofCustomer(await call('getCustomer', { params: { customer_id: id } })),
  },
  organization: {
    name: 'Organization',
    label: 'An organization',
    hint: 'An integrator’s systems were compromised.',
    question: 'Which organization?',
    find: async (call, text, signal) =>
      (await call('listOrganizations', { query: queryFor(text), signal })).data.map(ofOrganization),
    get: async (call, id) =>
      ofOrganization(await call('getOrganization', { params: { organization_id: id } })),
  },
  kind: {
    name: 'Connector kind',
    label: 'A connector kind',
    hint: 'A vendor or its OAuth app was compromised.',
    question: 'Which connector kind?',
    find: async (call, text) =>
      (await listKinds(call)).filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
    get: async (call, id) => (await listKinds(call)).find(kind => kind.id === id) ?? null,
  },
};

const revokes =
  'The service asks each vendor to revoke its grants until it confirms, and you get a receipt for each grant.';
const byHand =
  'Some vendors have no way for the service to revoke a grant, above all API keys such as those of Granola. The customer must revoke these at the vendor: until then, anyone who has the key can use it there. The receipts say “Revoke by hand” and link the vendor’s page.';
const keepsData =
  'Nothing is deleted, and you can undo the incident. Connectors whose grant was revoked then need reconnecting. Those with a key that wasn’t revoked at the vendor work again at once.';

function ofOrganization({ id, name, customers, connectors }: AdminOrganization): Target {
  return {
    scope: 'organization',
    id,
    name,
    detail: `${count(customers, 'customer')}, ${count(connectors, 'connector')}`,
    request: { organization: id },
    preview: {
      happens: [
        rejects(name),
        freezes(connectors),
        revokes,
        byHand,
        'None of its customers can connect a source until you undo the incident.',
      ],
      stays: [
        'Other organizations aren’t affected.',
        'Its client secrets work. Backends can get new tokens, but those can’t use frozen connectors.',
        keepsData,
      ],
    },
  };
}

function ofCustomer({ id, name, organization, connectors }: AdminCustomer): Target {
  return {
    scope: 'customer',
    id,
    name,
    detail: `${organization.name}, ${count(connectors, 'connector')}`,
    request: { customer: { organization: organization.id, name } },
    preview: {
      happens: [
        rejects(name),
        freezes(connectors),
        revokes,
        byHand,
        'The customer can’t connect a source until you undo the incident.',
      ],
      stays: [
        `Other customers of ${organization.name} aren’t affected.`,
        'The integrator can get new tokens for this customer, but those can’t use frozen connectors.',
        keepsData,
      ],
    },
  };
}

function ofApplication({ id, name, client_id, organizations }: AdminApplication): Target {
  const names = organizations.map(organization => organization.name);
  return {
    scope: 'application',
    id,
    name,
    detail: `${client_id}, ${names.join(', ')}`,
    request: { application: id },
    preview: {
      happens: [rejects(name), 'Its client secrets are deleted, and the application is disabled.'],
      stays: [
        'No connector freezes and no grant is revoked, because applications never see vendor credentials.',
        `Other applications of ${listOf(names)} keep working.`,
        'To use the application again, enable it and add a new client secret.',
      ],
    },
  };
}

async function listKinds(call: Call): Promise<readonly Target[]> {
  const { kinds } = await call('getOverview');
  return kinds.map(({ key, name }) => ({
    scope: 'kind',
    id: key,
    name,
    detail: 'In all organizations',
    request: { kind: key },
    preview: {
      happens: [
        `All ${name} connectors freeze, in every organization: they can’t be used or synced.`,
        revokes,
        byHand,
        `No customer can connect ${name} until you undo the incident.`,
      ],
      stays: ['Tokens keep working for all other kinds.', keepsData],
    },
  }));
}

/** Returns a name for a sentence, without the characters of stored names that change the text direction. */
export function plain(name: string): string {
  return name.replaceAll(/\p{Bidi_C}/gu, '\ufffd');
}

function rejects(name: string): string {
  return `Every token of ${plain(name)} issued until now is rejected within a second.`;
}

function freezes(connectors: number): string {
  if (connectors === 0) return 'There are no connectors to freeze yet.';
  return connectors === 1
    ? 'Its only connector freezes: it can’t be used or synced.'
    : `${count(connectors, 'connector')} freeze: they can’t be used or synced.`;
}

function listOf(names: readonly string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  return shown.length === 0 ? 'the same organization' : new Intl.ListFormat('en').format(shown);
}
