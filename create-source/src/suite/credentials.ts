import { ConnectorAuthError, stringifyJson } from '@connector-auth/api';
import type { VendorRequest, VendorResponse } from '@connector-auth/connectors/kind';
import { grantOf, secretMark, tokenResponse, type Player } from '../player.ts';
import { short, type RecordedCall } from '../recording.ts';
import {
  describeError,
  errorOf,
  Failure,
  isFullSync,
  runCall,
  Unproven,
  type Check,
  type CheckContext,
} from './check.ts';

/** Checks of what happens with credentials. */
export const credentialChecks: readonly Check[] = [
  { title: 'reports rejected credentials', isFor: isFirstCall, run: reportsRejection },
  {
    title: 'renews an expired access token once',
    isFor: (call, context) => isFirstCall(call, context) && hasRefresh(context),
    run: renews,
  },
  {
    title: 'lets no secret out',
    isFor: call => call.action !== 'sync' || isFullSync(call),
    run: keepsSecrets,
  },
];

function isFirstCall(call: RecordedCall, { recording: { calls } }: CheckContext): boolean {
  return call === (calls.find(isFullSync) ?? calls.find(({ action }) => action === 'list') ?? calls[0]);
}

function hasRefresh({ kind, recording }: CheckContext): boolean {
  return kind.authMethods.find(({ id }) => id === recording.method)?.refresh !== undefined;
}

function rejectionOf({ recording: { rejection } }: CheckContext): VendorResponse {
  return rejection === undefined
    ? { status: 401, headers: {}, body: {} }
    : { ...rejection, body: structuredClone(rejection.body) };
}

async function reportsRejection(call: RecordedCall, context: CheckContext): Promise<void> {
  const { play, recording, kind } = context;
  // A check may ask for more than it needs, so only its first request has to succeed.
  for (const [what, positions, run] of [
    ['the check', 'first', (player: Player) => player.check()],
    [`${call.entity}.${call.action}`, 'first and last', (player: Player) => runCall(player, call)],
  ] as const) {
    const usual = play();
    await run(usual);
    const last = usual.sent.length - 1;
    for (const from of new Set(positions === 'first' ? [0] : [0, last])) {
      const player = play({
        change: (response, { index }) => (index < from ? response : rejectionOf(context)),
        respondToRefresh: (_request, count) =>
          count > usual.refreshes.length ? invalidGrant : tokenResponse(count, recording.token),
      });
      const error = await errorOf(() => run(player));
      if (error instanceof ConnectorAuthError && error.code === 'reauthentication_required') continue;
      if (
        recording.rejection === undefined &&
        kind.readFailure(rejectionOf(context), 0, grantOf(kind, recording))?.kind !== 'credentials'
      ) {
        throw new Unproven(
          'The recording has no response to wrong credentials, and 401 is not the status for them',
        );
      }
      throw new Failure({
        sent: `${short(rejectionOf(context))} to request ${from + 1} of ${what}`,
        made: describeError(error),
        expected:
          'the error reauthentication_required. `readFailure` has to return `credentials` for this response',
      });
    }
  }
}

const invalidGrant: VendorResponse = { status: 400, headers: {}, body: { error: 'invalid_grant' } };

async function renews(call: RecordedCall, context: CheckContext): Promise<void> {
  const { play } = context;
  const usual = play();
  const unreadable = await errorOf(() => runCall(usual, call));
  if (unreadable !== null) throw unreadable;
  let expired: unknown;
  const player = play({
    change: (response, { index, authorized }) => {
      if (index === 0) expired = authorized;
      return index === 0 ? rejectionOf(context) : response;
    },
  });
  const sent = `${short(rejectionOf(context))} to the first request`;
  const error = await errorOf(() => runCall(player, call));
  if (error !== null)
    throw new Failure({
      sent,
      made: describeError(error),
      expected: 'a new access token, and the same request with it',
    });
  const count = player.refreshes.length - usual.refreshes.length;
  if (count !== 1)
    throw new Failure({ sent, made: `${count} requests for an access token`, expected: 'one' });
  if (stringifyJson(player.sent[1]?.authorized) !== stringifyJson(expired)) return;
  throw new Failure({
    sent,
    made: 'the same request with the expired access token',
    expected: 'the new access token in it',
  });
}

async function keepsSecrets(call: RecordedCall, { play }: CheckContext): Promise<void> {
  const usual = play();
  const outcome = await runCall(usual, call);
  requireNone(outcome, 'the recorded responses', 'records, positions and metadata');
  for (const { authorized } of usual.sent) {
    requireNone(authorized.url, 'the recorded responses', 'the path of a request');
  }
  for (const status of [400, 401, 403, 404, 429, 500]) {
    const player = play({
      change: (_response, { authorized }) => ({ status, headers: {}, body: echo(authorized) }),
      respondToRefresh: request => ({ status, headers: {}, body: echo(request) }),
    });
    const error = await errorOf(() => runCall(player, call));
    if (error instanceof ConnectorAuthError) {
      const { message, errors, vendor } = error;
      requireNone(
        [message, errors, vendor],
        `the status ${status} with the credentials in its message`,
        'an error',
      );
    }
  }
}

/** Returns an error that repeats the request, in the members in which vendors have messages. */
function echo({ headers, query, body, form }: VendorRequest): unknown {
  const message = `Invalid request: ${stringifyJson([headers, query, body, form].filter(part => part !== undefined))}`;
  const inner = { message, code: message, error: message, detail: message };
  return { ...inner, error_description: message, errors: [message], error_details: inner, details: [inner] };
}

function requireNone(value: unknown, sent: string, where: string): void {
  const text = stringifyJson(value);
  const at = text.indexOf(secretMark);
  if (at === -1) return;
  const made = `${where} with a secret: …${text.slice(Math.max(0, at - 40), at + 30)}…`;
  throw new Failure({ sent, made, expected: 'no credentials in anything that leaves the source' });
}
