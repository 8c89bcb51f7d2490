/** Looks up names for the ids in records, so that users read `Petra Lopes` instead of 19 digits. */
import type { Connector } from '@connector-auth/api';
import { execute } from '../backend.ts';
import type { SearchPage } from '../search-page.ts';
import type { Row } from './fields.ts';

export interface Names {
  /** Returns the name of what an id field of a record refers to, or null if it is unknown. */
  byId(row: Row, field: string): string | null;
  /** Returns the name for a resource name such as `customers/6120459183/labels/77`, or null. */
  byResource(resource: string): string | null;
  /** Returns the currency of a record's account, or null if it is unknown. */
  currencyOf(row: Row): string | null;
  /** Returns the resource names of an account's labels by their names. */
  labelsOf(accountId: string): ReadonlyMap<string, string>;
}

export const noNames: Names = {
  byId: () => null,
  byResource: () => null,
  currencyOf: () => null,
  labelsOf: () => new Map(),
};

/** Reads the names that a connector's records refer to. */
export async function loadNames({ id, connector_type }: Connector): Promise<Names> {
  switch (connector_type) {
    case 'gong':
      return gongNames(await searchOnce(id, 'users', ['id', 'firstName', 'lastName']));
    case 'google-ads': {
      const withoutDays = { filter: { eq: { 'segments.date': null } } };
      const [accounts, campaigns, labels] = await Promise.all([
        searchOnce(id, 'accounts', ['customer.id', 'customer.currency_code'], withoutDays),
        searchOnce(id, 'campaigns', ['campaign.id', 'campaign.name', 'campaign.resource_name'], withoutDays),
        searchOnce(id, 'campaign_labels', ['label.name', 'label.resource_name']),
      ]);
      return googleAdsNames({ accounts, campaigns, labels });
    }
    default:
      return noNames;
  }
}

/** Names are a convenience, so the first 10,000 are enough. */
async function searchOnce(
  connectorId: string,
  entity: string,
  fields: readonly string[],
  query: object = {},
): Promise<readonly Row[]> {
  const params = { query, fields, limit: 10_000 };
  return (await execute<SearchPage, null>(connectorId, entity, 'search', params)).result.data;
}

export function gongNames(users: readonly Row[]): Names {
  const people = new Map(users.map(user => [String(user['id']), fullName(user)]));
  const refersToUser = (field: string) => field === 'primaryUserId' || field === 'managerId';
  return {
    ...noNames,
    byId: (row, field) => (refersToUser(field) ? (people.get(String(row[field])) ?? null) : null),
  };
}

function fullName({ firstName, lastName }: Row): string {
  return [firstName, lastName].filter(part => typeof part === 'string').join(' ');
}

interface AdRows {
  readonly accounts: readonly Row[];
  readonly campaigns: readonly Row[];
  readonly labels: readonly Row[];
}

export function googleAdsNames({ accounts, campaigns, labels }: AdRows): Names {
  const currencies = index(accounts, 'customer.id', 'customer.currency_code');
  const campaignsById = index(campaigns, 'campaign.id', 'campaign.name');
  const labelNames = index(labels, 'label.resource_name', 'label.name');
  const byResource = new Map([...index(campaigns, 'campaign.resource_name', 'campaign.name'), ...labelNames]);
  return {
    // Records of campaigns have the name themselves.
    byId: (row, field) =>
      field === 'campaign.id' && !('campaign.name' in row)
        ? (campaignsById.get(String(row[field])) ?? null)
        : null,
    byResource: resource => byResource.get(resource) ?? null,
    currencyOf: row => currencies.get(accountOf(row) ?? '') ?? null,
    labelsOf: accountId => labelsIn(labelNames, accountId),
  };
}

function index(rows: readonly Row[], key: string, name: string): Map<string, string> {
  return new Map(
    rows.flatMap(row => (typeof row[name] === 'string' ? [[String(row[key]), row[name]] as const] : [])),
  );
}

/** Returns the resource names of an account's labels by their names. */
export function labelsIn(names: ReadonlyMap<string, string>, accountId: string): Map<string, string> {
  const ofAccount = [...names].filter(([resource]) => resource.startsWith(`customers/${accountId}/`));
  return new Map(ofAccount.map(([resource, name]) => [name, resource]));
}

/** Returns the account id in one of a record's resource names. */
export function accountOf(row: Row): string | null {
  const names = Object.entries(row).filter(([field]) => field.endsWith('resource_name'));
  for (const [, value] of names) {
    const [, id] = /^customers\/(\d+)/.exec(String(value)) ?? [];
    if (id !== undefined) return id;
  }
  return null;
}
