import {
  accessLevel,
  actionNames,
  managementRights,
  type AccessLevel,
  type ActionName,
  type ConnectorAuthError,
  type Issue,
  type KindName,
  type ManagementRight,
} from '@connector-auth/api';
import {
  findClientOptionIssues,
  optionsError,
  type ClientOptions,
  type TokenLimits,
} from '@connector-auth/api/client';
import { createAllowsOrigin, findAllowedOriginIssues, type AllowedOrigins } from './allowed-origins.ts';

/**
 * Options for the helper, in addition to the options for the client that calls the service. `AppRequest` is the
 * framework's own request. The README explains each of them.
 */
export interface HelperOptions<AppRequest> extends ClientOptions {
  /** The pages that embed the widget, e.g. `['https://app.example.com']`. */
  allowedOrigins: AllowedOrigins;
  /**
   * Returns the name of the signed-in customer, or null if no one is signed in. Read it from your session,
   * never from anything else in the request. If it throws, the response is 500.
   */
  resolveCustomer: (request: AppRequest) => string | null | undefined | Promise<string | null | undefined>;
  /** Actions that the browser can execute. Default: the read-only `list`, `get`, `search` and `check`. */
  allowedActions?: readonly ActionName[] | undefined;
  /** What the widget can change, or nothing if empty. Default: all except `link`. */
  allowedManagement?: readonly ManagementRight[] | undefined;
  /** Connector kinds that the customer can see and connect, e.g. `['granola']`. Default: all of them. */
  allowedSources?: readonly KindName[] | undefined;
  /** `read` makes the service reject `create` and `update` for connectors that users connect. Default: `write`. */
  access?: AccessLevel | undefined;
  /** Settings of the connectors that users connect. The service validates them with each token. */
  replicationDefaults?: ReplicationDefaults | undefined;
  /**
   * Returns the URL of your sign-in page, for a person who opens a connect link without being signed in. After signing
   * in, the page redirects to `returnTo`, a path on your own host. Default: a page that asks to sign in and open the
   * link again.
   */
  signInUrl?: ((returnTo: string) => string | Promise<string>) | undefined;
  /** The service's public URL, if browsers cannot reach it at `baseUrl`. */
  serviceUrl?: string | undefined;
  /**
   * Called with each error that the helper itself responds with, not with forwarded errors of the service. If
   * one of your functions threw, `problem.cause` is what it threw. Default: `console.error` for those, and for
   * problems with a status of 500 or more.
   */
  onError?: ((problem: ConnectorAuthError, request: AppRequest) => unknown) | undefined;
  /** Called after each widget token, e.g. for your audit log. It never gets the token. */
  onToken?: ((issued: IssuedToken) => unknown) | undefined;
}

/** Settings by connector kind, e.g. `{ 'google-ads': { conversion_window_days: 30 } }`. */
export type ReplicationDefaults = Readonly<Partial<Record<KindName, Readonly<Record<string, unknown>>>>>;

/** Whom a widget token was issued to. */
export interface IssuedToken {
  readonly customer: string;
  readonly origin: string;
}

/** @throws TypeError that lists every invalid option. */
export function parseOptions<AppRequest>(options: HelperOptions<AppRequest>) {
  // Callers in plain JavaScript can pass anything.
  const input: unknown = options;
  if (!isPlainObject(input)) {
    throw optionsError('connectorAuth', [{ path: '', message: 'Must be an object' }]);
  }
  const {
    allowedOrigins,
    resolveCustomer,
    allowedActions,
    allowedManagement,
    allowedSources,
    allowedData,
    access,
    replicationDefaults,
    signInUrl,
    serviceUrl,
    onError,
    onToken,
    ...rest
  } = options;
  const client: ClientOptions = rest;
  const issues = [
    ...findClientOptionIssues({ ...client, allowedData }),
    ...findAllowedOriginIssues(allowedOrigins),
    ...must(
      isFunction,
      'Must be a function that returns the signed-in customer, e.g. req => req.session.customer ?? null',
    )(resolveCustomer, 'resolveCustomer'),
    ...Object.entries(rules).flatMap(([name, findIssues]) =>
      input[name] === undefined ? [] : findIssues(input[name], name),
    ),
  ];
  if (issues.length > 0) throw optionsError('connectorAuth', issues);
  const limits = {
    allowed_actions: allowedActions && [...allowedActions],
    allowed_sources: allowedSources && [...allowedSources],
    allowed_data: allowedData && [...allowedData],
  };
  const allowsDelete = allowedManagement?.includes('delete') ?? true;
  const widgetLimits: TokenLimits = {
    ...limits,
    allowed_management: allowedManagement && [...allowedManagement],
    access,
    replication_defaults: replicationDefaults && { ...replicationDefaults },
  };
  /** The helper's own tokens have no right that it does not use. */
  const ownLimits: TokenLimits = { ...limits, allowed_management: allowsDelete ? ['delete'] : [] };
  return {
    client,
    serviceUrl: (serviceUrl ?? client.baseUrl).replace(/\/+$/, ''),
    allowsOrigin: createAllowsOrigin(allowedOrigins),
    resolveCustomer,
    signInUrl,
    onError,
    onToken,
    allowsDelete,
    widgetLimits,
    ownLimits,
  };
}

type Rule = (value: unknown, path: string) => Issue[];

/** The options with a default. Each rule returns the issues with a value that is not undefined. */
const rules: Readonly<Record<OptionalName, Rule>> = {
  allowedActions: must(
    isListOf(isOneOf(actionNames), 1),
    `Must list one or more of: ${actionNames.join(', ')}`,
  ),
  allowedManagement: must(
    isListOf(isOneOf(managementRights)),
    `Must list any of: ${managementRights.join(', ')}`,
  ),
  allowedSources: must(
    isListOf(isFilledText, 1),
    'Must list one or more connector kinds; omit it to allow all',
  ),
  access: must(isOneOf(accessLevel.options), `Must be one of: ${accessLevel.options.join(', ')}`),
  replicationDefaults: (defaults, path) => [
    ...must(
      isPlainObject,
      'Must be an object with an object of settings for each connector kind, e.g. { kind: { setting: 1 } }',
    )(defaults, path),
    ...Object.entries(isPlainObject(defaults) ? defaults : {}).flatMap(([kind, settings]) =>
      must(isPlainObject, 'Must be an object with settings')(settings, `${path}.${kind}`),
    ),
  ],
  signInUrl: must(isFunction, 'Must be a function'),
  // The public URL has the rules of `baseUrl`.
  serviceUrl: (baseUrl, path) =>
    findClientOptionIssues({ baseUrl, clientId: 'x', clientSecret: 'x' }).map(issue => ({ ...issue, path })),
  onError: must(isFunction, 'Must be a function'),
  onToken: must(isFunction, 'Must be a function'),
};

type OptionalName = Exclude<
  keyof HelperOptions<never>,
  keyof ClientOptions | 'allowedOrigins' | 'resolveCustomer'
>;

function must(isValid: (value: unknown) => boolean, message: string): Rule {
  return (value, path) => (isValid(value) ? [] : [{ path, message }]);
}

function isListOf(isItem: (value: unknown) => boolean, minLength = 0): (value: unknown) => boolean {
  return value => Array.isArray(value) && value.length >= minLength && value.every(isItem);
}

function isOneOf(names: readonly unknown[]): (value: unknown) => boolean {
  return value => names.includes(value);
}

function isFilledText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
