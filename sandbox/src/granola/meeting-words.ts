import type { Business } from '../invented/businesses.ts';
import { COMPANIES, type Company } from '../invented/companies.ts';
import { BUSINESS_MEETINGS } from './business-meetings.ts';
import {
  MEETING_KINDS,
  OTHER_LANGUAGES,
  SLOT_WORDS,
  type MeetingKind,
  type OtherLanguageMeeting,
} from './meetings.ts';

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
  if (business) return { ...business, kinds: BUSINESS_MEETINGS, otherLanguages: [] };
  const { project: projects, team: teams } = SLOT_WORDS;
  return {
    kinds: MEETING_KINDS,
    otherLanguages: OTHER_LANGUAGES,
    clients: COMPANIES,
    projects,
    teams,
    products: ['the planning tool'],
    roles: ['product designer'],
  };
}
