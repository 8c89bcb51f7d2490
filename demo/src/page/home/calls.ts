import { execute } from '../backend.ts';
import { daysAgo } from '../format.ts';
import type { SearchPage } from '../search-page.ts';

/** A call as a search for these fields of `calls_extensive` returns it. */
export interface CallRow {
  readonly id: string;
  readonly startdatetime: string | null;
  readonly 'metaData.title': string | null;
  readonly 'metaData.duration': number | null;
  readonly 'content.brief': string | null;
  readonly parties: readonly Party[] | null;
}

interface Party {
  readonly name?: string | null;
  readonly emailAddress?: string | null;
  /** Null for participants who did not speak. */
  readonly speakerId?: string | null;
  readonly affiliation?: string | null;
}

export interface Call {
  readonly id: string;
  readonly title: string;
  /** ISO 8601 */
  readonly started: string;
  readonly seconds: number;
  readonly brief: string | null;
  readonly speakers: readonly { readonly name: string; readonly isGuest: boolean }[];
}

export interface CallDay {
  /** `YYYY-MM-DD` in the browser's time zone. */
  readonly day: string;
  readonly calls: readonly Call[];
}

const fields = [
  'id',
  'startdatetime',
  'metaData.title',
  'metaData.duration',
  'content.brief',
  'parties',
] as const satisfies (keyof CallRow)[];

/** The number of calls in the timeline. */
const maxCalls = 8;
/** Gong sends times with different offsets, by whose text search sorts, so the latest calls are among these. */
const maxRead = 40;

export async function loadCalls(connectorId: string, now: Date): Promise<readonly Call[]> {
  const { result } = await execute<SearchPage<CallRow>, null>(connectorId, 'calls_extensive', 'search', {
    query: { filter: { lte: { startdatetime: now.toISOString() } }, sort: ['-startdatetime'] },
    fields,
    limit: maxRead,
  });
  return newest(result.data.flatMap(toCall)).slice(0, maxCalls);
}

/** Sorts calls, newest first. */
export function newest(calls: readonly Call[]): readonly Call[] {
  return calls.toSorted((one, other) => Date.parse(other.started) - Date.parse(one.started));
}

function toCall(row: CallRow): Call[] {
  if (row.startdatetime === null) return [];
  return [
    {
      id: row.id,
      title: row['metaData.title'] ?? 'Call without a title',
      started: row.startdatetime,
      seconds: row['metaData.duration'] ?? 0,
      brief: row['content.brief'],
      speakers: speakersOf(row.parties ?? []),
    },
  ];
}

/** Returns those who spoke, by name. */
export function speakersOf(parties: readonly Party[]): Call['speakers'] {
  return parties
    .filter(({ speakerId }) => speakerId !== null && speakerId !== undefined)
    .map(({ name, emailAddress, affiliation }) => ({
      name: name ?? emailAddress ?? 'Unknown speaker',
      isGuest: affiliation !== 'Internal',
    }));
}

/** Groups calls, newest first, by their local day. */
export function byDay(calls: readonly Call[]): CallDay[] {
  return [...Map.groupBy(calls, ({ started }) => daysAgo(0, new Date(started)))].map(([day, ofDay]) => ({
    day,
    calls: ofDay,
  }));
}
