import type { Random } from '../simulator/random.ts';

/** A fictional person. */
export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly name: string;
  readonly email: string;
}

/** Names with diacritics. Email addresses use their ASCII form. */
const FIRST_NAMES =
  'Amara Ana Anders Anouk Arjun Astrid Ayşe Beatriz Björn Camille Chidi Chloé Dana Daniel Deniz Eilidh Elif Emeka Emil Esther Fatima Femi Freya Gabriel Giulia Grace Hana Hugo Ibrahim Imre Ines Ingrid Ivan Jamal Jana João Jonas Kaito Karim Keira Kofi Lars Leila Linh Łukasz Lucía Magnus Malik Marek Maren Mateo Mei Milo Mina Nadia Niamh Nikhil Noor Nuno Olga Omar Oskar Paula Petra Priya Rafael Rania René Ruth Salma Samir Selin Siobhán Søren Sunita Tadeo Thandi Tomáš Uma Valentina Vikram Wanda Wren Xenia Yara Yusuf Zoë'.split(
    ' ',
  );
const LAST_NAMES =
  'Abara Adeyemi Almeida Andersson Aydın Baptiste Bergström Bianchi Blake Brandt Castellanos Chen Çelik D’Angelo Delacroix Dlamini Dvořák Eriksen Fernández Fitzgerald Fontaine García Grünwald Haddad Halvorsen Haverkamp Hoffmann Ibarra Irvin Iyer Jankowski Jensen Kaur Khoury Kovács Kowalska Laurent Lindqvist Lopes MacLeod Marchetti Mbeki Mehta Moreau Müller Nakamura Ndiaye Nguyen Nowak O’Connor Okafor Olsen Osei Papadopoulos Park Pereira Petrov Quintero Rahman Rasmussen Ribeiro Rossi Sarkar Schäfer Sharma Silva Smith-Jones Söderberg Strand Suzuki Szabó Takahashi Thorne Tran Van der Berg Vantongeren Vasquez Weiß Whitfield Wójcik Yılmaz Zając Zhang'
    .replaceAll('Van der Berg', 'Van_der_Berg')
    .split(' ')
    .map(name => name.replaceAll('_', ' '));
const IN_OTHER_SCRIPTS: readonly (readonly [firstName: string, lastName: string, mailbox: string])[] = [
  ['さくら', '田中', 'sakura.tanaka'],
  ['健太', '佐藤', 'kenta.sato'],
  ['伟', '李', 'wei.li'],
  ['민준', '김', 'minjun.kim'],
  ['Ольга', 'Соколова', 'olga.sokolova'],
  ['Νίκος', 'Παππάς', 'nikos.pappas'],
  ['ليلى', 'حداد', 'layla.haddad'],
  ['נועה', 'לוי', 'noa.levi'],
  ['अनन्या', 'शर्मा', 'ananya.sharma'],
];

/** Generates a person with an email address at this domain. One in sixteen has a name in another script. */
export function inventPerson(random: Random, domain: string): Person {
  if (random.chance(1 / 16)) {
    const [firstName, lastName, mailbox] = random.pick(IN_OTHER_SCRIPTS);
    return { firstName, lastName, name: `${firstName} ${lastName}`, email: `${mailbox}@${domain}` };
  }
  const [firstName, lastName] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
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
