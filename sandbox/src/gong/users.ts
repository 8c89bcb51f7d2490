import { inventPeople, type Person } from '../invented/people.ts';
import type { Random } from '../simulator/random.ts';
import type { GongAccount } from './accounts.ts';

/** A user as the API returns it. */
export type WireUser = ReturnType<typeof inventUser>;

const TITLES = [
  'Account Executive',
  'Senior Account Executive',
  'Sales Development Representative',
  'Customer Success Manager',
  'Solutions Engineer',
  'Support Specialist',
  'Regional Sales Manager',
];
const LANGUAGES = ['en-US', 'en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'ja-JP', 'pt-BR'];

/** Generates a 19-digit decimal id between 2^53 and 2^63. */
export function gongId(random: Random, firstDigit: '3' | '6' | '7' | '8'): string {
  return firstDigit + random.text(18, '0123456789');
}

/** Generates a company's users. The first users manage the others. */
export function inventUsers(account: GongAccount, random: Random, dataNow: Date): WireUser[] {
  const people = inventPeople(random.fork('people'), account.domain, account.userCount);
  const ids = people.map((_, index) => gongId(random.fork('id', index), '8'));
  const managerCount = Math.ceil(account.userCount / 12);
  return people.map((person, index) => {
    const own = random.fork('user', index);
    const isManager = index < managerCount;
    const managerId =
      index === 0 || own.chance(0.06)
        ? null
        : (ids[isManager ? 0 : own.integer(0, managerCount - 1)] ?? null);
    return inventUser(person, own, {
      id: ids[index] ?? '',
      managerId,
      title:
        index === 0 ? 'VP Sales' : own.chance(0.1) ? null : isManager ? 'Sales Manager' : own.pick(TITLES),
      dataNow,
    });
  });
}

function inventUser(
  person: Person,
  random: Random,
  given: { id: string; managerId: string | null; title: string | null; dataNow: Date },
) {
  const [mailbox = '', domain = ''] = person.email.split('@');
  const created = new Date(
    given.dataNow.getTime() - random.integer(20, 900) * 86_400_000 - random.integer(0, 86_399_999),
  );
  const language = random.pick(LANGUAGES);
  return {
    id: given.id,
    emailAddress: person.email,
    created: created.toISOString(),
    active: !random.chance(0.12),
    emailAliases: random.chance(0.15) ? [`${mailbox.charAt(0)}.${mailbox.split('.').at(-1)}@${domain}`] : [],
    trustedEmailAddress: random.chance(0.05) ? `trusted+${mailbox}@${domain}` : null,
    firstName: person.firstName,
    lastName: person.lastName,
    title: given.title,
    phoneNumber: random.chance(0.4) ? `+1 202-555-01${random.text(2, '0123456789')}` : null,
    extension: random.chance(0.1) ? random.digits(3) : null,
    personalMeetingUrls: random.chance(0.3) ? [`https://meet.example/${mailbox}`] : [],
    settings: {
      webConferencesRecorded: random.chance(0.9),
      preventWebConferenceRecording: random.chance(0.05),
      telephonyCallsImported: random.chance(0.3),
      emailsImported: random.chance(0.8),
      preventEmailImport: random.chance(0.05),
      nonRecordedMeetingsImported: random.chance(0.2),
      gongConnectEnabled: random.chance(0.7),
    },
    managerId: given.managerId,
    meetingConsentPageUrl: random.chance(0.1) ? `https://join.gong.example/${mailbox}` : null,
    spokenLanguages: [
      { language, primary: true },
      ...(random.chance(0.2) && language !== 'en-US' ? [{ language: 'en-US', primary: false }] : []),
    ],
  };
}
