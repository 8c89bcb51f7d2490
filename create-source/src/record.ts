import { randomUUID } from 'node:crypto';
import { ConnectorAuthError, parseVendorJson, stringifyJson } from '@connector-auth/api';
import {
  isReading,
  secretsOf,
  type Grant,
  type Kind,
  type OAuthApp,
  type Transport,
  type VendorResponse,
} from '@connector-auth/connectors/kind';
import { z } from 'zod';
import { appFor, grantOf, secretFieldsOf, tokenResponse } from './player.ts';
import {
  keyOf,
  requestOf,
  responseOf,
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
  /** The responses in the order in which the kind asked for them. */
  const order: Received[] = [];
  const oneAtATime = serial();
  const session = openSession({
    kind,
    grant,
    app,
    nowMs,
    clock: { now: () => Date.now(), sleep: ms => new Promise(resolve => setTimeout(resolve, ms)) },
    respondToRefresh: transport,
    respond: (request, authorized, call) =>
      oneAtATime(async () => {
        const asked = requestOf(request);
        const known = received.get(keyOf(asked));
        const response = known?.response ?? (await transport(authorized, call));
        if (isTransient(kind, response, grant)) return response;
        const got = known ?? { request: asked, response, readHeaders: new Set<string>() };
        if (known === undefined) options.onResponse?.(asked, response);
        received.set(keyOf(asked), got);
        order.push(got);
        return { ...response, headers: watched(response.headers, got.readHeaders) };
      }),
  });
  const notes: string[] = [];
  const { calls, outcomes } = await runCalls(kind, session, options, notes);
  const rejection = await reject(options);
  const secrets = [...secretsOf(kind, grant, app), ...secretsOf(kind, await readGrant(session), app)];
  // The same for all attempts, and not stored.
  const key = randomUUID();
  const words = new Map<string, string>();
  const bodies = [...order.map(({ response }) => response.body), rejection?.body];
  /** What is replaced: also what the developer has set. */
  const values = [...bodies, grant.settings, ...Object.values(options.params)];

  async function replace(kept: readonly string[]): Promise<Recording | null> {
    const replacer = createReplacer({
      key,
      words,
      kept: new Set(kept),
      bodies: values,
      paths: order.map(({ request }) => new URL(request.url).pathname),
      hosts: kind.hosts,
      nowMs,
    });
    const recorded = await replay(options, { order, outcomes, replacer, kept, rejection }).catch(() => null);
    if (recorded === null || recorded.calls.length !== calls.length) return null;
    const { rejection: replaced } = recorded;
    const failureOf = (response: VendorResponse) => kind.readFailure(response, nowMs, grant)?.kind;
    const isOther =
      rejection !== null && replaced && failureOf(rejection) !== failureOf(responseOf(replaced));
    if (isOther) return null;
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

/** Runs one function after the other. */
function serial(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return run => {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  };
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

async function readGrant(session: Session): Promise<Grant> {
  return (await session.vendor()).grant;
}

/**
 * Runs the kind on the replaced responses, in the order in which it received them. Its requests are then those that it makes of
 * the replaced values, so they need no replacement of their own.
 */
async function replay(
  options: RecordOptions,
  { order, outcomes: expected, replacer, kept, rejection }: Replayed,
): Promise<Recording> {
  const { kind, grant, origin } = options;
  const secret = new Set(kind.authMethods.filter(({ id }) => id === grant.method).flatMap(secretFieldsOf));
  const open = Object.entries(grant.credentials).filter(([name]) => !secret.has(name));
  const replaced = (value: unknown): unknown =>
    value === undefined ? undefined : parseVendorJson(stringifyJson(replacer.value(value)));
  // Replacing keeps the shape of a value.
  const replacedParams = (params: Params): Params => replaced(params) as Params;
  const base = {
    format: 1,
    kind: kind.key,
    origin,
    now: new Date(options.nowMs + replacer.shiftMs).toISOString(),
    method: grant.method,
    credentials: replacedParams(Object.fromEntries(open)),
    settings: replacedParams(grant.settings),
    kept: [...kept].sort(),
  } as const;
  const exchanges = new Map<string, Exchange>();
  const stored = new Map<Received, Exchange['response']>();
  let index = 0;
  let refreshes = 0;
  const oneAtATime = serial();
  const session = openSession({
    kind,
    grant: grantOf(kind, base),
    app: appFor(kind),
    nowMs: Date.parse(base.now),
    respondToRefresh: () => Promise.resolve(tokenResponse(++refreshes)),
    respond: request =>
      oneAtATime(() => {
        const got = order[index++];
        const asked = requestOf(request);
        if (got === undefined || asked.method !== got.request.method) throw new Error('The requests differ');
        const response = stored.get(got) ?? storedResponse(got, replacer, replaced);
        stored.set(got, response);
        exchanges.set(keyOf(asked), { request: asked, response });
        return Promise.resolve(responseOf(structuredClone(response)));
      }),
  });
  const params = Object.fromEntries(
    Object.entries(options.params).map(([call, values]) => [call, replacedParams(values)]),
  );
  const { calls } = await runCalls(kind, session, { ...options, params, expected }, []);
  return {
    ...base,
    calls: [...calls],
    exchanges: [...exchanges.values()],
    ...(rejection !== null && {
      rejection: { status: rejection.status, headers: {}, body: replaced(rejection.body) },
    }),
  };
}

interface Replayed {
  readonly order: readonly Received[];
  /** With the vendor's values. */
  readonly outcomes: readonly string[];
  readonly replacer: Replacer;
  readonly kept: readonly string[];
  readonly rejection: VendorResponse | null;
}

function storedResponse(
  { response: { status, headers, body }, readHeaders }: Received,
  replacer: Replacer,
  replaced: (value: unknown) => unknown,
): Exchange['response'] {
  const read = Object.entries(headers).filter(([name]) => readHeaders.has(name));
  // The words of a `Link` header are structure.
  const values = read.map(([name, value]) => [name, replacer.value(value, name)]);
  return { status, headers: Object.fromEntries(values) as Record<string, string>, body: replaced(body) };
}

/** Sends a request that only reads, with credentials that are wrong. */
async function reject({ kind, grant, app, transport, nowMs }: RecordOptions): Promise<VendorResponse | null> {
  const method = kind.authMethods.find(({ id }) => id === grant.method);
  // Another refresh token could end the authorization.
  const { refresh: _, ...withoutRefresh } = method ?? kind.authMethods[0];
  const secrets = method === undefined ? [] : secretFieldsOf(method);
  const wrong = secrets.map(name => [name, wrongSecret(textOf(grant.credentials[name] ?? 'secret'))]);
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

/** Returns another secret of the same form. */
function wrongSecret(secret: string): string {
  return Array.from(secret, character => {
    if (/\d/.test(character)) return String((Number(character) + 5) % 10);
    return /[a-z]/i.test(character) ? (/[a-m]/i.test(character) ? 'n' : 'a') : character;
  }).join('');
}

interface RunOptions extends Pick<RecordOptions, 'params' | 'maxPages'> {
  /** If not undefined, the run ends as soon as a call has another outcome. */
  readonly expected?: readonly string[];
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
          const used = given ?? paramsFor(declared.params, asRecord(first), search?.primaryKey ?? []);
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

function asRecord(value: unknown): Params {
  // A record is an object.
  return typeof value === 'object' && value !== null ? (value as Params) : {};
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
