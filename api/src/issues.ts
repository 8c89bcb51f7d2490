import type { z } from 'zod';
import type { Issue } from './problem.ts';

/** More faults would tell nobody more, nor would longer ones. */
const maxIssues = 50;
const maxPathLength = 300;
const maxMessageLength = 500;

/**
 * Collects what is wrong with a request, for an answer whose size does not depend on the request: the first 50 faulty places, with long
 * paths and messages cut. Of several faults at one place the first says enough: an empty text need not also be told that it has the
 * wrong shape.
 */
export class IssueList {
  readonly #faults: Issue[] = [];
  readonly #places = new Set<string>();
  #hasMore = false;

  /** Whether another faulty place would not be told: who looks for faults may stop. */
  get isFull(): boolean {
    return this.#hasMore;
  }

  add(path: string, message: string): void {
    const place = cut(path, maxPathLength);
    // Cut paths may have been different places. Taking them for one, a request full of them would be read to its end.
    if (this.#hasMore || (place === path && this.#places.has(place))) return;
    if (this.#faults.length === maxIssues) {
      this.#hasMore = true;
      return;
    }
    this.#places.add(place);
    this.#faults.push({ path: place, message: cut(message, maxMessageLength) });
  }

  /** The faults in the order they were found; where there are more, the last entry says so, of the request as a whole. */
  get entries(): Issue[] {
    const more = { path: '', message: `There is more than these ${maxIssues}` };
    return this.#hasMore ? [...this.#faults, more] : [...this.#faults];
  }
}

/**
 * The faults a zod schema found, one for each wrong place, with dotted paths; as many and as long as a {@link IssueList} tells.
 * @param prefix put before each path, e.g. `params`.
 */
export function issuesOf(error: z.ZodError, prefix = ''): Issue[] {
  const faults = new IssueList();
  for (const issue of error.issues) {
    if (faults.isFull) break;
    if (issue.code !== 'unrecognized_keys') {
      faults.add(dotted(prefix, issue.path), wordsOf(issue));
      continue;
    }
    for (const key of issue.keys.slice(0, maxIssues + 1)) {
      faults.add(dotted(prefix, [...issue.path, key]), 'This field does not exist here');
    }
  }
  return faults.entries;
}

/** What zod says by itself names types of a program; what a schema says is told as it stands. */
function wordsOf(issue: z.core.$ZodIssue): string {
  const { message } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (!message.startsWith('Invalid input: expected ')) return message;
      if (message.endsWith(', received undefined')) return 'This is required';
      return typeWords[issue.expected] ?? message;
    case 'invalid_value':
      return /^Invalid (?:input|option): expected /.test(message)
        ? `Give ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
        : message;
    case 'too_small':
      if (!message.startsWith('Too small: ')) return message;
      if (issue.minimum === 1 && issue.origin in unitWords) return 'This must not be empty';
      return `Give ${bound(issue, 'at least', 'more than')} ${amount(issue.minimum, issue.origin)}`;
    case 'too_big':
      if (!message.startsWith('Too big: ')) return message;
      return `Give ${bound(issue, 'at most', 'less than')} ${amount(issue.maximum, issue.origin)}`;
    default:
      return message;
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'Give a string',
  number: 'Give a number',
  int: 'Give a whole number',
  boolean: 'Give true or false',
  array: 'Give a list',
  object: 'Give an object',
  record: 'Give an object',
};

/** What the size of a value is counted in; a number is its own size. */
const unitWords: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'values',
  set: 'values',
  map: 'members',
  object: 'members',
};

function bound(
  { exact, inclusive }: { readonly exact?: boolean; readonly inclusive?: boolean },
  inclusively: string,
  exclusively: string,
): string {
  if (exact === true) return 'exactly';
  return inclusive === false ? exclusively : inclusively;
}

function amount(size: number | bigint, origin: string): string {
  const unit = unitWords[origin];
  if (unit === undefined) return String(size);
  return `${size} ${Number(size) === 1 ? unit.slice(0, -1) : unit}`;
}

/** Each part is cut before they are joined: many faults may lie beyond one name of half a megabyte. */
function dotted(prefix: string, path: readonly PropertyKey[]): string {
  const parts = path.map(part => String(part).slice(0, maxPathLength + 1));
  return [...(prefix === '' ? [] : [prefix]), ...parts].join('.');
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
