import type { Customer } from './customers.ts';
import { toSnakeCase, type Values } from './fields.ts';

/** A campaign with its budget, ad groups and ads. */
export interface Campaign {
  readonly index: number;
  readonly seed: number;
  readonly values: Values;
  readonly budget: Values;
  readonly adGroups: AdGroup[];
  /**
   * The first and last day of delivery, as day numbers. `last` is Infinity while the campaign is still
   * running.
   */
  readonly first: number;
  readonly last: number;
}

/** An ad group with its ads. */
export interface AdGroup {
  readonly seed: number;
  readonly values: Values;
  readonly campaign: Campaign;
  readonly ads: Ad[];
  /** Whether the ad group delivers while its campaign does. */
  readonly delivers: boolean;
}

export interface Ad {
  readonly seed: number;
  readonly values: Values;
  readonly adGroup: AdGroup;
  readonly delivers: boolean;
}

export interface Label {
  readonly values: Values;
}

/** A label attached to an object. */
export interface Link<T> {
  readonly values: Values;
  readonly owner: T;
  readonly label: Label;
}

/** The simulated data of one account; mutate requests change it in place. */
export interface World {
  readonly customer: Customer;
  readonly values: Values;
  readonly seed: number;
  readonly campaigns: Campaign[];
  readonly labels: Label[];
  readonly campaignLabels: Link<Campaign>[];
  readonly adGroupLabels: Link<AdGroup>[];
  readonly adLabels: Link<Ad>[];
  /** Increases with every change, to invalidate cached results. */
  revision: number;
}

/** The maximum number of labels per object. */
export const MAX_LABELS = 50;

/**
 * Attaches a label to an object: adds the link, and adds the label's resource name to the object's labels.
 * Returns the link's resource name.
 */
export function attachLabel<T extends { readonly values: Values }>(
  links: Link<T>[],
  owner: T,
  label: Label,
): string {
  const ownerName = String(owner.values['resource_name']);
  const labelName = String(label.values['resource_name']);
  // Such as `customers/6120459183`, `adGroup` and `150011223344`.
  const [, customer, type = '', id] = /^(.*)\/(\w+)s\/(.*)$/.exec(ownerName) ?? [];
  const resourceName = `${customer}/${type}Labels/${id}~${idOf(label.values)}`;
  const values = { resource_name: resourceName, [toSnakeCase(type)]: ownerName, label: labelName };
  links.push({ values, owner, label });
  owner.values['labels'] = [...labelsOf(owner), labelName];
  return resourceName;
}

/** Returns the resource names of an object's labels. */
export function labelsOf({ values }: { readonly values: Values }): readonly string[] {
  const labels = values['labels'];
  return Array.isArray(labels) ? labels : [];
}

/** Lists an account's ad groups in the order of their campaigns. */
export function adGroupsOf(world: World): AdGroup[] {
  return world.campaigns.flatMap(campaign => campaign.adGroups);
}

/** Lists an account's ads in the order of their ad groups. */
export function adsOf(world: World): Ad[] {
  return adGroupsOf(world).flatMap(adGroup => adGroup.ads);
}

export function idOf(values: Values): string {
  return String(values['id']);
}
