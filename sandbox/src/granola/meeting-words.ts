import type { Business } from '../invented/businesses.ts';
import { COMPANIES } from '../invented/companies.ts';
import { MEETINGS } from './meetings.ts';

/** The meetings of a workspace and the words that fill their slots. */
export type MeetingWords = ReturnType<typeof meetingWordsOf>;

/** Returns the words of a small business, or those of a software company. */
export function meetingWordsOf(business: Business | undefined) {
  const { software, otherLanguages, slots } = MEETINGS;
  if (business) return { ...business, kinds: MEETINGS.business, otherLanguages: [] };
  return {
    kinds: software,
    otherLanguages,
    clients: COMPANIES,
    projects: slots.project,
    teams: slots.team,
    products: ['the planning tool'],
    roles: ['product designer'],
  };
}
