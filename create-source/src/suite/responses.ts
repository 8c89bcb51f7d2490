import { ConnectorAuthError, type ProblemCode } from '@connector-auth/api';
import { TransportError, type VendorResponse } from '@connector-auth/connectors/kind';
import { EndlessError, NotRecordedError, type Player } from '../player.ts';
import type { RecordedCall } from '../recording.ts';
import {
  describeError,
  errorOf,
  Failure,
  isFullSync,
  runCall,
  type Check,
  type CheckContext,
} from './check.ts';

/** Checks of responses that a vendor does not document. */
export const responseChecks: readonly Check[] = [
  { title: 'withstands malformed and empty responses', isFor: isReadingCall, run: withstandsDamage },
  { title: 'reads a page of 20,000 records', isFor: isListOrSync, run: readsHugePage },
  {
    title: 'reports responses that are too large or too slow',
    isFor: isReadingCall,
    run: async (call, context) => {
      await reports(call, context, 'vendor_response_too_large', 'more than 64 MiB');
      await reports(call, context, 'vendor_timeout', 'nothing within 30 s');
    },
  },
];

function isReadingCall(call: RecordedCall): boolean {
  return ['list', 'get'].includes(call.action) || isFullSync(call);
}

function isListOrSync(call: RecordedCall): boolean {
  return call.action === 'list' || isFullSync(call);
}

/** How a response is damaged. */
const damages: readonly {
  readonly name: string;
  readonly damage: (body: unknown) => unknown;
  /** Whether a response of this form can be meant: some vendors omit what is empty. */
  readonly canBeMeant?: true;
}[] = [
  { name: 'a page of HTML', damage: () => undefined },
  { name: 'an empty body', damage: () => null },
  { name: 'an empty object', damage: () => ({}), canBeMeant: true },
  { name: 'a text', damage: () => 'unexpected' },
  { name: 'objects instead of lists', damage: body => withLists(body, () => ({})) },
  { name: 'lists of null', damage: body => withLists(body, list => list.map(() => null)) },
  { name: 'lists of texts', damage: body => withLists(body, list => list.map(() => 'unexpected')) },
];

async function withstandsDamage(call: RecordedCall, { play }: CheckContext): Promise<void> {
  const usual = play();
  const { records } = await runCall(usual, call);
  for (const url of addressesOf(usual)) {
    for (const { name, damage, canBeMeant } of damages) {
      let isDamaged = false;
      const player = play({
        change: (response, { request }) => {
          if (isDamaged || request.url !== url) return response;
          isDamaged = true;
          return { ...response, body: damage(response.body) };
        },
      });
      let left: number | null = null;
      const error = await errorOf(async () => {
        left = (await runCall(player, call)).records.length;
      });
      const sent = `${name} for ${url}`;
      // A vendor rejects a request that the source makes of a damaged response.
      if (error !== null && !isNamed(error) && !(error instanceof NotRecordedError)) {
        const expected = 'an error of the vendor, as `requireRecords` and `fillFields` throw';
        throw new Failure({ sent, made: describeError(error), expected });
      }
      const isLost = error === null && left === 0 && records.length > 0;
      if (isLost && isFullSync(call) && canBeMeant !== true) {
        const expected = `an error, because a full sync without records deletes the ${records.length} that are stored`;
        throw new Failure({ sent, made: 'a complete sync without records', expected });
      }
    }
  }
}

async function readsHugePage(call: RecordedCall, { play }: CheckContext): Promise<void> {
  const wanted = 20_000;
  const usual = play();
  await runCall(usual, call);
  const [largest] = usual.sent.toSorted(
    (one, other) => longestList(other.recorded.body).length - longestList(one.recorded.body).length,
  );
  const player = play({
    change: (response, { index }) => {
      const longest = longestList(response.body);
      if (index !== largest?.index || longest.length === 0) return response;
      const copies = Array.from({ length: wanted }, (_, position) => longest[position % longest.length]);
      return { ...response, body: withLists(response.body, list => (list === longest ? copies : list)) };
    },
  });
  const error = await errorOf(() => runCall(player, call));
  // Some sources send a request for each record.
  if (error === null || isNamed(error) || error instanceof EndlessError) return;
  const expected = `the records, or an error of the vendor. A spread such as \`push(...records)\` overflows the stack`;
  throw new Failure({ sent: `a page of ${wanted} records`, made: describeError(error), expected });
}

/** Fails the last request, after the kind has read the others. */
async function reports(
  call: RecordedCall,
  { kind, play }: CheckContext,
  code: ProblemCode,
  sent: string,
): Promise<void> {
  const usual = play();
  await runCall(usual, call);
  const last = usual.sent.length - 1;
  const player = play({
    change: (response, { index }) => {
      if (index < last) return response;
      throw new TransportError(new ConnectorAuthError(code, `${kind.name}: ${sent}`), true);
    },
  });
  const error = await errorOf(() => runCall(player, call));
  if (error instanceof ConnectorAuthError && error.code === code) return;
  throw new Failure({ sent, made: describeError(error), expected: `the error ${code}` });
}

/** Returns whether callers can read the error. */
function isNamed(error: unknown): boolean {
  return error instanceof ConnectorAuthError && error.code !== 'internal_error';
}

function addressesOf(player: Player): readonly string[] {
  return [...new Set(player.sent.map(({ request }) => request.url))].slice(0, maxAddresses);
}

/** More addresses are of the same form: one for each record. */
const maxAddresses = 5;

/** Replaces the lists of a body, in up to three levels. */
function withLists(
  value: VendorResponse['body'],
  change: (list: readonly unknown[]) => unknown,
  levels = 3,
): unknown {
  if (Array.isArray(value)) return change(value);
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withLists(member, change, levels - 1)]),
  );
}

function longestList(body: unknown): readonly unknown[] {
  let longest: readonly unknown[] = [];
  withLists(body, list => {
    if (list.length > longest.length) longest = list;
    return list;
  });
  return longest;
}
