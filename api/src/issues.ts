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
  readonly #issues: Issue[] = [];
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
    if (this.#issues.length === maxIssues) {
      this.#hasMore = true;
      return;
    }
    this.#places.add(place);
    this.#issues.push({ path: place, message: cut(message, maxMessageLength) });
  }

  /** The faults in the order they were found; where there are more, the last entry says so, of the request as a whole. */
  get entries(): Issue[] {
    const more = { path: '', message: `More issues were found; only the first ${maxIssues} are listed` };
    return this.#hasMore ? [...this.#issues, more] : [...this.#issues];
  }
}

export type Validation<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly issues: Issue[] };

/**
 * Validates a value with a schema. A schema's own messages win; where it has none, the message is ours instead of zod's.
 * Issues are limited as in {@link IssueList}.
 * @param prefix put before each path, e.g. `params`.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  prefix = '',
): Validation<z.output<Schema>> {
  const { success, data, error } = schema.safeParse(value, { error: defaultMessage });
  return success ? { ok: true, value: data } : { ok: false, issues: issuesOf(error, prefix) };
}

function issuesOf(error: z.ZodError, prefix: string): Issue[] {
  const list = new IssueList();
  for (const issue of error.issues) {
    if (list.isFull) break;
    if (issue.code !== 'unrecognized_keys') {
      list.add(dotted(prefix, issue.path), issue.message);
      continue;
    }
    for (const key of issue.keys.slice(0, maxIssues + 1)) {
      list.add(dotted(prefix, [...issue.path, key]), issue.message);
    }
  }
  return list.entries;
}

/** Words an issue whose schema has no message of its own; undefined leaves it to zod. */
function defaultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'Unknown field';
    case 'invalid_type':
      return issue.input === undefined ? 'Required' : typeMessages[issue.expected];
    case 'invalid_value':
      return `Must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin in units) return 'Must not be empty';
      return sizeMessage(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return sizeMessage(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    default:
      return undefined;
  }
}

const typeMessages: Readonly<Record<string, string>> = {
  string: 'Must be a string',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be an array',
  object: 'Must be an object',
  record: 'Must be an object',
};

/** What the size of a value is counted in; a number is its own size. */
const units: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'items',
  set: 'items',
  map: 'members',
  object: 'members',
};

function sizeMessage(
  { origin, exact }: { readonly origin: string; readonly exact?: boolean },
  limit: number | bigint,
  comparison: string,
): string {
  const bound = `${exact === true ? 'exactly' : comparison} ${limit}`;
  const unit = units[origin];
  if (unit === undefined) return `Must be ${bound}`;
  return `Must have ${bound} ${Number(limit) === 1 ? unit.slice(0, -1) : unit}`;
}

/** Each part is cut before they are joined: many faults may lie beyond one name of half a megabyte. */
function dotted(prefix: string, path: readonly PropertyKey[]): string {
  const parts = path.map(part => String(part).slice(0, maxPathLength + 1));
  return [...(prefix === '' ? [] : [prefix]), ...parts].join('.');
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
