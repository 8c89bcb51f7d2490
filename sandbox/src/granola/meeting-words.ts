import type { Business } from '../invented/businesses.ts';
import { COMPANIES, type Company } from '../invented/companies.ts';
import { MEETINGS, type MeetingKind, type OtherLanguageMeeting } from './meetings.ts';

/** The meetings of a workspace and the words that fill their slots. */
export interface MeetingWords {
  readonly kinds: readonly MeetingKind[];
  readonly otherLanguages: readonly OtherLanguageMeeting[];
  readonly clients: readonly Company[];
  readonly projects: readonly string[];
  readonly teams: readonly string[];
  readonly products: readonly string[];
  readonly roles: readonly string[];
}

/** Returns the words of a small business, or those of a software company. */
export function meetingWordsOf(business: Business | undefined): MeetingWords {
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
