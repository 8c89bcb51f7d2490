import type { Customer } from './customers.ts';
import type { Values } from './fields.ts';

/** A campaign with its budget and everything below it. */
export interface Campaign {
  readonly index: number;
  readonly seed: number;
  readonly values: Values;
  readonly budget: Values;
  readonly adGroups: AdGroup[];
  /** First and last day of delivery in days since 1970; `last` is Infinity while it runs. */
  readonly first: number;
  readonly last: number;
}

/** An ad group with its ads. */
export interface AdGroup {
  readonly seed: number;
  readonly values: Values;
  readonly campaign: Campaign;
  readonly ads: Ad[];
  /** Whether it delivers when its campaign does. */
  readonly delivers: boolean;
}

/** An ad within its ad group. */
export interface Ad {
  readonly seed: number;
  readonly values: Values;
  readonly adGroup: AdGroup;
  readonly delivers: boolean;
}

/** A label. */
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

/** The maximum number of labels of an object. */
export const MAX_LABELS = 50;

/** Attaches a label: adds the link, and the label's resource name to the object's labels. */
export function attachLabel<T extends { readonly values: Values }>(
  links: Link<T>[],
  owner: T,
  label: Label,
  link: Values,
): void {
  links.push({ values: link, owner, label });
  owner.values['labels'] = [...labelsOf(owner), String(label.values['resource_name'])];
}

/** The resource names of an object's labels. */
export function labelsOf({ values }: { readonly values: Values }): readonly string[] {
  const labels = values['labels'];
  return Array.isArray(labels) ? labels : [];
}

/** All ad groups of an account, in order of their campaigns. */
export function adGroupsOf(world: World): AdGroup[] {
  return world.campaigns.flatMap(campaign => campaign.adGroups);
}

/** All ads of an account, in order of their ad groups. */
export function adsOf(world: World): Ad[] {
  return adGroupsOf(world).flatMap(adGroup => adGroup.ads);
}

/** The id of an object. */
export function idOf(values: Values): string {
  return String(values['id']);
}
