import { hash } from 'node:crypto';
import { isAllowedHost } from '@connector-auth/connectors/kind';

export interface ReplacerOptions {
  /** Names of fields whose values stay, except times: all of them move together. */
  readonly kept: ReadonlySet<string>;
  /** The responses and requests of the recording, in which names and words of paths are found, which stay. */
  readonly bodies: readonly unknown[];
  readonly paths: readonly string[];
  /** Hosts that the kind may send requests to. */
  readonly hosts: readonly string[];
  readonly nowMs: number;
  /** Random, and not stored, so that no one can repeat the replacement. */
  readonly key: string;
  /** The replaced words, which several replacers with the same key share. */
  readonly words: Map<string, string>;
}

/** Replaces values by others of the same kind: equal values by equal ones, times by times as far apart. */
export interface Replacer {
  /** Replaces each string and number in a JSON value. `true`, `false`, `null`, `0` and empty texts stay. */
  value(value: unknown, name?: string): unknown;
  /** How far times are moved. */
  readonly shiftMs: number;
}

const nonWord = /[^\p{L}\p{N}]+/u;
const weekMs = 7 * 86_400_000;
/** There are more short words than others of their kind, so that some cannot have one of their own. */
const maxAttempts = 200;
/** Integers of up to five digits are tried one after the other: the numbers of records can use most of them. */
const maxProbes = 100_000;
/** Integers that would be older or newer times are no times. */
const maxAgeMs = 520 * weekMs;

