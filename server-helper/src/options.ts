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
import {
  createAllowsOrigin,
  findAllowedOriginIssues,
  type AllowedOrigins,
  type AllowsOrigin,
} from './allowed-origins.ts';

/**
 * Options for the helper, in addition to the options for the client that calls the service. `AppRequest` is the
 * framework's own request.
 */
export interface HelperOptions<AppRequest> extends ClientOptions {
  /**
   * Origins of your pages that embed the widget, exactly as browsers send them, e.g.
   * `['https://app.example.com']`. A `*` as the first label matches any one label, e.g.
   * `https://*.example.com`: use it only if every subdomain is as trustworthy as your own page. A function is
   * called with each origin.
   */
  allowedOrigins: AllowedOrigins;
  /**
   * Returns the name of the signed-in customer, or null if no one is signed in. Read it from your session,
   * never from anything else in the request. If it throws, the response is 500.
   */
  resolveCustomer: (request: AppRequest) => string | null | undefined | Promise<string | null | undefined>;
  /** Actions that the browser can execute. Default: the read-only `list`, `get`, `search` and `check`. */
  allowedActions?: readonly ActionName[] | undefined;
  /**
   * What the widget can change: any of `create`, `rename`, `reconnect`, `delete`, `settings` and `link`, or nothing
   * if empty. Default: all except `link`.
   */
  allowedManagement?: readonly ManagementRight[] | undefined;
  /** Connector kinds that the customer can see and connect, e.g. `['granola']`. Default: all of them. */
  allowedSources?: readonly KindName[] | undefined;
  /** Data that the browser can read in addition: `private_fields`. Default: none. */
  allowedData?: ClientOptions['allowedData'];
  /**
   * `read` makes the service reject `create` and `update` for the connectors that users connect, so that the widget can
   * say that nothing is changed. Default: `write`.
   */
  access?: AccessLevel | undefined;
  /**
   * Settings of the connectors that users connect, by connector kind, e.g.
   * `{ 'google-ads': { conversion_window_days: 30 } }`. They are encrypted in the token, and pages cannot set them. The
   * service validates them with each token.
   */
  replicationDefaults?: ReplicationDefaults | undefined;
  /**
   * Returns the URL of your sign-in page, for a person who opens a connect link without being signed in. After signing
   * in, the page redirects to `returnTo`, a path on your own host, e.g.
   * `returnTo => '/login?next=' + encodeURIComponent(returnTo)`. Default: a page that asks to sign in and open the link
   * again.
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

/** Settings by connector kind. */
export type ReplicationDefaults = Readonly<Partial<Record<KindName, Readonly<Record<string, unknown>>>>>;

/** Whom a widget token was issued to. */
export interface IssuedToken {
  readonly customer: string;
  readonly origin: string;
}

export interface Settings<AppRequest> {
  readonly client: ClientOptions;
  /** Without a trailing slash. */
  readonly serviceUrl: string;
  readonly allowsOrigin: AllowsOrigin;
  readonly resolveCustomer: HelperOptions<AppRequest>['resolveCustomer'];
  readonly signInUrl: HelperOptions<AppRequest>['signInUrl'];
  readonly onError: HelperOptions<AppRequest>['onError'];
  readonly onToken: HelperOptions<AppRequest>['onToken'];
  readonly allowsDelete: boolean;
  readonly widgetLimits: TokenLimits;
  /** The helper's own tokens have no right that it does not use. */
  readonly ownLimits: TokenLimits;
}

/** @throws TypeError that lists every invalid option. */
export function parseOptions<AppRequest>(options: HelperOptions<AppRequest>): Settings<AppRequest> {
  // Callers in plain JavaScript can pass anything.
  const input: unknown = options;
  if (typeof input !== 'object' || input === null) {
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
    ...client
  } = options;
  const issues = [
    ...findClientOptionIssues({ ...client, allowedData }),
    ...findAllowedOriginIssues(allowedOrigins),
    ...customerIssues(resolveCustomer),
    ...actionIssues(allowedActions),
    ...managementIssues(allowedManagement),
    ...sourceIssues(allowedSources),
    ...accessIssues(access),
    ...defaultsIssues(replicationDefaults),
    ...functionIssues('signInUrl', signInUrl),
    ...serviceUrlIssues(serviceUrl),
    ...functionIssues('onError', onError),
    ...functionIssues('onToken', onToken),
  ];
  if (issues.length > 0) throw optionsError('connectorAuth', issues);
  const limits = {
    ...(allowedActions === undefined ? {} : { allowed_actions: [...allowedActions] }),
    ...(allowedSources === undefined ? {} : { allowed_sources: [...allowedSources] }),
    ...(allowedData === undefined ? {} : { allowed_data: [...allowedData] }),
  };
  const allowsDelete = allowedManagement?.includes('delete') ?? true;
  return {
    client,
    serviceUrl: (serviceUrl ?? client.baseUrl).replace(/\/+$/, ''),
    allowsOrigin: createAllowsOrigin(allowedOrigins),
    resolveCustomer,
    signInUrl,
    onError,
    onToken,
    allowsDelete,
    widgetLimits: {
      ...limits,
      ...(allowedManagement === undefined ? {} : { allowed_management: [...allowedManagement] }),
      ...(access === undefined ? {} : { access }),
      ...(replicationDefaults === undefined ? {} : { replication_defaults: { ...replicationDefaults } }),
    },
    ownLimits: { ...limits, allowed_management: allowsDelete ? ['delete'] : [] },
  };
}

function customerIssues(resolveCustomer: unknown): Issue[] {
  if (typeof resolveCustomer === 'function') return [];
  return [
    {
      path: 'resolveCustomer',
      message:
        'Must be a function that returns the signed-in customer, e.g. req => req.session.customer ?? null',
    },
  ];
}

function actionIssues(actions: unknown): Issue[] {
  const known: readonly unknown[] = actionNames;
  if (actions === undefined || (isFilledArray(actions) && actions.every(action => known.includes(action))))
    return [];
  return [{ path: 'allowedActions', message: `Must list one or more of: ${actionNames.join(', ')}` }];
}

function managementIssues(rights: unknown): Issue[] {
  const known: readonly unknown[] = managementRights;
  if (rights === undefined || (Array.isArray(rights) && rights.every(right => known.includes(right))))
    return [];
  return [{ path: 'allowedManagement', message: `Must list any of: ${managementRights.join(', ')}` }];
}

function sourceIssues(sources: unknown): Issue[] {
  const named =
    isFilledArray(sources) && sources.every(source => typeof source === 'string' && source !== '');
  if (sources === undefined || named) return [];
  return [
    {
      path: 'allowedSources',
      message: 'Must list one or more connector kinds; omit it to allow all',
    },
  ];
}

function accessIssues(access: unknown): Issue[] {
  const known: readonly unknown[] = accessLevel.options;
  if (access === undefined || known.includes(access)) return [];
  return [{ path: 'access', message: `Must be one of: ${accessLevel.options.join(', ')}` }];
}

function defaultsIssues(defaults: unknown): Issue[] {
  if (defaults === undefined) return [];
  if (!isPlainObject(defaults)) {
    const message =
      'Must be an object with an object of settings for each connector kind, e.g. { kind: { setting: 1 } }';
    return [{ path: 'replicationDefaults', message }];
  }
  return Object.entries(defaults).flatMap(([kind, settings]) =>
    isPlainObject(settings)
      ? []
      : [{ path: `replicationDefaults.${kind}`, message: 'Must be an object with settings' }],
  );
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Validates the public URL by the same rules as `baseUrl`. */
function serviceUrlIssues(serviceUrl: unknown): Issue[] {
  if (serviceUrl === undefined) return [];
  const asBaseUrl = { baseUrl: serviceUrl, clientId: 'x', clientSecret: 'x' };
  return findClientOptionIssues(asBaseUrl).map(({ message }) => ({ path: 'serviceUrl', message }));
}

function functionIssues(path: keyof HelperOptions<never>, given: unknown): Issue[] {
  return given === undefined || typeof given === 'function' ? [] : [{ path, message: 'Must be a function' }];
}

function isFilledArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}
