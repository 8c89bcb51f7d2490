import { randomInt } from 'node:crypto';
import { isAllowedHost } from '@connector-auth/connectors/kind';

export interface ReplacerOptions {
  /** The responses and requests of the recording, in which names and times are found. No replacement is one of their words. */
  readonly values: readonly unknown[];
  /** Words that the kind itself uses in paths. They stay in addresses and paths. */
  readonly ownWords: ReadonlySet<string>;
  /** Hosts that the kind may send requests to. */
  readonly hosts: readonly string[];
  readonly nowMs: number;
}

/**
 * Replaces values by others of the same kind: equal ones by equal ones, different ones by different ones, and times by times as far
 * apart. The replacements are random.
 */
export interface Replacer {
  /**
   * Replaces each string and number in a JSON value. `true`, `false`, `null`, `0` and empty texts stay.
   * @param kept names of fields whose values stay, except times: all of them move together.
   */
  readonly value: (value: unknown, kept: ReadonlySet<string>) => unknown;
  /** How far times are moved. */
  readonly shiftMs: number;
}

const wordPattern = /[\p{L}\p{N}]+/gu;
/** Addresses, also relative ones as in a `Link` header, and words. */
const partPattern = /(?:https?:\/\/|(?<=^|<)\/)[^\s<>"']+|[\p{L}\p{N}]+/gu;
const datePattern =
  /^(\d{4}-\d\d-\d\d)((?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d(?::?\d\d)?))?)?)$/;
/** The prefix of a generated id, such as `cus_`. In `kim_tanaka1`, it is a part of a name. */
const idPrefix = /^[a-z]{2,4}_(?=(?:.*\d|.*[a-z].*[A-Z]))(?![a-z]+\d*$)(?=[A-Za-z0-9]{8,}$)/;
const weekMs = 7 * 86_400_000;
/** Integers that would be older or newer times are no times. */
const maxAgeMs = 520 * weekMs;