export function createReplacer(options: ReplacerOptions): Replacer {
  const { kept, bodies, paths, hosts, nowMs, key, words: replacedWords } = options;
  const digest = (text: string): Buffer => hash('sha256', `${key}:${text}`, 'buffer');
  // Whole weeks, so that days of the week stay.
  const shiftMs = -weekMs * (10 + (digest('shift').readUInt16BE() % 100));
  const { names, prefixes, textsOf } = readStructure(bodies);
  // Ids that are kept stay where others refer to them.
  const keptWords = new Set(
    [...kept]
      .flatMap(name => [...(textsOf.get(name) ?? [])])
      .flatMap(text => (/\s/.test(text) ? [] : text.split(nonWord))),
  );
  /** What no other word is replaced by, so that different words stay different. */
  const taken = new Set([...replacedWords.values(), ...keptWords]);
  const structure = new Set([...names, ...paths.flatMap(path => path.split(nonWord))].map(lower));

  function text(value: string, name: string): string {
    if (/^\d{4}-\d\d-\d\d(?:$|[T ]\d\d:\d\d)/.test(value))
      return shiftDate(value.slice(0, 10)) + value.slice(10);
    if (kept.has(name)) return value;
    if (/https?:\/\//.test(value)) return value.replace(/https?:\/\/[^\s<>"']+/g, address);
    const prefix = prefixes.find(each => value.startsWith(each)) ?? '';
    return prefix + words(value.slice(prefix.length), value.includes('/'));
  }

  /** Keeps hosts of the kind, and the words of a path that the kind itself uses. */
  function address(value: string): string {
    const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#]*)(.*)$/.exec(value) ?? [];
    const allowed = hosts.find(each => isAllowedHost(host, [each]));
    const suffix = allowed?.replace(/^\*/, '') ?? '.example';
    const label =
      allowed === undefined
        ? words(host.replaceAll('.', '-'), false)
        : words(host.slice(0, -suffix.length), false);
    const [path = '', query] = rest.split('?');
    const replaced = query?.replace(/(?<==)[^&#]*/g, part => encodeURIComponent(text(decode(part), '')));
    return (
      scheme +
      (allowed === host ? host : label + suffix) +
      words(path, true) +
      (query === undefined ? '' : `?${replaced}`)
    );
  }

  /** Replaces each run of letters and digits, so that an id is also replaced within a longer text. */
  function words(value: string, hasStructure: boolean): string {
    return value.replace(/[\p{L}\p{N}]+/gu, word =>
      hasStructure && structure.has(lower(word)) ? word : replacedWord(word),
    );
  }

  function replacedWord(word: string): string {
    return keptWords.has(word) ? word : replacementOf(word);
  }

  function replacementOf(word: string): string {
    const known = replacedWords.get(word);
    if (known !== undefined) return known;
    let replaced = scramble(word, 0);
    for (let attempt = 1; taken.has(replaced) && attempt < maxAttempts; attempt++)
      replaced = scramble(word, attempt);
    if (taken.has(replaced) && /^\d+$/.test(word)) replaced = freeInteger(replaced);
    replacedWords.set(word, replaced);
    taken.add(replaced);
    return replaced;
  }

  /** Returns the next integer with as many digits that no other word is replaced by, or the same one if there is none. */
  function freeInteger(digits: string): string {
    const isPadded = digits.startsWith('0');
    for (let added = 1; added < maxProbes; added++) {
      const next = ((BigInt(digits) + BigInt(added)) % 10n ** BigInt(digits.length)).toString();
      const padded = next.padStart(digits.length, '0');
      if (padded.startsWith('0') === isPadded && !taken.has(padded)) return padded;
    }
    return digits;
  }

  function scramble(word: string, attempt: number): string {
    const bytes = stream(`${attempt}:${word}`);
    if (/^\d+$/.test(word)) return integer(word, bytes);
    const isHex = /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(word) && /\d/.test(word) && word.length >= 4;
    return Array.from(word, (character, index) => {
      const byte = bytes(index);
      if (/\d/.test(character)) return String(byte % 10);
      const alphabet = isHex
        ? 'abcdef'
        : /[a-z]/i.test(character)
          ? 'abcdefghijklmnopqrstuvwxyz'
          : 'àáâãäåæçèéêëìíîïñòóôõöøùúûüý';
      const letter = alphabet[byte % alphabet.length] ?? 'a';
      return character === lower(character) ? letter : letter.toUpperCase();
    }).join('');
  }

  /** Moves a time in seconds or milliseconds. Returns null for any other number. */
  function moved(digits: string): string | null {
    const unitMs = new Map([
      [10, 1000],
      [13, 1],
    ]).get(digits.length);
    const isTime = unitMs !== undefined && Math.abs(Number(digits) * unitMs - nowMs) < maxAgeMs;
    return isTime ? String(Number(digits) + shiftMs / unitMs) : null;
  }

  /** Replaces an integer by one with as many digits. */
  function integer(digits: string, bytes: (index: number) => number): string {
    const time = moved(digits);
    if (time !== null) return time;
    if (/^0*$/.test(digits)) return digits;
    // Integers that are safe, and those within 64 bits, stay so.
    const first = digits.length >= 16 ? 8 : 9;
    return Array.from(digits, (digit, index) => {
      if (index > 0) return String(bytes(index) % 10);
      return digit === '0' ? '0' : String(1 + (bytes(index) % first));
    }).join('');
  }

  function number(value: number | bigint, name: string): number | bigint {
    if (value === 0) return value;
    if (kept.has(name)) return typeof value === 'number' ? Number(moved(String(value)) ?? value) : value;
    const [whole = '', ...others] = String(value).split('.');
    const sign = whole.startsWith('-') ? '-' : '';
    if (keptWords.has(String(value))) return value;
    const replaced = [sign + replacementOf(whole.replace('-', '')), ...others.map(fraction)].join('.');
    return typeof value === 'bigint' ? BigInt(replaced) : Number(replaced);
  }

  function fraction(digits: string): string {
    const [, plain = '', exponent = ''] = /^(\d+)(.*)$/.exec(digits) ?? [];
    const bytes = stream(`.${plain}`);
    return Array.from(plain, (_, index) => String(1 + (bytes(index) % 9))).join('') + exponent;
  }

  function shiftDate(day: string): string {
    const at = Date.parse(`${day}T00:00:00Z`);
    return Number.isNaN(at) ? day : new Date(at + shiftMs).toISOString().slice(0, 10);
  }

  function stream(seed: string): (index: number) => number {
    const blocks: Buffer[] = [];
    return index => {
      const block = Math.floor(index / 32);
      blocks[block] ??= digest(`${block}:${seed}`);
      return blocks[block][index % 32] ?? 0;
    };
  }

  function replace(value: unknown, name: string): unknown {
    if (typeof value === 'string') return text(value, name);
    if (typeof value === 'number' || typeof value === 'bigint') return number(value, name);
    if (Array.isArray(value)) return value.map(item => replace(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [
        isDataName(member) ? words(member, false) : member,
        replace(inner, member),
      ]),
    );
  }

  return { value: (value, name = '') => replace(value, name), shiftMs };
}

/** Returns all names of members in JSON values. */
export function fieldNamesOf(values: readonly unknown[]): string[] {
  return [...readStructure(values).names].sort();
}

/** Fewer values with the same beginning may share a name. */
const minShared = 3;

/** An id that a program made. After a prefix such as `leila_`, a name with a number can follow. */
const generatedId = /^(?=.*\d)(?![a-z]+\d*$)(?!\d{1,9}$)[a-z0-9]{8,}$/i;

/** Finds names of members, and prefixes such as `cus_` that only generated ids have. */
function readStructure(bodies: readonly unknown[]) {
  const names = new Set<string>();
  const textsOf = new Map<string, Set<string>>();
  const visit = (value: unknown, name: string): void => {
    if (['string', 'number', 'bigint'].includes(typeof value))
      textsOf.set(name, (textsOf.get(name) ?? new Set()).add(String(value)));
    if (typeof value !== 'object' || value === null) return;
    for (const [member, inner] of Object.entries(value)) {
      const isIndex = Array.isArray(value);
      if (!isIndex && !isDataName(member)) names.add(member);
      visit(inner, isIndex ? name : member);
    }
  };
  for (const body of bodies) visit(body, '');
  const idsOf = new Map<string, string[]>();
  for (const text of new Set([...textsOf.values()].flatMap(texts => [...texts]))) {
    const [prefix] = /^[A-Za-z]+[_:-](?=[A-Za-z0-9])/.exec(text) ?? [];
    if (prefix === undefined) continue;
    const ids = idsOf.get(prefix) ?? [];
    ids.push(text.slice(prefix.length));
    idsOf.set(prefix, ids);
  }
  const prefixes = [...idsOf].flatMap(([prefix, ids]) =>
    ids.length >= minShared && ids.every(id => generatedId.test(id)) ? [prefix] : [],
  );
  return { names, prefixes, textsOf };
}

/** Returns whether the name of a member is data, such as an id or an address. */
function isDataName(name: string): boolean {
  return /\d{4}|@/.test(name);
}

function lower(text: string): string {
  return text.toLowerCase();
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
