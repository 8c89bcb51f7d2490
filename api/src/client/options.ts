import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { systemClock, type Clock } from '../clock.ts';
import { dataRight, dataRights, uuid, type DataRight } from '../contract/names.ts';
import { validate } from '../issues.ts';
import type { Issue } from '../problem.ts';
import type { Connection } from './sender.ts';

export interface ConnectionOptions {
  /** The service's URL, e.g. `https://connectors.example.com`. Can include a path prefix. */
  baseUrl: string;
  /** Required if the application belongs to several organizations. */
  organizationId?: string | undefined;
  /** Time limit for one call, including retries, from 1 ms to one day. Default: 70 seconds. */
  timeoutMs?: number | undefined;
  /** An undici dispatcher, e.g. a `ProxyAgent`. Default: undici's global dispatcher. */
  dispatcher?: Dispatcher | undefined;
  /** Prefix of the `User-Agent` header. */
  userAgent?: string | undefined;
  /** A clock that tests can control. */
  clock?: Clock | undefined;
  /** Returns a number in [0, 1). Replaced in tests. */
  random?: (() => number) | undefined;
}

/** Options for a client that authenticates as an application. */
export interface ClientOptions extends ConnectionOptions {
  clientId: string;
  /** Never included in messages, errors or logs. */
  clientSecret: string;
  /** Data to read in addition: `private_fields`, such as the private notes in Granola. Default: none. */
  allowedData?: readonly DataRight[] | undefined;
}

/** Options for a client for one customer, with an existing scoped token. */
export interface CustomerClientOptions extends ConnectionOptions {
  token: string;
}

const clientName = 'connector-auth-client';
/**
 * Longer than the service's own time limit of one minute for a vendor call, because the service's timeout
 * error contains more detail.
 */
const defaultTimeoutMs = 70_000;

const timeoutMessage = 'Must be a whole number of milliseconds from 1 to 86400000';
export const timeoutMs = z
  .int(timeoutMessage)
  .min(1, timeoutMessage)
  .max(86_400_000, timeoutMessage)
  .optional();

const baseUrlMessage = "Must be the service's URL, e.g. https://connectors.example.com";
const headerText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const connectionOptions = z.strictObject(
  {
    baseUrl: z.string(baseUrlMessage).transform((text, context) => {
      const url = URL.canParse(text) ? new URL(text) : null;
      if (url === null || !/^https?:$/.test(url.protocol)) context.addIssue(baseUrlMessage);
      else if (url.username !== '' || url.password !== '')
        context.addIssue('Must not contain a user name or password');
      else if (/[?#]/.test(text)) context.addIssue('Must not contain a query or fragment');
      return url === null ? '' : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
    }),
    organizationId: uuid.optional(),
    timeoutMs,
    dispatcher: z
      .custom<Dispatcher>(hasDispatch, 'Must be an undici Dispatcher, e.g. new Agent()')
      .optional(),
    userAgent: z.string().regex(headerText, 'Must be printable ASCII characters').optional(),
    clock: z.custom<Clock>(value => isObject(value), 'Must be an object with now() and sleep()').optional(),
    random: z.custom<() => number>(value => typeof value === 'function', 'Must be a function').optional(),
  },
  {
    // The server helper has more options than these, so a list of them would be wrong.
    error: ({ code }) => (code === 'unrecognized_keys' ? 'Unknown field' : undefined),
  },
);

/** The schema of {@link ClientOptions}, which the server helper extends. */
export const clientOptions = connectionOptions.extend({
  clientId: z
    .string('Must be the client id of your application')
    .min(1, 'Must be the client id of your application'),
  clientSecret: z
    .string('Must be the client secret of your application')
    .min(1, 'Must be the client secret of your application'),
  allowedData: z
    .array(dataRight, `Must list any of: ${dataRights.join(', ')}`)
    .readonly()
    .optional(),
});

const customerClientOptions = connectionOptions.extend({
  token: z
    .string('Must be a scoped token')
    .regex(/^[\x21-\x7e]+$/, 'Must be a scoped token, without white space'),
});

/** @throws TypeError that lists every invalid option. */
export function parseClientOptions(options: unknown) {
  const { clientId, clientSecret, allowedData, ...rest } = parseOptions(
    'createClient',
    clientOptions,
    options,
  );
  return { clientId, clientSecret, allowedData, connection: connectionOf(rest) };
}

/** @throws TypeError that lists every invalid option. */
export function parseCustomerClientOptions(options: unknown) {
  const { token, ...rest } = parseOptions('createCustomerClient', customerClientOptions, options);
  return { token, connection: connectionOf(rest) };
}

/**
 * Returns the validated options of one of our functions.
 * @throws TypeError that lists every invalid option.
 */
export function parseOptions<Schema extends z.ZodType>(
  functionName: string,
  schema: Schema,
  options: unknown,
): z.output<Schema> {
  const result = validate(schema, options);
  if (result.ok) return result.value;
  const lines = markEmpty(result.issues, options).map(
    ({ path, message }) => `  ${path === '' ? 'options' : path}: ${message}`,
  );
  throw new TypeError([`Invalid options for ${functionName}():`, ...lines].join('\n'));
}

/** Adds to the issues of empty options that an environment variable may be missing, which is the usual reason. */
function markEmpty(issues: readonly Issue[], options: unknown): Issue[] {
  const values = new Map(isObject(options) ? Object.entries(options) : []);
  return issues.map(({ path, message }) => {
    const isEmpty = values.has(path) && [undefined, ''].includes(values.get(path));
    return { path, message: isEmpty ? `${message}. It is empty: is the environment variable set?` : message };
  });
}

function connectionOf(options: z.output<typeof connectionOptions>): Connection {
  const { userAgent } = options;
  return {
    baseUrl: options.baseUrl,
    organizationId: options.organizationId,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    userAgent: userAgent === undefined ? clientName : `${userAgent} ${clientName}`,
    dispatcher: options.dispatcher,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

function hasDispatch(value: unknown): boolean {
  return isObject(value) && 'dispatch' in value && typeof value.dispatch === 'function';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
