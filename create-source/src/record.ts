import { ConnectorAuthError, parseVendorJson, stringifyJson } from '@connector-auth/api';
import {
  asObject,
  isReading,
  secretsOf,
  type Grant,
  type Kind,
  type OAuthApp,
  type Transport,
  type VendorResponse,
} from '@connector-auth/connectors/kind';
import { z } from 'zod';
import { appFor, grantOf, secretFieldsOf, secretMark, tokenResponse } from './player.ts';
import {
  differenceOf,
  keyOf,
  requestOf,
  responseOf,
  wordsOfRequest,
  type Exchange,
  type RecordedCall,
  type Recording,
} from './recording.ts';
import { createReplacer, fieldNamesOf, type Replacer } from './replace-values.ts';
import { openSession, type Params, type Session } from './session.ts';

export interface RecordOptions {
  readonly kind: Kind;
  readonly grant: Grant;
  readonly app: OAuthApp | null;
  readonly transport: Transport;
  readonly nowMs: number;
  readonly origin: Recording['origin'];
  /** The params of actions, by `entity.action`. Actions that change data are recorded only if they are in it. */
  readonly params: Readonly<Record<string, Params>>;
  readonly maxPages: number;
  /** Receives each response, with what the kind made of it. */
  readonly onResponse?: (request: Exchange['request'], response: VendorResponse) => void;
}

/** What the vendor has sent, with its values. It is never stored. */
export interface Capture {
  /** Names of fields whose values the kind uses, so that replacing them changes what it does. */
  readonly neededFields: () => Promise<readonly string[]>;
  /**
   * Replaces the values of all fields, except those that are kept by name.
   * @returns null if the kind does something else with the replaced values. Then `neededFields` says which it uses.
   */
  readonly replace: (kept: readonly string[]) => Promise<Recording | null>;
  /** What could not be recorded, and why. */
  readonly notes: readonly string[];
}

/** A response, and which of its headers the kind has read. */
interface Received {
  readonly request: Exchange['request'];
  readonly response: VendorResponse;
  readonly readHeaders: Set<string>;
}

/** Calls everything that the kind declares, and captures what the vendor sends. */
export async function capture(options: RecordOptions): Promise<Capture> {
  const { kind, grant, app, transport, nowMs } = options;
  const received = new Map<string, Received>();
  const session = openSession({
    kind,
    grant,
    app,
    nowMs,
    clock: { now: () => Date.now(), sleep: ms => new Promise(resolve => setTimeout(resolve, ms)) },
    respondToRefresh: transport,
    respond: async (request, authorized, call) => {
      const asked = requestOf(request);
      const known = received.get(keyOf(asked));
      const response = known?.response ?? (await transport(authorized, call));
      if (isTransient(kind, response, grant)) return response;
      const got = known ?? { request: asked, response, readHeaders: new Set<string>() };
      if (known === undefined) options.onResponse?.(asked, response);
      received.set(keyOf(asked), got);
      return { ...response, headers: watched(response.headers, got.readHeaders) };
    },
  });
  const notes: string[] = [];
  const { calls, outcomes } = await runCalls(kind, session, options, notes);
  const all = [...received.values()];
  const rejection = await reject(options, hostWordsOf(kind, all));
  const secrets = [...secretsOf(kind, grant, app), ...secretsOf(kind, (await session.vendor()).grant, app)];
  /** What is replaced: also what the developer has set. */
  const values = [
    ...all.map(({ response }) => response.body),
    rejection?.body,
    grant.settings,
    ...Object.values(options.params),
  ];
  const ownWords = new Set<string>();
  const replacer = createReplacer({
    values: [...values, grant.credentials, ...all.map(({ request }) => request)],
    ownWords,
    hosts: kind.hosts,
    nowMs,
  });
  const captured = { options, received: all, replacer, ownWords, rejection };
  // Words of paths that stay although all values are replaced are the kind's own.
  await replay(captured, []).catch(() => {});

  async function replace(kept: readonly string[]): Promise<Recording | null> {
    const recorded = await replay(captured, kept, outcomes).catch(() => null);
    if (recorded === null || recorded.calls.length !== calls.length) return null;
    const { rejection: replaced } = recorded;
    const failureOf = (response: VendorResponse) => kind.readFailure(response, nowMs, grant)?.kind;
    if (rejection !== null && replaced && failureOf(rejection) !== failureOf(responseOf(replaced)))
      return null;
    const place = placeOf(recorded, text => secrets.some(each => each.length >= 8 && text.includes(each)));
    if (place !== null) {
      throw new Error(
        `The recording would contain a credential in \`${place}\`. Do not keep that field. If it is no secret, such as the ` +
          `address of the customer, ask for it in the settings instead.`,
      );
    }
    return recorded;
  }

  return {
    notes,
    replace,
    neededFields: async () => {
      let kept = fieldNamesOf(values);
      const release = async (names: readonly string[]): Promise<void> => {
        const others = kept.filter(name => !names.includes(name));
        if ((await replace(others).catch(() => null)) !== null) kept = others;
        else if (names.length > 1) {
          const middle = Math.ceil(names.length / 2);
          await release(names.slice(0, middle));
          await release(names.slice(middle));
        }
      };
      await release(kept);
      return kept;
    },
  };
}