export function createReplacer({ values, ownWords, hosts, nowMs }: ReplacerOptions): Replacer {
  // Whole weeks, so that days of the week stay.
  const shiftMs = -weekMs * (10 + randomInt(100));
  const { textsOf, words: originals } = readStructure(values);
  const prefixes = new Set(
    [...textsOf].flatMap(([name, texts]) =>
      isIdName(name) ? [...texts].flatMap(text => idPrefix.exec(text)?.[0] ?? []) : [],
    ),
  );
  const replacements = new Map<string, string>();
  for (const [name, texts] of textsOf) {
    for (const text of isTimeName(name) ? texts : []) {
      const [digits = ''] = text.split('.');
      const moved = move(digits);
      if (moved !== null) replacements.set(digits, moved);
    }
  }
  /** What no other word is replaced by, so that different words stay different. */
  const taken = new Set(replacements.values());

  /** Moves a time in seconds or milliseconds. Returns null for any other number. */
  function move(digits: string): string | null {
    const unitMs = digits.length === 10 ? 1000 : 1;
    const isTime = /^(?:\d{10}|\d{13})$/.test(digits) && Math.abs(Number(digits) * unitMs - nowMs) < maxAgeMs;
    return isTime ? String(Number(digits) + shiftMs / unitMs) : null;
  }

  /** Returns a number in a field with times only as a moved time, and any other value of a kept field as it is. */
  function keptText(text: string, name: string): string {
    const [digits = '', ...fraction] = text.split('.');
    const isTime =
      isTimeName(name) ||
      (!isIdName(name) && [...(textsOf.get(name) ?? [])].every(each => move(each) !== null));
    return [(isTime ? move(digits) : null) ?? digits, ...fraction].join('.');
  }

  function text(value: string, name: string, kept: ReadonlySet<string>): string {
    const [, day, time = ''] = datePattern.exec(value) ?? [];
    const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
    if (!Number.isNaN(at)) return new Date(at + shiftMs).toISOString().slice(0, 10) + time;
    if (kept.has(name)) return keptText(value, name);
    if (isAllowedHost(value, hosts)) return hostName(value);
    const isLink = /^\s*<[^>]*>\s*;/.test(value);
    const [start = ''] = idPrefix.exec(value) ?? [];
    const prefix = prefixes.has(start) ? start : '';
    const replaced = value.slice(prefix.length).replace(partPattern, part => {
      if (part.includes('/')) return address(part, kept);
      // Relations of a `Link` header (RFC 8288).
      const isRelation = isLink && /^(?:rel|next|prev|first|last)$/.test(part);
      return isRelation || (value.includes('/') && ownWords.has(part)) ? part : word(part);
    });
    return prefix + replaced;
  }

  /** Keeps hosts of the kind, the words of a path that the kind itself uses, and the names of a query. */
  function address(value: string, kept: ReadonlySet<string>): string {
    const [, scheme = '', host = '', path = '', query = ''] =
      /^(?:(https?:\/\/)([^/?#]*))?([^?]*)(.*)$/s.exec(value) ?? [];
    const segments = path.split('/').map(segment => {
      const replaced = decode(segment).replace(wordPattern, each => (ownWords.has(each) ? each : word(each)));
      return segment.includes('%') ? encodeURIComponent(replaced) : replaced;
    });
    const replacedQuery = query.replace(
      /([?&#])(?:([^=&#]*)=)?([^&#]*)/g,
      (_, mark: string, ...[name, given]) => {
        const replaced = encodeURIComponent(text(decode(String(given)), decode(String(name ?? '')), kept));
        return mark + (name === undefined ? '' : `${String(name)}=`) + replaced;
      },
    );
    return scheme + (host === '' ? '' : hostName(host)) + segments.join('/') + replacedQuery;
  }

  /** Replaces what a `*` of the kind's hosts stands for, and other hosts by names of examples. */
  function hostName(host: string): string {
    const allowed = hosts.find(each => isAllowedHost(host, [each]));
    if (allowed === host) return host;
    const suffix = allowed?.slice(1) ?? '.example';
    const label =
      allowed === undefined ? host.replace(/:\d+$/, '').replaceAll('.', '-') : host.slice(0, -suffix.length);
    return label.replace(wordPattern, word) + suffix;
  }

  /** Replaces a run of letters and digits, so that an id is also replaced within a longer text. */
  function word(original: string): string {
    return replacementOf(original, original, alphabetsOf(original));
  }

  /** @param key what equal values have in common. */
  function replacementOf(key: string, original: string, alphabets: readonly string[]): string {
    const known = replacements.get(key);
    if (known !== undefined) return known;
    // A number stays zero.
    if (/^0+$/.test(original)) return original;
    for (const candidate of candidates(alphabets)) {
      const isOther = !originals.has(candidate) && !taken.has(candidate) && !/^0+$/.test(candidate);
      if (!isOther || isHex(candidate) !== isHex(original)) continue;
      replacements.set(key, candidate);
      taken.add(candidate);
      return candidate;
    }
    // There are not as many words of this form.
    return replacementOf(key, original, [...alphabets, alphabets.at(-1) ?? digits]);
  }

  function number(value: number | bigint, name: string, kept: ReadonlySet<string>): number | bigint {
    const [, sign = '', whole = '', fraction, exponent = ''] =
      /^(-?)(\d+)(?:\.(\d+))?(e.+)?$/.exec(String(value)) ?? [];
    const replaced = kept.has(name) ? keptText(whole, name) : word(whole);
    if (fraction === undefined) {
      const text = sign + replaced + exponent;
      return typeof value === 'bigint' ? BigInt(text) : Number(text);
    }
    // A last zero would not be written.
    const alphabets = [...Array.from(fraction.slice(1), () => digits), nonZero];
    const replacedFraction = kept.has(name) ? fraction : replacementOf(`.${fraction}`, fraction, alphabets);
    return Number(`${sign}${replaced}.${replacedFraction}${exponent}`);
  }

  function replace(value: unknown, name: string, kept: ReadonlySet<string>): unknown {
    if (typeof value === 'string') return text(value, name, kept);
    if (typeof value === 'number' || typeof value === 'bigint') return number(value, name, kept);
    if (Array.isArray(value)) return value.map(item => replace(item, name, kept));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [
        isDataName(member) ? member.replace(wordPattern, word) : member,
        replace(inner, member, kept),
      ]),
    );
  }

  return { value: (value, kept) => replace(value, '', kept), shiftMs };
}

const digits = '0123456789';
const nonZero = '123456789';

/** Returns the characters that each character of a word can be replaced by. */
function alphabetsOf(word: string): string[] {
  const isInteger = /^\d+$/.test(word);
  return Array.from(word, (character, index) => {
    if (isInteger && index === 0) {
      // Integers that are safe, and those within 64 bits, stay so.
      return character === '0' ? '0' : word.length >= 16 ? '12345678' : nonZero;
    }
    if (/\d/.test(character)) return digits;
    const letters = isHex(word)
      ? 'abcdef'
      : /[a-z]/i.test(character)
        ? 'abcdefghijklmnopqrstuvwxyz'
        : 'àáâãäåæçèéêëìíîïñòóôõöøùúûüý'; // cspell:disable-line
    return character === character.toLowerCase() ? letters : letters.toUpperCase();
  });
}

function isHex(word: string): boolean {
  return /^(?=.*\d)(?=.*[a-f])[0-9a-f]{4,}$|^(?=.*\d)(?=.*[A-F])[0-9A-F]{4,}$/.test(word);
}

/** Returns each text with a character of each alphabet once, from a random one. */
function* candidates(alphabets: readonly string[]): Generator<string, void> {
  const first = alphabets.map(alphabet => randomInt(alphabet.length));
  const indexes = [...first];
  do {
    yield indexes.map((index, position) => alphabets[position]?.charAt(index)).join('');
    for (let position = indexes.length - 1; position >= 0; position--) {
      const next = ((indexes[position] ?? 0) + 1) % (alphabets[position]?.length ?? 1);
      indexes[position] = next;
      if (next !== first[position]) break;
    }
  } while (indexes.some((index, position) => index !== first[position]));
}

/** Returns all names of members in JSON values. */
export function fieldNamesOf(values: readonly unknown[]): string[] {
  return [...readStructure(values).names].sort();
}

/** Finds names of members, their values as texts, and all words. */
function readStructure(values: readonly unknown[]) {
  const names = new Set<string>();
  const words = new Set<string>();
  const textsOf = new Map<string, Set<string>>();
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [member, inner] of Object.entries(value)) {
        const isIndex = Array.isArray(value);
        if (!isIndex && isDataName(member)) addWords(member);
        else if (!isIndex) names.add(member);
        visit(inner, isIndex ? name : member);
      }
    } else if (['string', 'number', 'bigint'].includes(typeof value)) {
      textsOf.set(name, (textsOf.get(name) ?? new Set()).add(String(value)));
      addWords(decode(String(value)));
    }
  };
  const addWords = (text: string): void => (text.match(wordPattern) ?? []).forEach(word => words.add(word));
  for (const value of values) visit(value, '');
  return { names, words, textsOf };
}

/** Returns whether the name of a member is data, such as an id or an address. */
function isDataName(name: string): boolean {
  return /\d{4}|@/.test(name);
}

/** Ids with 10 or 13 digits look like times, so only the name of a field can say that its numbers are times. */
function isTimeName(name: string): boolean {
  const isTimeWord =
    /^(?:at|on|time|timestamp|ts|date|since|until|start|end|seen|expires|expiry|due|[a-z]{3,}ed)$/;
  return !isIdName(name) && wordsOfName(name).some(word => isTimeWord.test(word));
}

function isIdName(name: string): boolean {
  return /^(?:ids?|by|number|count|key|phone|code)$/.test(wordsOfName(name).at(-1) ?? '');
}

/** Returns the words of a name such as `updated_at`, `updatedAt` or `created[gte]`. */
function wordsOfName(name: string): string[] {
  return name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .flatMap(word => (word === '' ? [] : word.toLowerCase()));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
