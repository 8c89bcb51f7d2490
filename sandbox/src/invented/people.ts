import type { Random } from '../simulator/random.ts';
import data from './people.json' with { type: 'json' };

/** A fictional person. */
export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly name: string;
  readonly email: string;
}

/**
 * Generates a person with an email address at this domain, which is in ASCII, unlike many of the names. One in
 * sixteen has a name in another script.
 */
export function inventPerson(random: Random, domain: string): Person {
  if (random.chance(1 / 16)) {
    const { firstName, lastName, mailbox } = random.pick(data.inOtherScripts);
    return { firstName, lastName, name: `${firstName} ${lastName}`, email: `${mailbox}@${domain}` };
  }
  const [firstName, lastName] = [random.pick(data.first), random.pick(data.last)];
  const email = `${toAscii(firstName)}.${toAscii(lastName)}@${domain}`;
  return { firstName, lastName, name: `${firstName} ${lastName}`, email };
}

/** Generates `count` people with distinct email addresses. */
export function inventPeople(random: Random, domain: string, count: number): Person[] {
  const taken = new Set<string>();
  return Array.from({ length: count }, () => {
    const person = inventPerson(random, domain);
    const [mailbox = ''] = person.email.split('@');
    let { email } = person;
    for (let number = 2; taken.has(email); number++) email = `${mailbox}${number}@${domain}`;
    taken.add(email);
    return { ...person, email };
  });
}

const WITHOUT_DECOMPOSITION: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', ı: 'i' };

function toAscii(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[øłßı]/g, letter => WITHOUT_DECOMPOSITION[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/[^a-z-]/g, '');
}
