import { isDeepStrictEqual } from 'node:util';
import { parseVendorJson, stringifyJson } from '@connector-auth/api';
import type { SearchType } from '@connector-auth/connectors/kind';
import type { z } from 'zod';
import type { Player } from '../player.ts';
import { short, type RecordedCall } from '../recording.ts';
import type { Params } from '../session.ts';
import { Failure, isFullSync, runCall, Unproven, type Check, type CheckContext } from './check.ts';

/** Checks of what the kind makes of the recorded responses. */
export const recordChecks: readonly Check[] = [
  { title: 'replays as recorded', isFor: () => true, run: replays },
  { title: 'returns what it declares', isFor: () => true, run: fitsDeclaration },
  {
    title: 'has the same record in list, get and search',
    isFor: (call, { recording }) => call.action === 'list' && othersOf(call, recording.calls).length > 0,
    run: isSameRecord,
  },
];

async function replays(call: RecordedCall, { play }: CheckContext): Promise<void> {
  const player = play();
  const { records } = await runCall(player, call);
  if (call.records !== undefined && records.length !== call.records) {
    throw new Failure({
      sent: `${player.sent.length} responses`,
      made: `${records.length} records of them`,
      expected: `${call.records} records, as recorded`,
    });
  }
  const [first, expected] = [asStored(records[0]), asStored(call.result)];
  for (const name of new Set([...Object.keys(first), ...Object.keys(expected)])) {
    if (call.result === undefined || isDeepStrictEqual(first[name], expected[name])) continue;
    throw new Failure({
      sent: sentValue(player, first, name),
      made: `${name}: ${short(first[name])}`,
      expected: `${short(expected[name])}, as recorded. If the change is intended, record again`,
    });
  }
  if (call.pages !== undefined)
    throw new Unproven('That it ends: the vendor has more pages than were recorded');
}

async function fitsDeclaration(call: RecordedCall, { kind, play }: CheckContext): Promise<void> {
  const player = play();
  const { records } = await runCall(player, call);
  const entity = kind.entities[call.entity];
  const action = Object.entries(entity?.actions ?? {}).find(([name]) => name === call.action)?.[1];
  for (const [index, record] of records.entries()) {
    const [issue] =
      action === undefined
        ? searchIssues(entity?.search, asStored(record))
        : recordIssues(action.record, record);
    if (issue === undefined) continue;
    throw new Failure({
      sent: sentValue(player, asStored(record), issue.name),
      made: `${issue.name === '' ? '' : `${issue.name}: `}${short(issue.value)} (record ${index + 1} of ${records.length})`,
      expected: issue.expected,
    });
  }
}

interface RecordIssue {
  readonly name: string;
  readonly value: unknown;
  readonly expected: string;
}

function recordIssues(schema: z.ZodType, record: unknown): RecordIssue[] {
  const parsed = schema.safeParse(record);
  return (parsed.error?.issues ?? []).map(({ path, message }) => ({
    name: path.join('.'),
    value: path.reduce<unknown>((value, name) => Object(value)[name as string] as unknown, record),
    expected: `${message}, as the record's schema declares`,
  }));
}

const types: Readonly<Record<SearchType, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  integer: value => typeof value === 'bigint' || Number.isInteger(value),
  number: value => ['number', 'bigint'].includes(typeof value),
  boolean: value => typeof value === 'boolean',
  array: Array.isArray,
  object: value => typeof value === 'object',
  decimal: value => typeof value === 'bigint' || isNumeric(value),
};

function searchIssues(search: Searched, record: Params): RecordIssue[] {
  if (search === undefined) return [];
  const required = search.primaryKey.filter(name => !search.nullableKey?.includes(name));
  return Object.entries(search.fields).flatMap(([name, type]): RecordIssue[] => {
    const value = record[name] ?? null;
    if (value === null)
      return required.includes(name)
        ? [{ name, value, expected: 'a value, because it identifies the record' }]
        : [];
    return types[type](value)
      ? []
      : [{ name, value, expected: `null or a value of the type ${type}, as the search declares` }];
  });
}

type Searched = CheckContext['kind']['entities'][string]['search'];

/** Compares the fields that both have, where neither is null: a list may be less complete. */
async function isSameRecord(call: RecordedCall, { kind, recording, play }: CheckContext): Promise<void> {
  const keys = kind.entities[call.entity]?.search?.primaryKey ?? ['id'];
  const listed = (await runCall(play(), call)).records.map(asStored);
  let compared = 0;
  for (const other of othersOf(call, recording.calls)) {
    const player = play();
    const found = (await runCall(player, other)).records.map(asStored);
    for (const record of found) {
      const twin = listed.find(each =>
        keys.every(
          key => memberOf(each, key) !== null && isAlike(memberOf(each, key), memberOf(record, key)),
        ),
      );
      if (twin === undefined) continue;
      compared += 1;
      for (const name of Object.keys(record)) {
        const [one, another] = [memberOf(twin, name), memberOf(record, name)];
        if (one === null || another === null || isAlike(one, another)) continue;
        throw new Failure({
          sent: sentValue(player, record, name),
          made: `${name}: ${short(another)} in ${other.action === 'sync' ? 'search' : other.action}, and ${short(one)} in list`,
          expected: 'the same value in both',
        });
      }
    }
  }
  if (compared === 0) throw new Unproven('No record of the list was also recorded with get or search');
}

/** Reads a field, or a path in the record, as the names of search fields are. */
function memberOf(record: Params, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name] ?? null;
  return name.split('.').reduce<unknown>((value, part) => asStored(value)[part] ?? null, record);
}

function othersOf({ entity }: RecordedCall, calls: readonly RecordedCall[]): RecordedCall[] {
  return calls.filter(call => call.entity === entity && (call.action === 'get' || isFullSync(call)));
}

/** An object may be less complete in one of two places; a decimal may be a text. */
function isAlike(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) || Array.isArray(other) || typeof one !== 'object' || typeof other !== 'object') {
    return (
      isDeepStrictEqual(one, other) ||
      (isNumeric(one) && isNumeric(other) && Number(one) === Number(other)) ||
      (Array.isArray(one) &&
        Array.isArray(other) &&
        one.length === other.length &&
        one.every((item, index) => isAlike(item, other[index])))
    );
  }
  const [first, second] = [asStored(one), asStored(other)];
  return Object.keys(first).every(
    name =>
      (first[name] ?? null) === null || (second[name] ?? null) === null || isAlike(first[name], second[name]),
  );
}

function isNumeric(value: unknown): boolean {
  return (
    typeof value === 'number' ||
    (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
  );
}

/** Returns a record as it is stored and sent: as JSON. */
export function asStored(record: unknown): Params {
  // A record is an object.
  return parseVendorJson(stringifyJson(record ?? {})) as Params;
}

/** Finds what the vendor has sent for a record: the object that shares most values with it. */
function sentValue(player: Player, record: Params, name: string): string {
  const values = new Set(
    Object.values(record)
      .filter(value => typeof value !== 'object')
      .map(String),
  );
  let best: { readonly object: Params; readonly shared: number } | null = null;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const shared = Object.values(value).filter(member => values.has(String(member))).length;
    // Objects and arrays from JSON are both indexed by their keys.
    if (!Array.isArray(value) && shared > (best?.shared ?? 0)) best = { object: value as Params, shared };
    Object.values(value).forEach(visit);
  };
  for (const { recorded } of player.sent) visit(recorded.body);
  const { object } = (best ?? { object: {} }) as { readonly object: Params };
  const last = name.split('.').find(part => Object.hasOwn(object, part));
  return last === undefined ? short(object) : `${last}: ${short(object[last])}`;
}
