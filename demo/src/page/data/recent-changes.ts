import type { CampaignState } from './campaign.ts';
import type { Row } from './fields.ts';
import { labelsIn, type Names } from './names.ts';

interface Change extends CampaignState {
  readonly atMs: number;
}

/** A sync that began before a change may end after it without the change. */
const maxSyncMs = 60_000;

/** Campaigns as the vendor showed them after a change, until search shows the same. */
export class RecentChanges {
  readonly #changes = new Map<string, Change>();

  add(resourceName: string, state: CampaignState, atMs: number): void {
    this.#changes.set(resourceName, { ...state, atMs });
  }

  /** Returns records with the changes that the last sync did not see yet. */
  apply(rows: readonly Row[], lastSyncedAt: string | null): readonly Row[] {
    if (this.#changes.size === 0) return rows;
    return rows.map(row => {
      const resourceName = String(row['campaign.resource_name']);
      const change = this.#changes.get(resourceName);
      if (change === undefined) return row;
      const isSynced = lastSyncedAt !== null && Date.parse(lastSyncedAt) > change.atMs + maxSyncMs;
      if (!isSynced) return { ...row, ...change.record };
      this.#changes.delete(resourceName);
      return row;
    });
  }

  /** Returns names that include those of new labels. */
  withLabels(names: Names): Names {
    if (this.#changes.size === 0) return names;
    const labels = new Map([...this.#changes.values()].flatMap(change => [...change.labels]));
    return {
      ...names,
      byResource: resource => labels.get(resource) ?? names.byResource(resource),
      labelsOf: accountId => new Map([...names.labelsOf(accountId), ...labelsIn(labels, accountId)]),
    };
  }
}
