import {
  type Grant,
  type Kind,
  type OAuthApp,
  type VendorRequest,
  type VendorResponse,
} from '@connector-auth/connectors/kind';
import {
  describeRequest,
  differenceOf,
  keyOf,
  requestOf,
  responseOf,
  wordsOfRequest,
  type Exchange,
  type Recording,
} from './recording.ts';
import { openSession, type Params, type Session } from './session.ts';

/** Thrown if a kind makes a request that was not recorded. */
export class NotRecordedError extends Error {
  constructor(request: Exchange['request'], recorded: readonly Exchange[]) {
    const words = wordsOfRequest(request);
    const [closest] = recorded
      .filter(exchange => exchange.request.url === request.url)
      .map(exchange => ({ exchange, difference: differenceOf(words, wordsOfRequest(exchange.request)) }))
      .toSorted((one, other) => one.difference - other.difference);
    super(
      `The source requests ${describeRequest(request)}, which was not recorded. ` +
        (closest === undefined
          ? 'No request to this address was recorded'
          : `The closest recorded request is ${describeRequest(closest.exchange.request)}`),
    );
  }
}

/** Thrown if a kind makes many more requests than were recorded. */
export class EndlessError extends Error {
  constructor(requests: number) {
    super(`The source made ${requests} requests, and did not end`);
  }
}

export interface PlayOptions {
  /** Changes what the vendor sends. Throws if there is no response. */
  readonly change?: (response: VendorResponse, sent: Sent) => VendorResponse;
  readonly respondToRefresh?: (request: VendorRequest, count: number) => VendorResponse;
  /** Default: the secrets of `secretsFor`. */
  readonly grant?: Grant;
}

/** A request that a kind has sent. */
export interface Sent {
  readonly request: VendorRequest;
  /** With credentials. */
  readonly authorized: VendorRequest;
  /** How many requests were sent before it. */
  readonly index: number;
  /** What was recorded. */
  readonly recorded: VendorResponse;
}

export interface Player extends Session {
  readonly sent: readonly Sent[];
  /** The requests for tokens. */
  readonly refreshes: readonly VendorRequest[];
}

type Play = (options?: PlayOptions) => Player;

/** Returns a function that finds the response to a request. It throws `NotRecordedError`. */
export function responsesOf({ exchanges }: Recording): (request: VendorRequest) => VendorResponse {
  const byKey = new Map(exchanges.map(({ request, response }) => [keyOf(request), response]));
  return request => {
    const asked = requestOf(request);
    const response = byKey.get(keyOf(asked));
    if (response === undefined) throw new NotRecordedError(asked, exchanges);
    return responseOf(response);
  };
}

/** Returns a function that opens sessions in which recorded responses answer the requests of a kind. */
export function createPlayer(kind: Kind, recording: Recording): Play {
  const find = responsesOf(recording);
  const recordedGrant = grantOf(kind, recording);
  // A kind may send each request several times.
  const maxRequests = recording.exchanges.length * 5 + 100;
  return ({
    change = response => response,
    respondToRefresh = (_request, count) => tokenResponse(count, recording.token),
    grant = recordedGrant,
  }: PlayOptions = {}) => {
    const sent: Sent[] = [];
    const refreshes: VendorRequest[] = [];
    const session = openSession({
      kind,
      grant,
      app: appFor(kind),
      nowMs: Date.parse(recording.now),
      respond: async (request, authorized) => {
        const current = { request, authorized, index: sent.length, recorded: find(request) };
        sent.push(current);
        if (sent.length > maxRequests) throw new EndlessError(maxRequests);
        // A kind may change the response that it has received.
        return change(structuredClone(current.recorded), current);
      },
      respondToRefresh: async request => {
        refreshes.push(request);
        return respondToRefresh(request, refreshes.length);
      },
    });
    return { ...session, sent, refreshes };
  };
}

/** Returns the successful response of a token endpoint (RFC 6749, section 5.1), with members that the vendor adds. */
export function tokenResponse(count: number, added: Params = {}): VendorResponse {
  const body = {
    access_token: secretFor(`access-token-${count}`),
    refresh_token: secretFor(`refresh-token-${count}`),
    token_type: 'Bearer',
    expires_in: 3600,
    ...added,
  };
  return { status: 200, headers: {}, body };
}

/** Creates a grant with the recorded values, and with secrets that can be recognized. */
export function grantOf(
  kind: Kind,
  { method: id, credentials, settings }: Pick<Recording, 'method' | 'credentials' | 'settings'>,
): Grant {
  const method = kind.authMethods.find(each => each.id === id);
  if (method === undefined) {
    const known = kind.authMethods.map(each => each.id).join(', ');
    throw new Error(`The recording uses the auth method ${id}, but ${kind.name} has only ${known}`);
  }
  const secrets = secretFieldsOf(method).map(name => [name, secretFor(name)]);
  return { method: id, credentials: { ...Object.fromEntries(secrets), ...credentials }, settings, state: {} };
}

type Method = Kind['authMethods'][number];

/** Returns the names of the credentials that are secret. */
export function secretFieldsOf({ fields }: Method): string[] {
  // Zod returns what a field was declared with.
  const shape = fields.shape as Readonly<Record<string, { meta(): { writeOnly?: unknown } | undefined }>>;
  return Object.keys(shape).filter(name => shape[name]?.meta()?.writeOnly === true);
}

/** Returns an OAuth app with a secret that can be recognized. */
export function appFor(kind: Kind): OAuthApp {
  const extras = Object.keys(kind.appExtras?.shape ?? {}).map(name => [name, secretFor(name)]);
  return {
    clientId: 'recorded-client-id',
    clientSecret: secretFor('client_secret'),
    extras: Object.fromEntries(extras),
  };
}

/** Marks the secrets of played sessions. */
export const secretMark = 'Zq7x';

function secretFor(name: string): string {
  return `${secretMark}-${name.replaceAll('_', '-')}-${secretMark}`;
}
