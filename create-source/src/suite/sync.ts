import { isDeepStrictEqual } from 'node:util';
import { parseVendorJson, stringifyJson } from '@connector-auth/api';
import type { SyncPage } from '@connector-auth/connectors/kind';
import { EndlessError } from '../player.ts';
import { short, type RecordedCall } from '../recording.ts';
import type { Params } from '../session.ts';
import {
  errorOf,
  Failure,
  isFullSync,
  pagesOf,
  sinceOf,
  Unproven,
  type Check,
  type CheckContext,
} from './check.ts';
import { asStored } from './records.ts';

/** Checks of syncs. */
export const syncChecks: readonly Check[] = [
  { title: 'ends if the vendor repeats a page', isFor: isFullSync, run: endsOnRepeatedPages },
  { title: 'resumes after every page', isFor: isFullSync, run: resumes },
  {
    title: 'finds the same records incrementally',
    isFor: (call, { kind }) =>
      isFullSync(call) && kind.entities[call.entity]?.search?.sync.incremental === true,
    run: isSameIncrementally,
  },
];

const fromStart = { since: null, position: null };

/** The vendor sends the first page repeatedly. */
async function endsOnRepeatedPages({ entity }: RecordedCall, { play }: CheckContext): Promise<void> {
  const firstOf = new Map<string, unknown>();
  const player = play({
    change: (response, { request }) => {
      const first = firstOf.get(request.url) ?? structuredClone(response.body);
      firstOf.set(request.url, first);
      return { ...response, body: structuredClone(first) };
    },
  });
  const error = await errorOf(() => player.sync(entity, fromStart, Infinity));
  if (!(error instanceof EndlessError)) return;
  throw new Failure({
    sent: 'the first page each time, with the same next page',
    made: `${player.sent.length} requests`,
    expected: 'an error (`brokenPage`) instead of requests without end, or the end of the run',
  });
}

async function resumes(call: RecordedCall, { kind, play }: CheckContext): Promise<void> {
  const { entity } = call;
  const keys = kind.entities[entity]?.search?.primaryKey ?? [];
  const whole = await play().sync(entity, fromStart, pagesOf(call));
  const pages: SyncPage[] = [];
  let position: unknown = null;
  do {
    // A new run in a new process, which has nothing but the stored position.
    const player = play();
    const run = await player.sync(entity, { since: null, position }, 1);
    if (run.pages.length > 0) pages.push(...run.pages);
    position = parseVendorJson(stringifyJson(run.pages[0]?.position ?? null));
    if (pages.length > whole.pages.length * 2 + 10) {
      throw new Failure({
        sent: `${whole.pages.length} pages`,
        made: `${pages.length} pages when it was interrupted after each`,
        expected: 'that it ends',
      });
    }
  } while (position !== null && pages.length < pagesOf(call));
  const [one, other] = [byKey(whole.pages, keys), byKey(pages, keys)];
  const missing = [...one].find(([key, record]) => !isDeepStrictEqual(other.get(key), record));
  const added = [...other].find(([key]) => !one.has(key));
  const different = missing ?? added;
  if (different !== undefined) {
    const [key] = different;
    throw new Failure({
      sent: `${whole.pages.length} pages with ${one.size} records`,
      made: `${short(other.get(key) ?? null)} of record ${key} when it was interrupted after each page`,
      expected: `${short(one.get(key) ?? null)}, as without interruption. The position has to say where to resume`,
    });
  }
  const since = pages.findLast(page => page.since !== undefined)?.since ?? null;
  if (since === whole.since || call.pages !== undefined) {
    if (whole.pages.length < 2)
      throw new Unproven('The recording has one page. Record more data, or a smaller page');
    return;
  }
  throw new Failure({
    sent: `${whole.pages.length} pages`,
    made: `since: ${short(since)} when it was interrupted after each page`,
    expected: `${short(whole.since)}, as without interruption. Keep what it depends on in the position`,
  });
}

async function isSameIncrementally(
  call: RecordedCall,
  { kind, recording, play }: CheckContext,
): Promise<void> {
  const { entity } = call;
  const keys = kind.entities[entity]?.search?.primaryKey ?? [];
  const full = byKey((await play().sync(entity, fromStart, pagesOf(call))).pages, keys);
  let compared = 0;
  const incremental = recording.calls.filter(
    each => each.entity === entity && each.action === 'sync' && !isFullSync(each),
  );
  for (const other of incremental) {
    const player = play();
    const start = { since: sinceOf(other.params), position: null };
    const { pages } = await player.sync(entity, start, pagesOf(other));
    for (const [key, record] of byKey(pages, keys)) {
      compared += 1;
      const isKnown = full.has(key) || call.pages === undefined;
      if (!isKnown || isDeepStrictEqual(full.get(key), record)) continue;
      throw new Failure({
        sent: `the changes since ${sinceOf(other.params)}`,
        made: `${short(record)} of record ${key}`,
        expected: `${short(full.get(key) ?? null)}, as in a full sync`,
      });
    }
  }
  if (compared === 0) throw new Unproven('The recording has no incremental sync that found a record');
}

function byKey(pages: readonly SyncPage[], keys: readonly string[]): Map<string, Params> {
  const records = pages.flatMap(page => page.records).map(asStored);
  return new Map(records.map(record => [stringifyJson(keys.map(name => record[name] ?? null)), record]));
}
