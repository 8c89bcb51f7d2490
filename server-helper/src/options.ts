import {
  accessLevel,
  actionNames,
  managementRights,
  type AccessLevel,
  type ActionName,
  type AgentScope,
  type ConnectorAuthError,
  type ManagementRight,
} from '@connector-auth/api';
import {
  clientOptions,
  parseOptions,
  type ClientOptions,
  type TokenLimits,
} from '@connector-auth/api/client';
import { z } from 'zod';
import { allowedOrigins, type AllowedOrigins, type AllowsOrigin } from './allowed-origins.ts';
import type { ReceivedEvent } from './webhook.ts';

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
  resolveCustomer: (request: AppRequest) => ResolvedCustomer | Promise<ResolvedCustomer>;
  /**
   * Returns the signed-in person of a customer, with an id that stays the same, or null if this person may not allow agents to
   * use the customer's data. Required for agents. With it, links that an agent has requested work only for its person.
   */
  resolveUser?:
    | ((
        request: AppRequest,
        customer: NamedCustomer,
      ) => ResolvedUser | null | undefined | Promise<ResolvedUser | null | undefined>)
    | undefined;
  /** Actions that the browser can execute. Default: the read-only `list`, `get`, `search` and `check`. */
  allowedActions?: readonly ActionName[] | undefined;
  /** What the widget can change, or nothing if empty. Default: all except `link`. */
  allowedManagement?: readonly ManagementRight[] | undefined;
  /** Connector kinds that the customer can see and connect, e.g. `['granola']`. Default: all of them. */
  allowedSources?: readonly string[] | undefined;
  /** `read` makes the service reject `create` and `update` for connectors that users connect. Default: `write`. */
  access?: AccessLevel | undefined;
  /** Settings of the connectors that users connect. The service validates them with each token. */
  replicationDefaults?: ReplicationDefaults | undefined;
  /**
   * Returns the URL of your sign-in page, for a person who opens a connect link, or allows an agent, without being signed in. After signing
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
  /**
   * The secret of the webhook whose URL is the route `events`, or several while you replace it. Required with
   * `onEvent`.
   */
  webhookSecret?: string | readonly string[] | undefined;
  /**
   * Called with each event, after its signature was verified. If it throws or rejects, the service sends the event again
   * later. Each event can arrive more than once, with the same `id`.
   */
  onEvent?: ((event: ReceivedEvent) => unknown) | undefined;
  /** Called after each widget token, e.g. for your audit log. It never gets the token. */
  onToken?: ((issued: IssuedToken) => unknown) | undefined;
}

/** The signed-in customer's name, also with the name that people see, or null if no one is signed in. */
export type ResolvedCustomer = string | NamedCustomer | null | undefined;

export interface NamedCustomer {
  /** Your identifier for the customer, which people never see. */
  readonly name: string;
  /** The name that people see, such as the customer's company; at most 80 characters. */
  readonly displayName?: string | undefined;
}

/** A person of a customer. */
export interface ResolvedUser {
  /** Your identifier for the person, which stays the same and which people never see. */
  readonly id: string;
  /** The name that people see; at most 80 characters. */
  readonly name: string;
  /** What the person can allow agents: `read`, `search`, `write` and `connect`. Default: all. */
  readonly scopes?: readonly AgentScope[] | undefined;
}

/** Settings by connector kind, e.g. `{ 'google-ads': { conversion_window_days: 30 } }`. */
export type ReplicationDefaults = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Whom a widget token was issued to. */
export interface IssuedToken {
  readonly customer: string;
  readonly origin: string;
}

/** Valid options, and the limits of tokens that follow from them. */
export interface Settings<AppRequest> extends HelperOptions<AppRequest> {
  readonly client: ClientOptions;
  readonly serviceUrl: string;
  readonly allowsOrigin: AllowsOrigin;
  readonly allowsDelete: boolean;
  readonly widgetLimits: TokenLimits;
  /** The limits of the helper's own tokens, which have no right that it does not use. */
  readonly ownLimits: TokenLimits;
}

/** @throws TypeError that lists every invalid option. */
export function readOptions<AppRequest>(options: HelperOptions<AppRequest>): Settings<AppRequest> {
  const valid = parseOptions('connectorAuth', helperOptions, options);
  const limits = {
    allowed_actions: valid.allowedActions,
    allowed_sources: valid.allowedSources,
    allowed_data: valid.allowedData && [...valid.allowedData],
  };
  const allowsDelete = valid.allowedManagement?.includes('delete') ?? true;
  return {
    ...options,
    // `allowedData` is requested for the tokens of customers only.
    client: clientOptions.omit({ allowedData: true }).strip().parse(options),
    serviceUrl: valid.serviceUrl ?? valid.baseUrl,
    allowsOrigin: valid.allowedOrigins,
    allowsDelete,
    widgetLimits: {
      ...limits,
      allowed_management: valid.allowedManagement,
      access: valid.access,
      replication_defaults: valid.replicationDefaults,
    },
    ownLimits: { ...limits, allowed_management: allowsDelete ? ['delete'] : [] },
  };
}

const callback = z.custom(value => typeof value === 'function', 'Must be a function').optional();

const webhookSecret = z
  .string()
  .startsWith('whsec_', 'Must be the secret of a webhook, which starts with whsec_');

const helperOptions = clientOptions
  .extend({
    allowedOrigins,
    resolveCustomer: z.custom(
      value => typeof value === 'function',
      'Must be a function that returns the signed-in customer, e.g. req => req.session.customer ?? null',
    ),
    resolveUser: callback,
    allowedActions: listOf(z.enum(actionNames), 1, `Must list one or more of: ${actionNames.join(', ')}`),
    allowedManagement: listOf(
      z.enum(managementRights),
      0,
      `Must list any of: ${managementRights.join(', ')}`,
    ),
    allowedSources: listOf(
      z.string().min(1),
      1,
      'Must list one or more connector kinds; omit it to allow all',
    ),
    access: z.enum(accessLevel.options, `Must be one of: ${accessLevel.options.join(', ')}`).optional(),
    replicationDefaults: z
      .record(
        z.string(),
        z.record(z.string(), z.unknown(), 'Must be an object with settings'),
        'Must be an object with an object of settings for each connector kind, e.g. { kind: { setting: 1 } }',
      )
      .optional(),
    signInUrl: callback,
    serviceUrl: clientOptions.shape.baseUrl.optional(),
    webhookSecret: z.union([webhookSecret, z.array(webhookSecret).min(1)]).optional(),
    onEvent: callback,
    onError: callback,
    onToken: callback,
  } satisfies Record<Exclude<keyof HelperOptions<never>, keyof ClientOptions>, z.ZodType>)
  .refine(({ webhookSecret: secret, onEvent }) => (secret === undefined) === (onEvent === undefined), {
    message: 'Set webhookSecret and onEvent together',
    path: ['onEvent'],
  });

/** An optional list. All of its issues have one message. */
function listOf<Item>(item: z.ZodType<Item>, minLength: number, message: string) {
  const list = z.array(item).min(minLength);
  return z
    .custom<readonly Item[]>(value => list.safeParse(value).success, message)
    .transform(items => [...items])
    .optional();
}
