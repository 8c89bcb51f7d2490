import type { GongCompany } from './company.ts';
import { TRACKERS } from './speech.ts';

/** Returns a tracker's id, which is the same in the settings and in calls. */
export function trackerId(company: GongCompany, name: string): string {
  return company.random.fork('tracker', name).digits(14);
}

/**
 * Generates trackers as returned by `GET /v2/settings/trackers`. The first two belong to a workspace, the
 * others to the company.
 */
export function inventTrackers(company: GongCompany): Record<string, unknown>[] {
  const [author] = company.users();
  return TRACKERS.map(({ name, keywords }, index) => {
    const isAtEnd = name === 'Next steps';
    return {
      trackerId: trackerId(company, name),
      trackerName: name,
      workspaceId: index < 2 ? (company.workspaces[0]?.id ?? null) : null,
      languageKeywords: [{ language: 'en', keywords, includeRelatedForms: true }],
      affiliation: 'Both',
      partOfQuestion: false,
      saidAt: isAtEnd ? 'End' : 'Anytime',
      saidAtInterval: isAtEnd ? '5' : null,
      saidAtUnit: isAtEnd ? 'MINUTES' : null,
      saidInTopics: [],
      filterQuery: '{}',
      created: '2025-06-01T10:00:00Z',
      creatorUserId: author?.id ?? null,
      updated: '2025-06-01T10:00:00Z',
      updaterUserId: null,
    };
  });
}
