import { z } from 'zod';
import type { Issue } from './problem.ts';

const maxIssues = 50;
const maxPathLength = 300;
/** Enough for the names of the fields of an entity. */
const maxMessageLength = 1_000;

/**
 * Collects the issues of a request in bounded space: the first issue of each of the first 50 paths, with long
 * paths and messages truncated. The same list of known fields is given once.
 */
export class IssueList {
  readonly #issues: Issue[] = [];
  readonly #paths = new Set<string>();
  readonly #unknown = new Set<string>();
  #hasMore = false;

  /** Whether further issues are dropped, so that validation can stop. */
  get isFull(): boolean {
    return this.#hasMore;
  }

  add(path: string, message: string): void {
    const shown = truncate(path, maxPathLength);
    // Truncated paths are not deduplicated: otherwise a request with many of them would be validated to its
    // end.
    if (this.#hasMore || (shown === path && this.#paths.has(shown))) return;
    if (this.#issues.length === maxIssues) {
      this.#hasMore = true;
      return;
    }
    this.#paths.add(shown);
    const isRepeated = this.#unknown.has(message);
    if (message.startsWith(unknown)) this.#unknown.add(message);
    this.#issues.push({ path: shown, message: isRepeated ? unknown : truncate(message, maxMessageLength) });
  }

  /**
   * The issues in the order in which they were added. If some were dropped, a last entry with an empty path
   * says so.
   */
  get entries(): Issue[] {
    const more = { path: '', message: `More issues were found; only the first ${maxIssues} are listed` };
    return this.#hasMore ? [...this.#issues, more] : [...this.#issues];
  }
}

export type Validation<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: Issue[] };

/**
 * Validates a value with a schema. Messages in the schema take precedence over our defaults, which replace
 * zod's. The issues are limited as in {@link IssueList}.
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

/**
 * Returns the default message for an issue if the schema does not define one. Undefined means zod's default.
 */
function defaultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.inst instanceof z.ZodObject ? unknownField(Object.keys(issue.inst.shape)) : unknown;
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

/** Returns the message for a field that does not exist, with the names of those that do. */
export function unknownField(known: readonly string[], kind = 'Fields'): string {
  return `${unknown}. ${known.length === 0 ? 'No fields are accepted here' : `${kind}: ${known.join(', ')}`}`;
}

const unknown = 'Unknown field';

const typeMessages: Readonly<Record<string, string>> = {
  string: 'Must be a string',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be an array',
  object: 'Must be an object',
  record: 'Must be an object',
};

/** Units for a value's size. Numbers have no unit. */
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

/** Truncates each part before joining: many issues can share one very long member name. */
function dotted(prefix: string, path: readonly PropertyKey[]): string {
  const parts = path.map(part => String(part).slice(0, maxPathLength + 1));
  return [...(prefix === '' ? [] : [prefix]), ...parts].join('.');
}

function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