/** Returns the path of the first text or number of a JSON value that matches, or null. */
function placeOf(value: unknown, matches: (text: string) => boolean): string | null {
  if (typeof value !== 'object' || value === null) return matches(String(value)) ? '' : null;
  for (const [name, inner] of Object.entries(value)) {
    const place = placeOf(inner, matches);
    if (place !== null) return place === '' ? name : `${name}.${place}`;
  }
  return null;
}

/** Returns headers that note the names that are read. */
function watched(headers: VendorResponse['headers'], read: Set<string>): VendorResponse['headers'] {
  return new Proxy(headers, {
    get: (all, name, receiver) => {
      if (typeof name === 'string' && name in all) read.add(name);
      return Reflect.get(all, name, receiver) as unknown;
    },
  });
}

/** Responses after which the executor sends the request again are not recorded. */
function isTransient(kind: Kind, response: VendorResponse, grant: Grant): boolean {
  const failure = kind.readFailure(response, Date.now(), grant);
  return failure !== null && ['rate_limit', 'vendor', 'credentials'].includes(failure.kind);
}

/** Returns the words of hosts that the kind does not declare, because a `*` stands for them. */
function hostWordsOf({ hosts }: Kind, received: readonly Received[]): ReadonlySet<string> {
  const used = received.flatMap(({ request }) => new URL(request.url).host.split(/[^a-z0-9]/));
  return new Set(used.filter(word => !hosts.join('.').split(/[.:]/).includes(word)));
}

interface Captured {
  readonly options: RecordOptions;
  readonly received: readonly Received[];
  readonly replacer: Replacer;
  /** Receives the kind's own words of paths, if no field is kept. */
  readonly ownWords: Set<string>;
  readonly rejection: VendorResponse | null;
}

/**
 * Runs the kind on the replaced responses. Its requests are then those that it makes of the replaced values, so they need no
 * replacement of their own. It can make them in another order, because replaced ids sort otherwise.
 * @param expected outcomes of the calls. Another one ends the replay.
 */
async function replay(
  { options, received, replacer, ownWords, rejection }: Captured,
  kept: readonly string[],
  expected?: readonly string[],
): Promise<Recording> {
  const { kind, grant, origin } = options;
  const keptNames = new Set(kept);
  const replaced = <T>(value: T): T =>
    // Replacing keeps the shape of a value.
    value === undefined ? value : (parseVendorJson(stringifyJson(replacer.value(value, keptNames))) as T);
  const base = {
    format: 1,
    kind: kind.key,
    origin,
    now: new Date(options.nowMs + replacer.shiftMs).toISOString(),
    method: grant.method,
    credentials: playedCredentials(options, hostWordsOf(kind, received), replaced),
    settings: replaced(grant.settings),
    kept: [...kept].sort(),
  } as const;
  const exchanges = new Map<string, Exchange>();
  const left = new Set(
    received.map(each => ({
      ...each,
      made: wordsOfRequest(each.request),
      replaced: wordsOfRequest(replaced(each.request)),
    })),
  );
  let refreshes = 0;
  const session = openSession({
    kind,
    grant: grantOf(kind, base),
    app: appFor(kind),
    nowMs: Date.parse(base.now),
    respondToRefresh: () => Promise.resolve(tokenResponse(++refreshes)),
    respond: async request => {
      const asked = requestOf(request);
      const known = exchanges.get(keyOf(asked));
      if (known !== undefined) return responseOf(structuredClone(known.response));
      const words = wordsOfRequest(asked);
      const [got] = [...left]
        .filter(({ request: { method } }) => method === asked.method)
        .map(each => ({ each, difference: differenceOf(words, each.made, each.replaced) }))
        .toSorted((one, other) => one.difference - other.difference);
      if (got === undefined) throw new Error('The requests differ');
      left.delete(got.each);
      const pathWords = new Set(new URL(asked.url).pathname.split(/[^\p{L}\p{N}]+/u));
      for (const word of kept.length > 0 ? [] : got.each.made) if (pathWords.has(word)) ownWords.add(word);
      const { status, headers, body } = got.each.response;
      const read = Object.entries(headers).filter(([name]) => got.each.readHeaders.has(name));
      const response = { status, headers: replaced(Object.fromEntries(read)), body: replaced(body) };
      exchanges.set(keyOf(asked), { request: asked, response });
      return responseOf(structuredClone(response));
    },
  });
  const run = { ...options, params: replaced(options.params), expected };
  const { calls } = await runCalls(kind, session, run, []);
  return {
    ...base,
    calls: [...calls],
    exchanges: [...exchanges.values()],
    ...(rejection !== null && {
      rejection: { status: rejection.status, headers: {}, body: replaced(rejection.body) },
    }),
  };
}

