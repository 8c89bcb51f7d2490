import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { systemClock, type Clock } from '../clock.ts';
import { uuid } from '../contract/names.ts';
import { validate } from '../issues.ts';
import type { Issue } from '../problem.ts';
import type { Connection } from './sender.ts';

/** Where the service is, and how to call it. */
export interface ConnectionOptions {
  /** The service's address, e.g. `https://connectors.example.com`; a path prefix is kept. */
  baseUrl: string;
  /** Required when the application belongs to several organizations. */
  organizationId?: string | undefined;
  /** What one call may take, repeats included: 1 ms to a day; 70 seconds when absent. */
  timeoutMs?: number | undefined;
  /** An undici dispatcher, e.g. a `ProxyAgent`; undici's global one when absent. */
  dispatcher?: Dispatcher | undefined;
  /** Put before the client's own name in `User-Agent`. */
  userAgent?: string | undefined;
  /** For tests. */
  clock?: Clock | undefined;
  /** For tests: gives a number from 0 to just under 1. */
  random?: (() => number) | undefined;
}

/** Options of a client for a whole organization, which gets and renews its application token itself. */
export interface ClientOptions extends ConnectionOptions {
  clientId: string;
  /** Stays in this process: it is in no message, error or log. */
  clientSecret: string;
}

/** Options of a client for one customer, with a scoped token that somebody else minted. */
export interface CustomerClientOptions extends ConnectionOptions {
  token: string;
}

const clientName = 'connector-auth-client';
/** Longer than the minute in which the service gives up on a vendor: it says more than we could. */
const defaultTimeoutMs = 70_000;

const timeoutMessage = 'Must be a whole number of milliseconds from 1 to 86400000';
/** A time limit: 1 ms to a day. */
export const timeoutMs = z
  .int(timeoutMessage)
  .min(1, timeoutMessage)
  .max(86_400_000, timeoutMessage)
  .optional();

const baseUrlMessage = "Must be the service's URL, e.g. https://connectors.example.com";
const headerText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const connectionOptions = z.strictObject({
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
  dispatcher: z.custom<Dispatcher>(hasDispatch, 'Must be an undici Dispatcher, e.g. new Agent()').optional(),
  userAgent: z.string().regex(headerText, 'Must be printable ASCII characters').optional(),
  clock: z.custom<Clock>(value => isObject(value), 'Must be an object with now() and sleep()').optional(),
  random: z.custom<() => number>(value => typeof value === 'function', 'Must be a function').optional(),
});

const clientOptions = connectionOptions.extend({
  clientId: z
    .string('Must be the client id of your application')
    .min(1, 'Must be the client id of your application'),
  clientSecret: z
    .string('Must be the client secret of your application')
    .min(1, 'Must be the client secret of your application'),
});

const customerClientOptions = connectionOptions.extend({
  token: z
    .string('Must be a scoped token')
    .regex(/^[\x21-\x7e]+$/, 'Must be a scoped token, without white space'),
});

/** What is wrong with the options of a client; empty when nothing is. */
export function findClientOptionIssues(options: unknown): Issue[] {
  const result = validate(clientOptions, options);
  return result.ok ? [] : result.issues;
}

/** @throws TypeError naming every option that is wrong, and what to write. */
export function parseClientOptions(options: unknown) {
  const { clientId, clientSecret, ...rest } = parse('createClient', clientOptions, options);
  return { clientId, clientSecret, connection: connectionOf(rest) };
}

/** @throws TypeError naming every option that is wrong, and what to write. */
export function parseCustomerClientOptions(options: unknown) {
  const { token, ...rest } = parse('createCustomerClient', customerClientOptions, options);
  return { token, connection: connectionOf(rest) };
}

function parse<Schema extends z.ZodType>(
  functionName: string,
  schema: Schema,
  options: unknown,
): z.output<Schema> {
  const result = validate(schema, options);
  if (!result.ok) throw optionsError(functionName, result.issues);
  return result.value;
}

/** The error for options that are wrong: all of them in one message. */
export function optionsError(functionName: string, issues: readonly Issue[]): TypeError {
  const lines = issues.map(({ path, message }) => `  ${path === '' ? 'options' : path}: ${message}`);
  return new TypeError([`Invalid options for ${functionName}():`, ...lines].join('\n'));
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
