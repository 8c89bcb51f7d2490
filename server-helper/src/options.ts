import { actionNames, parseOrigin, type ActionName, type Issue } from '@connector-auth/api';
import { findClientOptionIssues, optionsError, type ClientOptions } from '@connector-auth/api/client';
import type { Request } from 'express';

/** Options of {@link connectorAuth}: those of the client it calls the service with, and these. */
export interface ConnectorAuthOptions extends ClientOptions {
  /** Origins of your pages that hold the widget, e.g. `['https://app.example.com']`, exactly as the browser sends them. */
  allowedOrigins: readonly string[];
  /**
   * Who is signed in: the name you call this customer by, or null when nobody is. Read it from your session and from
   * nothing else the browser can choose. What it throws goes to your error handler.
   */
  resolveCustomer: (request: Request) => string | null | undefined | Promise<string | null | undefined>;
  /** What the browser may do: by default the reading actions `list`, `get`, `search` and `check`. */
  allowedActions?: readonly ActionName[] | undefined;
  /** Kinds of source the customer may see and connect, e.g. `['granola']`; all when absent. */
  allowedSources?: readonly string[] | undefined;
  /** The service's address as browsers reach it, where that is not `baseUrl`. */
  serviceUrl?: string | undefined;
}

/** Options that were checked and taken apart. */
export interface Settings {
  readonly client: ClientOptions;
  /** Without a slash at the end. */
  readonly serviceUrl: string;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly resolveCustomer: ConnectorAuthOptions['resolveCustomer'];
  readonly limits: { allowed_actions?: ActionName[]; allowed_sources?: string[] };
}

/** @throws TypeError naming every option that is wrong, and what to write. */
export function parseOptions(options: ConnectorAuthOptions): Settings {
  // Callers in plain JavaScript may give anything at all.
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw optionsError('connectorAuth', [{ path: '', message: 'Must be an object' }]);
  }
  const { allowedOrigins, resolveCustomer, allowedActions, allowedSources, serviceUrl, ...client } = options;
  const issues = [
    ...findClientOptionIssues(client),
    ...originIssues(allowedOrigins),
    ...customerIssues(resolveCustomer),
    ...actionIssues(allowedActions),
    ...sourceIssues(allowedSources),
    ...serviceUrlIssues(serviceUrl),
  ];
  if (issues.length > 0) throw optionsError('connectorAuth', issues);
  return {
    client,
    serviceUrl: (serviceUrl ?? client.baseUrl).replace(/\/+$/, ''),
    allowedOrigins: new Set(allowedOrigins.map(text => parseOrigin(text) ?? text)),
    resolveCustomer,
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

function sourceIssues(sources: unknown): Issue[] {
  const named =
    isFilledArray(sources) && sources.every(source => typeof source === 'string' && source !== '');
  if (sources === undefined || named) return [];
  return [
    {
      path: 'allowedSources',
      message: "Must list connector kinds, e.g. ['granola']; omit it to allow all",
    },
  ];
}

/** The service's public address obeys the same rules as the one this backend uses. */
function serviceUrlIssues(serviceUrl: unknown): Issue[] {
  if (serviceUrl === undefined) return [];
  const asBaseUrl = { baseUrl: serviceUrl, clientId: 'x', clientSecret: 'x' };
  return findClientOptionIssues(asBaseUrl).map(({ message }) => ({ path: 'serviceUrl', message }));
}

function isFilledArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}
