import {
  actionNames,
  managementRights,
  parseOrigin,
  type ActionName,
  type Issue,
  type ManagementRight,
} from '@connector-auth/api';
import { findClientOptionIssues, optionsError, type ClientOptions } from '@connector-auth/api/client';
import type { Request } from 'express';

/** Options for {@link connectorAuth}, in addition to the options for the client that calls the service. */
export interface ConnectorAuthOptions extends ClientOptions {
  /**
   * Origins of your pages that embed the widget, exactly as browsers send them, e.g.
   * `['https://app.example.com']`.
   */
  allowedOrigins: readonly string[];
  /**
   * Returns the name of the signed-in customer, or null if no one is signed in. Read it from your session,
   * never from anything else in the request. Errors that it throws are passed to your error handler.
   */
  resolveCustomer: (request: Request) => string | null | undefined | Promise<string | null | undefined>;
  /** Actions that the browser can execute. Default: the read-only `list`, `get`, `search` and `check`. */
  allowedActions?: readonly ActionName[] | undefined;
  /**
   * What the widget can change: any of `create`, `rename`, `reconnect`, `delete`, `settings` and `link`, or nothing
   * if empty. Default: all except `link`.
   */
  allowedManagement?: readonly ManagementRight[] | undefined;
  /** Connector kinds that the customer can see and connect, e.g. `['granola']`. Default: all of them. */
  allowedSources?: readonly string[] | undefined;
  /** The service's public URL, if browsers cannot reach it at `baseUrl`. */
  serviceUrl?: string | undefined;
}

export interface Settings {
  readonly client: ClientOptions;
  /** Without a trailing slash. */
  readonly serviceUrl: string;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly resolveCustomer: ConnectorAuthOptions['resolveCustomer'];
  /** For widget tokens only: the router itself changes nothing. */
  readonly management: { allowed_management?: ManagementRight[] };
  readonly limits: { allowed_actions?: ActionName[]; allowed_sources?: string[] };
}

/** @throws TypeError that lists every invalid option. */
export function parseOptions(options: ConnectorAuthOptions): Settings {
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
    serviceUrl,
    ...client
  } = options;
  const issues = [
    ...findClientOptionIssues(client),
    ...originIssues(allowedOrigins),
    ...customerIssues(resolveCustomer),
    ...actionIssues(allowedActions),
    ...managementIssues(allowedManagement),
    ...sourceIssues(allowedSources),
    ...serviceUrlIssues(serviceUrl),
  ];
  if (issues.length > 0) throw optionsError('connectorAuth', issues);
  return {
    client,
    serviceUrl: (serviceUrl ?? client.baseUrl).replace(/\/+$/, ''),
    allowedOrigins: new Set(allowedOrigins.map(text => parseOrigin(text) ?? text)),
    resolveCustomer,
    management: allowedManagement === undefined ? {} : { allowed_management: [...allowedManagement] },
    limits: {
      ...(allowedActions === undefined ? {} : { allowed_actions: [...allowedActions] }),
      ...(allowedSources === undefined ? {} : { allowed_sources: [...allowedSources] }),
    },
  };
}

function originIssues(origins: unknown): Issue[] {
  if (!isFilledArray(origins)) {
    return [
      { path: 'allowedOrigins', message: "Must list your pages' origins, e.g. ['https://app.example.com']" },
    ];
  }
  return origins.flatMap((origin, index) =>
    typeof origin === 'string' && parseOrigin(origin) !== null
      ? []
      : [
          {
            path: `allowedOrigins.${index}`,
            message:
              'Must be https://host[:port], or http on localhost, without path, wildcard or trailing slash',
          },
        ],
  );
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

/** Validates the public URL by the same rules as `baseUrl`. */
function serviceUrlIssues(serviceUrl: unknown): Issue[] {
  if (serviceUrl === undefined) return [];
  const asBaseUrl = { baseUrl: serviceUrl, clientId: 'x', clientSecret: 'x' };
  return findClientOptionIssues(asBaseUrl).map(({ message }) => ({ path: 'serviceUrl', message }));
}

function isFilledArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}