const secretWord = /[A-Za-z0-9]+/g;

/** Returns the credentials that are not secret, and those with a part of a host, of which only that part stays. */
function playedCredentials(
  { kind, grant: { method, credentials } }: RecordOptions,
  hostWords: ReadonlySet<string>,
  replaced: <T>(value: T) => T,
): Params {
  const secret = new Set(kind.authMethods.filter(({ id }) => id === method).flatMap(secretFieldsOf));
  const played = Object.entries(credentials).flatMap(([name, value]) => {
    if (!secret.has(name)) return [[name, replaced(value)]];
    const text = textOf(value);
    if (!text.match(secretWord)?.some(word => hostWords.has(word))) return [];
    return [[name, text.replace(secretWord, word => (hostWords.has(word) ? replaced(word) : secretMark))]];
  });
  return Object.fromEntries(played) as Params;
}

/** Sends a request that only reads, with credentials that are wrong. */
async function reject(
  { kind, grant, app, transport, nowMs }: RecordOptions,
  hostWords: ReadonlySet<string>,
): Promise<VendorResponse | null> {
  const method = kind.authMethods.find(({ id }) => id === grant.method);
  // Another refresh token could end the authorization.
  const { refresh: _, ...withoutRefresh } = method ?? kind.authMethods[0];
  const secrets = method === undefined ? [] : secretFieldsOf(method);
  const { value } = createReplacer({ values: secrets, ownWords: new Set(), hosts: [], nowMs });
  const wrong = secrets.map(name => {
    const secret = textOf(grant.credentials[name] ?? 'secret');
    return [
      name,
      secret.replace(secretWord, word => (hostWords.has(word) ? word : String(value(word, new Set())))),
    ];
  });
  let response: VendorResponse | null = null;
  const session = openSession({
    kind: { ...kind, authMethods: [withoutRefresh] },
    grant: { ...grant, credentials: { ...grant.credentials, ...Object.fromEntries(wrong) } },
    app,
    nowMs,
    respondToRefresh: transport,
    respond: async (_request, authorized, call) => (response = await transport(authorized, call)),
  });
  await session.check().catch(() => {});
  return response;
}

interface RunOptions extends Pick<RecordOptions, 'params' | 'maxPages'> {
  /** If not undefined, the run ends as soon as a call has another outcome. */
  readonly expected?: readonly string[] | undefined;
}

