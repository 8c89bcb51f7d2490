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
          `All tokens of ${target.name} are rejected within a second, in every process.`,
          `${freezes(target.connectors)} of ${count(target.customers, 'customer')}.`,
          revokes,
        ],
        stays: [
          'Other organizations aren’t affected.',
          'Client secrets still work, so backends can request new tokens, but can’t use frozen connectors.',
          keepsData,
        ],
      };
    case 'customer':
      return {
        happens: [
          `All tokens of ${target.name} are rejected within a second, in every process.`,
          `${freezes(target.connectors)}.`,
          revokes,
        ],
        stays: [
          `Other customers of ${target.organization.name} aren’t affected.`,
          'The integrator can request new tokens for this customer, but they can’t use frozen connectors.',
          keepsData,
        ],
      };
    case 'kind':
      return {
        happens: [
          `All ${target.name} connectors freeze, in every organization: they can’t be used or synced.`,
          revokes,
        ],
        stays: ['Tokens keep working for all other connectors.', keepsData],
      };
    case 'application':
      return {
        happens: [
          `All tokens of ${target.name} are rejected within a second, in every process.`,
          'Its client secrets stop working. Create a new one when its backend is safe again.',
        ],
        stays: [
          'No connector freezes and no grant is revoked: credentials are never part of an application.',
          `Other applications of ${listOf(target.organizations)} keep working.`,
        ],
      };
  }
}

const revokes =
  'Each vendor is asked to revoke its grants, repeatedly until it confirms. You get a receipt for every grant.';
const keepsData = 'Nothing is deleted. You can undo the incident, but revoked grants need new credentials.';

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
