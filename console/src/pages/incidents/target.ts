import type { DeclareIncidentRequest, Incident, Reference } from '@connector-auth/api/admin';
import { count } from '../../components/time.ts';

export type Scope = Incident['scope'];

/** What an incident can be about, with what the preview says about its size. */
export type Target =
  | {
      readonly scope: 'organization';
      readonly id: string;
      readonly name: string;
      readonly customers: number;
      readonly connectors: number;
    }
  | {
      readonly scope: 'customer';
      readonly id: string;
      readonly name: string;
      readonly organization: Reference;
      readonly connectors: number;
    }
  | {
      readonly scope: 'application';
      readonly id: string;
      readonly name: string;
      readonly clientId: string;
      readonly organizations: readonly string[];
    }
  | { readonly scope: 'kind'; readonly id: string; readonly name: string };

/** The scopes as words. */
export const scopeNames: Readonly<Record<Scope, string>> = {
  application: 'Application',
  customer: 'Customer',
  organization: 'Organization',
  kind: 'Connector kind',
};

/** The scopes to choose from: when to choose each, and what to choose next. */
export const scopes: Readonly<
  Record<Scope, { readonly label: string; readonly hint: string; readonly question: string }>
> = {
  application: {
    label: 'An application',
    hint: 'A client secret or an application token leaked.',
    question: 'Which application?',
  },
  customer: {
    label: 'A customer',
    hint: 'A token or the credentials of one customer leaked.',
    question: 'Which customer?',
  },
  organization: {
    label: 'An organization',
    hint: 'An integrator’s systems were compromised.',
    question: 'Which organization?',
  },
  kind: {
    label: 'A connector kind',
    hint: 'A vendor or its OAuth app was compromised.',
    question: 'Which connector kind?',
  },
};

/** Returns the member of the request that names the target. */
export function requestFor(target: Target): DeclareIncidentRequest {
  switch (target.scope) {
    case 'organization':
      return { organization: target.id };
    case 'kind':
      return { kind: target.id };
    case 'application':
      return { application: target.id };
    case 'customer':
      return { customer: { organization: target.organization.id, name: target.name } };
  }
}

/** What an incident does, as sentences for the operator. */
export interface Preview {
  readonly happens: readonly string[];
  readonly stays: readonly string[];
}

/** Returns what will happen, and what will not, if an incident is declared. */
export function previewOf(target: Target): Preview {
  switch (target.scope) {
    case 'organization':
      return {
        happens: [
          rejects(target.name),
          `${freezes(target.connectors)}.`,
          revokes,
          byHand,
          'None of its customers can connect a source until you undo the incident.',
        ],
        stays: [
          'Other organizations aren’t affected.',
          'Its client secrets work. Backends can get new tokens, but those can’t use frozen connectors.',
          keepsData,
        ],
      };
    case 'customer':
      return {
        happens: [
          rejects(target.name),
          `${freezes(target.connectors)}.`,
          revokes,
          byHand,
          'The customer can’t connect a source until you undo the incident.',
        ],
        stays: [
          `Other customers of ${target.organization.name} aren’t affected.`,
          'The integrator can get new tokens for this customer, but those can’t use frozen connectors.',
          keepsData,
        ],
      };
    case 'kind':
      return {
        happens: [
          `All ${target.name} connectors freeze, in every organization: they can’t be used or synced.`,
          revokes,
          byHand,
          `No customer can connect ${target.name} until you undo the incident.`,
        ],
        stays: ['Tokens keep working for all other kinds.', keepsData],
      };
    case 'application':
      return {
        happens: [rejects(target.name), 'Its client secrets are deleted, and the application is disabled.'],
        stays: [
          'No connector freezes and no grant is revoked, because applications never see vendor credentials.',
          `Other applications of ${listOf(target.organizations)} keep working.`,
          'To use the application again, enable it and add a new client secret.',
        ],
      };
  }
}

const revokes =
  'The service asks each vendor to revoke its grants until it confirms, and you get a receipt for each grant.';
const byHand =
  'Some vendors have no way for the service to revoke a grant, above all API keys such as those of Granola. The customer must revoke these at the vendor: until then, anyone who has the key can use it there. The receipts say “Revoke by hand” and link the vendor’s page.';
const keepsData =
  'Nothing is deleted, and you can undo the incident. Connectors whose grant was revoked then need reconnecting. Those with a key that wasn’t revoked at the vendor work again at once.';

/** Returns a name for a sentence, without the characters of stored names that change the text direction. */
export function plain(name: string): string {
  return name.replaceAll(/\p{Bidi_C}/gu, '\ufffd');
}

function rejects(name: string): string {
  return `Every token of ${plain(name)} issued until now is rejected within a second.`;
}

function freezes(connectors: number): string {
  if (connectors === 0) return 'There are no connectors to freeze yet';
  return connectors === 1
    ? 'Its only connector freezes: it can’t be used or synced'
    : `${count(connectors, 'connector')} freeze: they can’t be used or synced`;
}

function listOf(names: readonly string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  return shown.length === 0 ? 'the same organization' : new Intl.ListFormat('en').format(shown);
}