/** Calls everything that the kind declares, in an order that depends on nothing but the declaration and the responses. */
async function runCalls(
  kind: Kind,
  session: Session,
  { params, maxPages, expected }: RunOptions,
  notes: string[],
): Promise<{ readonly calls: readonly RecordedCall[]; readonly outcomes: readonly string[] }> {
  const calls: RecordedCall[] = [];
  const outcomes: string[] = [];
  const add = (call: RecordedCall, records: readonly unknown[]): void => {
    calls.push(call);
    outcomes.push(outcomeOf(kind, call, records));
    if (expected !== undefined && outcomes.at(-1) !== expected[calls.length - 1])
      throw new Error('The calls differ');
  };
  const attempt = async (name: string, run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ConnectorAuthError)) throw error;
      const details = error.errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
      notes.push(`${name} was not recorded: ${error.message}${details === '' ? '' : ` (${details})`}`);
    }
  };
  await session.check();
  /** Actions that change data run after everything else, which they would change. */
  const changing: (() => Promise<void>)[] = [];
  for (const [entity, { actions, search }] of Object.entries(kind.entities)) {
    let first: unknown;
    await attempt(`${entity}.list`, async () => {
      if (actions.list === undefined) return;
      const given = params[`${entity}.list`] ?? {};
      const { pages, isCut } = await session.list(entity, given, maxPages);
      const records = pages.flat();
      [first] = records;
      add(
        {
          entity,
          action: 'list',
          params: given,
          records: records.length,
          result: first ?? null,
          ...cutAt(pages, isCut),
        },
        records,
      );
    });
    for (const [action, declared] of Object.entries(actions)) {
      if (action === 'list') continue;
      const given = params[`${entity}.${action}`];
      if (!isReading(action) && given === undefined) continue;
      const call = () =>
        attempt(`${entity}.${action}`, async () => {
          const used = given ?? paramsFor(declared.params, asObject(first), search?.primaryKey ?? []);
          const { result } = await session.execute(entity, action, used);
          add({ entity, action, params: used, records: 1, result }, [result]);
        });
      if (isReading(action)) await call();
      else changing.push(call);
    }
    if (search === undefined) continue;
    await attempt(`${entity}.sync`, async () => {
      const starts: (string | null)[] = [null];
      for (const since of starts) {
        const run = await session.sync(entity, { since, position: null }, maxPages);
        const records = run.pages.flatMap(page => page.records);
        const result = records[0] ?? null;
        const cut = cutAt(run.pages, run.isCut);
        add({ entity, action: 'sync', params: { since }, records: records.length, result, ...cut }, records);
        if (since !== null) continue;
        await resume(session, entity, maxPages);
        // The second one also reads what has not changed lately, so that there is something to compare.
        if (search.sync.incremental && run.since !== null) starts.push(run.since, ...earlier(run.since));
      }
    });
  }
  for (const call of changing) await call();
  return { calls, outcomes };
}

function cutAt(pages: readonly unknown[], isCut: boolean): Pick<RecordedCall, 'pages'> {
  return isCut ? { pages: pages.length } : {};
}

/** Interrupts a sync after each page, because it may make other requests when it resumes. */
async function resume(session: Session, entity: string, maxPages: number): Promise<void> {
  let position: unknown = null;
  for (let page = 0; page < maxPages; page++) {
    const run = await session.sync(entity, { since: null, position }, 1);
    position = parseVendorJson(stringifyJson(run.pages[0]?.position ?? null));
    if (position === null) return;
  }
}

/** Returns a time 30 days earlier in the same format, if the text is a time. */
function earlier(since: string): string[] {
  const at = Date.parse(since);
  if (!/^\d{4}-\d\d-\d\d/.test(since) || Number.isNaN(at)) return [];
  return [new Date(at - 30 * 86_400_000).toISOString().slice(0, 10) + since.slice(10)];
}

/** Returns the params that name a record. */
function paramsFor(schema: z.ZodType, record: Params, primaryKey: readonly string[]): Params {
  if (!(schema instanceof z.ZodObject)) return {};
  const id = record[primaryKey.length === 1 ? (primaryKey[0] ?? 'id') : 'id'];
  const required = Object.entries(schema.shape).filter(([, field]) => !z.safeParse(field, undefined).success);
  const params = required.map(([name, field]) => {
    const value = record[name] ?? (required.length === 1 ? id : undefined);
    const isText = value !== undefined && !z.safeParse(field, value).success;
    return [name, isText ? textOf(value) : value];
  });
  // The executor reports those that are missing.
  return Object.fromEntries(params) as Params;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** Returns what must be the same with the replaced values. */
function outcomeOf(kind: Kind, { entity, action, pages }: RecordedCall, records: readonly unknown[]): string {
  const declared = Object.entries(kind.entities[entity]?.actions ?? {}).find(
    ([name]) => name === action,
  )?.[1];
  const isDeclared = (record: unknown): boolean =>
    declared === undefined || declared.record.safeParse(record).success;
  return JSON.stringify([entity, action, pages, records.map(isDeclared)]);
}
