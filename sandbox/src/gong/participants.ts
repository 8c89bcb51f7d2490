import { inventPerson } from '../invented/people.ts';
import type { Call } from './calls.ts';
import type { GongCompany } from './company.ts';
import { gongId } from './users.ts';

/** A call participant in the extensive list. Unknown fields of external participants are absent, not null. */
export interface WireParty {
  readonly id: string;
  readonly emailAddress?: string;
  readonly name: string;
  readonly title?: string;
  readonly userId?: string;
  /** The participant's speaker id in the transcript; null for a participant who did not speak. */
  readonly speakerId: string | null;
  readonly context?: readonly unknown[];
  readonly affiliation: 'Internal' | 'External' | 'Unknown';
  readonly phoneNumber?: string;
  readonly methods: readonly ('Invitee' | 'Attendee')[];
}

/** Generates the participants: the primary user, colleagues and, for an external call, guests. */
export function inventParties(call: Call, company: GongCompany): WireParty[] {
  const random = call.random.fork('parties');
  const { primaryUserId, scope } = call.wire;
  const primary = company.users().filter(user => user.id === primaryUserId);
  const others = company.users().filter(user => user.id !== primaryUserId);
  const colleagues = random.sample(others, random.integer(scope === 'Internal' ? 1 : 0, 2));
  const insiders = [...primary, ...colleagues].map((user, index): WireParty => ({
    id: random.digits(10),
    emailAddress: user.emailAddress,
    name: `${user.firstName} ${user.lastName}`,
    ...(user.title !== null && { title: user.title }),
    userId: user.id,
    speakerId: index === 0 || random.chance(0.7) ? gongId(random, '6') : null,
    context: [],
    affiliation: 'Internal',
    ...(user.phoneNumber !== null && { phoneNumber: user.phoneNumber }),
    methods: ['Invitee', 'Attendee'],
  }));
  if (scope === 'Internal') return insiders;
  const outsiders = Array.from({ length: random.integer(1, 3) }, (_, index): WireParty => {
    const isKnown = random.chance(0.85);
    const person = inventPerson(random.fork('guest', index), call.client.domain);
    return {
      id: random.digits(10),
      ...(isKnown && { emailAddress: person.email }),
      name: isKnown ? person.name : 'Unknown caller',
      ...(isKnown &&
        random.chance(0.6) && { title: random.pick(['Head of Operations', 'Buyer', 'CFO', 'IT Lead']) }),
      speakerId: index === 0 || random.chance(0.7) ? gongId(random, '6') : null,
      affiliation: isKnown ? 'External' : 'Unknown',
      methods: random.chance(0.8) ? ['Invitee', 'Attendee'] : ['Attendee'],
    };
  });
  return [...insiders, ...outsiders];
}
