/**
 * Cuts records to a number of bytes, so that a result fits into an agent's context, and continues where it stopped.
 */

/** What is left of a value inside a record: its path, and the index from which it continues. */
export interface Rest {
  readonly path: readonly (string | number)[];
  readonly from: number;
}

/** A place in a list of records. */
export interface Place {
  readonly skip: number;
  /** What is left of the record at `skip`, if a part of it has been returned. */
  readonly rest: readonly Rest[];
}

export interface Fitted {
  readonly records: readonly unknown[];
  /** Where to continue, or null if nothing is left. */
  readonly next: Place | null;
  /** What was cut, in words; null if nothing was. */
  readonly cut: string | null;
}

/** Maximum size of a tool's output in a result of 25,000 bytes, as {@link bytesOf} counts. */
export const maxOutputBytes = 24_700;
/** What is left for the cursor, the note and other members of the output. */
export const reservedBytes = 2_500;

export const start: Place = { skip: 0, rest: [] };

/** No value is cut to less, so that each result makes progress. */
const minBytes = 100;
/** An object with more members is continued by member, as an array is by element. */
const maxSharedMembers = 100;
/** The cursor names each part that is left. Further parts are lost, which needs hundreds of long members. */
const maxRest = 40;

/**
 * Returns as many records as fit. A record that does not fit on its own is returned in parts; each of the following
 * results contains the next part, as members such as `transcript[20:]`.
 */
export function fitRecords(all: readonly unknown[], { skip, rest }: Place, maxBytes: number): Fitted {
  // A cursor comes from the caller, and the vendor may have fewer records by now.
  if (skip >= all.length) return { records: [], next: null, cut: null };
  if (rest.length > 0) return fitRest(all, { skip, rest }, maxBytes);
  const records: unknown[] = [];
  let left = maxBytes;
  for (const record of all.slice(skip)) {
    left -= bytesOf(record);
    if (left < 0) break;
    records.push(record);
  }
  const end = skip + records.length;
  if (records.length > 0 || end >= all.length) {
    if (end >= all.length) return { records, next: null, cut: null };
    const cut = `Returned records ${skip + 1} to ${end} of the ${all.length} on this page.`;
    return { records, next: { skip: end, rest: [] }, cut };
  }
  const part = fit(all[skip], maxBytes, []);
  return withPart(part.value, part.rest, { skip, count: all.length });
}

function fitRest(all: readonly unknown[], { skip, rest }: Place, maxBytes: number): Fitted {
  const value: Record<string, unknown> = {};
  const after: Rest[] = [];
  let left = maxBytes;
  for (const { path, from } of rest) {
    const whole = memberAt(all[skip], path);
    if (whole === undefined) continue;
    if (left < minBytes) {
      after.push({ path, from });
      continue;
    }
    const part = fit(sliceOf(whole, from), left, path, from);
    value[`${pathText(path)}[${from}:]`] = part.value;
    left -= bytesOf(part.value);
    after.push(...part.rest);
  }
  return withPart(value, after, { skip, count: all.length });
}

function withPart(
  value: unknown,
  rest: readonly Rest[],
  { skip, count }: { readonly skip: number; readonly count: number },
): Fitted {
  const isLast = skip + 1 >= count;
  if (rest.length === 0) {
    const cut = isLast ? null : `Returned record ${skip + 1} of the ${count} on this page.`;
    return { records: [value], next: isLast ? null : { skip: skip + 1, rest: [] }, cut };
  }
  const kept = rest.slice(0, maxRest);
  const names = kept.slice(0, 5).map(({ path, from }) => `${pathText(path)} at ${from}`);
  const more = rest.length > names.length ? ` and ${rest.length - names.length} more` : '';
  const cut = `Record ${skip + 1} of ${count} is long; cut: ${names.join(', ')}${more}.`;
  return { records: [value], next: { skip, rest: kept }, cut };
}

interface Part {
  readonly value: unknown;
  readonly rest: readonly Rest[];
}

/** @param offset the index of the first element, if a part of the value was returned before. */
function fit(value: unknown, maxBytes: number, path: Rest['path'], offset = 0): Part {
  if (bytesOf(value) <= maxBytes) return { value, rest: [] };
  const budget = Math.max(minBytes, maxBytes);
  if (typeof value === 'string') return fitText(value, budget, { path, offset });
  if (Array.isArray(value)) return fitItems(value, budget, { path, offset });
  if (typeof value === 'object' && value !== null) return fitMembers(value, budget, { path, offset });
  return { value, rest: [] };
}

interface At {
  readonly path: Rest['path'];
  readonly offset: number;
}

function fitText(text: string, budget: number, { path, offset }: At): Part {
  let length = Math.min(text.length, budget);
  while (bytesOf(text.slice(0, length)) > budget && length > 1) length = Math.floor(length * 0.8);
  // The two halves of a character outside the basic plane stay together.
  if (length > 1 && /[\uD800-\uDBFF]/.test(text.charAt(length - 1))) length -= 1;
  return { value: text.slice(0, length), rest: [{ path, from: offset + length }] };
}

function fitItems(items: readonly unknown[], budget: number, { path, offset }: At): Part {
  const kept: unknown[] = [];
  let left = budget;
  for (const item of items) {
    left -= bytesOf(item);
    if (left < 0) break;
    kept.push(item);
  }
  if (kept.length > 0) return { value: kept, rest: [{ path, from: offset + kept.length }] };
  const first = fit(items[0], budget, [...path, offset]);
  const others = items.length > 1 ? [{ path, from: offset + 1 }] : [];
  return { value: [first.value], rest: [...first.rest, ...others] };
}

/** Keeps short members whole, and gives the long ones equal shares of what is left. */
function fitMembers(value: object, budget: number, { path, offset }: At): Part {
  const members = Object.entries(value);
  if (members.length > maxSharedMembers) {
    const { value: kept, rest } = fitItems(members, budget, { path, offset });
    return { value: Object.fromEntries(kept as [string, unknown][]), rest };
  }
  const fitted = new Map<string, unknown>();
  const rest: Rest[] = [];
  let left = budget;
  const shortestFirst = members.toSorted(([, one], [, other]) => bytesOf(one) - bytesOf(other));
  for (const [index, [name, member]] of shortestFirst.entries()) {
    const share = Math.floor(left / (members.length - index)) - bytesOf(name);
    if (share < minBytes && bytesOf(member) > share) {
      rest.push({ path: [...path, name], from: 0 });
      continue;
    }
    const part = fit(member, share, [...path, name]);
    fitted.set(name, part.value);
    rest.push(...part.rest);
    left -= bytesOf(part.value) + bytesOf(name);
  }
  const inOrder = members.flatMap(([name]) => (fitted.has(name) ? [[name, fitted.get(name)] as const] : []));
  return { value: Object.fromEntries(inOrder), rest };
}

/**
 * Returns the bytes that a value takes in a result, which contains it twice: as structured content, and as text in a
 * JSON string.
 */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value) ?? '';
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

function memberAt(value: unknown, path: Rest['path']): unknown {
  let member = value;
  for (const key of path) {
    if (typeof member !== 'object' || member === null || !Object.hasOwn(member, key)) return undefined;
    member = (member as Readonly<Record<string | number, unknown>>)[key];
  }
  return member;
}

function sliceOf(value: unknown, from: number): unknown {
  if (typeof value === 'string' || Array.isArray(value)) return value.slice(from);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).slice(from));
}

function pathText(path: Rest['path']): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${key}`))
    .join('');
}
