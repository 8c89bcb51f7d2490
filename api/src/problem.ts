import { z } from 'zod';

/** What the documentation says about an error code, in words for developers. */
export interface ProblemDescription {
  readonly status: number;
  readonly title: string;
  /** When the error occurs. */
  readonly cause: string;
  /** What to do about it. */
  readonly repair: string;
  /** The caller's own process reports it; the service never does. */
  readonly isLocal?: true;
}

/**
 * All error codes. Codes are stable.
 *
 * The service sends a {@link ConnectorAuthError} as `application/problem+json` (RFC 9457), and the client
 * turns it back into the same error.
 */
export const problems = {
  malformed_request: {
    status: 400,
    title: 'Invalid request',
    cause:
      'The path, query, headers or body do not match the contract of the endpoint, or the body is not valid JSON.',
    repair:
      'Correct the request: `errors` lists each invalid field. An unknown field is invalid too; its message names the fields that exist.',
  },
  organization_required: {
    status: 400,
    title: 'X-Organization-Id header required',
    cause:
      'The application belongs to several organizations, and the request does not say which one it is for.',
    repair: 'Send `X-Organization-Id`, because the application belongs to several organizations.',
  },
  token_missing: {
    status: 401,
    title: 'Bearer token required',
    cause: 'The request has no `Authorization` header with a bearer token.',
    repair: 'Send `Authorization: Bearer <token>`.',
  },
  token_invalid: {
    status: 401,
    title: 'Invalid token',
    cause: 'The token was not issued by this service, was changed on the way, or was revoked.',
    repair:
      'Get a new token. If new tokens are rejected too, they are from another installation or were revoked.',
  },
  token_expired: {
    status: 401,
    title: 'Token expired',
    cause: 'The lifetime of the token has ended. Tokens are short-lived on purpose.',
    repair: 'Get a new token and repeat the request. The TypeScript client does this for you.',
  },
  not_signed_in: {
    status: 401,
    title: 'Not signed in',
    cause: 'The page asked your backend for a widget token, and your backend found no signed-in customer.',
    repair:
      'Your own token URL found no signed-in customer: `resolveCustomer` returned null. Ask the user to sign in.',
  },
  admin_key_invalid: {
    status: 401,
    title: 'Admin key or session required',
    cause: 'The admin key is unknown or was deleted, or the session of the console has ended.',
    repair: 'For operators: sign in to the console again, or check the admin key.',
  },
  setup_code_invalid: {
    status: 401,
    title: 'The set-up code is invalid, expired or already used',
    cause: 'The set-up code is mistyped, has expired, was used already, or is from before a restart.',
    repair: 'For operators: restart the service to get a new set-up code.',
  },
  client_credentials_invalid: {
    status: 401,
    title: 'Invalid client id or client secret',
    cause: 'No enabled application has this client id and client secret.',
    repair:
      'Check the client id and secret. A deleted or expired secret and a disabled application give the same error.',
  },
  token_kind_not_allowed: {
    status: 403,
    title: 'This endpoint does not accept this kind of token',
    cause:
      'The token is valid, but of a kind that this endpoint does not accept, such as a widget token for an endpoint of backends.',
    repair: 'Use a token that the endpoint accepts; each endpoint lists them.',
  },
  admin_access_insufficient: {
    status: 403,
    title: 'The admin key allows reading only',
    cause: 'The admin key can read, and the request changes something.',
    repair: 'For operators: use an admin key with write access.',
  },
  organization_disabled: {
    status: 403,
    title: 'An operator has disabled the organization',
    cause:
      'An operator has disabled the organization. Its tokens and connectors are rejected until it is enabled again.',
    repair: 'Ask the operator of the service to enable the organization.',
  },
  connector_disabled: {
    status: 403,
    title: 'An operator has disabled the connector',
    cause: 'An operator has disabled this connector.',
    repair: 'Ask the operator of the service to enable the connector.',
  },
  connector_frozen: {
    status: 403,
    title: 'Connections are frozen because of an incident',
    cause: 'An operator declared an incident, which froze this connector.',
    repair: 'Wait until the operator of the service has resolved the incident.',
  },
  connector_unavailable: {
    status: 403,
    title: 'The kind of the connector is not loaded',
    cause: 'The operator has removed the kind of this connector from the service, or has not added it again.',
    repair:
      'Ask the operator of the service to load the kind. The connector keeps its credentials and records.',
  },
  organization_not_allowed: {
    status: 403,
    title: 'The application does not belong to this organization',
    cause: '`X-Organization-Id` names an organization that the application does not belong to.',
    repair: 'Correct `X-Organization-Id`, or ask the operator to give the application access.',
  },
  customer_not_allowed: {
    status: 403,
    title: 'The token belongs to a different customer',
    cause: 'The connector belongs to another customer than the token.',
    repair: "Use a token of the connector's customer.",
  },
  origin_not_allowed: {
    status: 403,
    title: 'Origin not allowed',
    cause: 'A browser sent the token from a page whose origin is not the one for which the token was minted.',
    repair:
      'Call from the page for which the token was minted, and list its origin in `allowedOrigins` of your helper. Application tokens must stay on your server.',
  },
  redirect_url_not_allowed: {
    status: 403,
    title: 'Redirect URL not allowed',
    cause: 'The redirect URL of the consent is not registered for the application.',
    repair:
      'Register the redirect URL for the application, in the console or with `BOOTSTRAP_REDIRECT_URLS`.',
  },
  verifier_wrong: {
    status: 403,
    title: "The verifier does not match the session's challenge",
    cause: 'The session was started with a `challenge`, and the verifier does not belong to it.',
    repair: 'Send the verifier from which the `challenge` of the session was computed.',
  },
  source_not_allowed: {
    status: 403,
    title: 'The token does not allow this source',
    cause: 'The token was minted for some sources, and this is not one of them.',
    repair: 'Mint a token with this source in `allowed_sources`, or use another source.',
  },
  action_not_allowed: {
    status: 403,
    title: 'The token does not allow this action',
    cause:
      'The token was minted for some actions, and this is not one of them, or the connector may only read.',
    repair:
      'Mint a token with this action in `allowed_actions`. `create` and `update` are never included by default. To change data through a connector whose `access` is `read`, the user must reconnect it.',
  },
  management_not_allowed: {
    status: 403,
    title: 'The token does not allow this change',
    cause: 'The token does not have the right to make this change to connectors.',
    repair: 'Mint a token with this right in `allowed_management`.',
  },
  guest_links_not_allowed: {
    status: 403,
    title: 'The organization does not allow links for guests',
    cause:
      'The request creates a link for a guest, which the organization does not allow or the connector cannot have.',
    repair:
      'Set `guest_connect_links` of the organization, in the console or with `PATCH /api/v1/organization`. Widget tokens can create links only for their customer. A guest can only reconnect a connector whose account the vendor reports.',
  },
  vendor_permission_missing: {
    status: 403,
    title: 'The vendor account lacks a required permission',
    cause: 'The vendor recognized the account, and the account may not do this there.',
    repair:
      "Ask the customer to reconnect with an account that has the permission; `vendor.message` is the vendor's own explanation.",
  },
  route_not_found: {
    status: 404,
    title: 'Endpoint not found',
    cause: 'No endpoint has this path.',
    repair: 'Check the path in the [HTTP API](/docs/http).',
  },
  organization_not_found: {
    status: 404,
    title: 'Organization not found',
    cause: 'No organization has this id.',
    repair: 'For operators: check the id of the organization.',
  },
  application_not_found: {
    status: 404,
    title: 'Application not found',
    cause: 'No application has this id.',
    repair: 'For operators: check the id of the application.',
  },
  client_secret_not_found: {
    status: 404,
    title: 'Client secret not found',
    cause: 'The application has no client secret with this id.',
    repair: 'For operators: check the id of the client secret; it may be deleted already.',
  },
  admin_key_not_found: {
    status: 404,
    title: 'Admin key not found',
    cause: 'No admin key has this id.',
    repair: 'For operators: check the id of the admin key.',
  },
  admin_session_not_found: {
    status: 404,
    title: 'Session of the console not found',
    cause: 'The operator has no session of the console with this id.',
    repair: 'For operators: the session has ended, or uses another key. List the sessions again.',
  },
  incident_not_found: {
    status: 404,
    title: 'Incident not found',
    cause: 'No incident has this id.',
    repair: 'For operators: check the id of the incident.',
  },
  definition_not_found: {
    status: 404,
    title: 'Source definition not found',
    cause: 'No source that your organization can use has this id.',
    repair: 'Check the id. The catalog lists the sources that your organization can use.',
  },
  customer_not_found: {
    status: 404,
    title: 'Customer not found',
    cause: 'The organization has no customer with this name.',
    repair: 'Check the name. A customer exists from the first token that was minted for it.',
  },
  connector_not_found: {
    status: 404,
    title: 'Connector not found',
    cause: 'No connector that the token can see has this id. It may have been disconnected.',
    repair: "Check the id. A customer's token finds only that customer's connectors.",
  },
  oauth_session_not_found: {
    status: 404,
    title: 'OAuth session not found',
    cause: 'No OAuth session that the token can see has this id.',
    repair: 'Start a new session; sessions are deleted some time after they end.',
  },
  link_not_found: {
    status: 404,
    title: 'Connect link not found',
    cause: 'No connect link that the token can see has this id.',
    repair: 'Check the id. Links are deleted 30 days after they expire, or with their customer.',
  },
  agent_not_found: {
    status: 404,
    title: 'Agent not found',
    cause: 'No agent that the token can see has this id.',
    repair: 'Check the id. Agents are deleted 30 days after they end, or with their customer.',
  },
  oauth_credentials_not_found: {
    status: 404,
    title: 'The organization has no OAuth app for this kind',
    cause: 'The organization has set no OAuth app of its own for this kind.',
    repair: 'There is nothing to delete: the organization has no OAuth app of its own for this source.',
  },
  webhook_signature_invalid: {
    status: 400,
    title: 'The event is not signed with the secret of the webhook',
    cause:
      'Your backend received a request whose signature does not fit, or that is older than five minutes.',
    repair:
      'Check that `webhookSecret` is the secret of this webhook, that the body is verified unparsed, and that the clock is right.',
    isLocal: true,
  },
  webhook_not_found: {
    status: 404,
    title: 'Webhook not found',
    cause: 'The organization has no webhook with this id.',
    repair: 'Check the id. `GET /api/v1/webhooks` lists the webhooks of the organization.',
  },
  event_not_found: {
    status: 404,
    title: 'Event not found',
    cause: 'The organization has no event with this id, or it was not for this webhook.',
    repair: 'Check the id. Events are kept for 30 days; replay from a time instead.',
  },
  record_not_found: {
    status: 404,
    title: 'Record not found at the vendor',
    cause: 'The vendor responded that there is no such record.',
    repair: 'Check the id. The vendor does not have the record, or this account cannot see it.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    cause: 'The path exists, but not with this HTTP method.',
    repair: 'Use a method from the `Allow` header of the response.',
  },
  different_account: {
    status: 409,
    title: 'The credentials belong to a different vendor account',
    cause: 'A reconnect must use the same vendor account. The new credentials belong to another one.',
    repair:
      'Ask the customer to sign in to the same vendor account, or send `replace_account: true`, which deletes the synced records.',
  },
  set_up_complete: {
    status: 409,
    title: 'The service was set up already',
    cause: 'The service was set up already, so it no longer accepts a set-up code.',
    repair: 'For operators: sign in with an admin key.',
  },
  already_exists: {
    status: 409,
    title: 'The name is already in use',
    cause: 'Something of the same type already has this name.',
    repair: 'Choose another name.',
  },
  edit_conflict: {
    status: 409,
    title: 'It was changed in the meantime',
    cause: 'It was changed after you loaded it.',
    repair: 'For operators: reload, then repeat the change.',
  },
  organization_being_deleted: {
    status: 409,
    title: 'The organization is being deleted',
    cause: 'An operator has requested the deletion of the organization, which cannot be undone.',
    repair: 'For operators: create another organization.',
  },
  managed_by_environment: {
    status: 409,
    title: 'The BOOTSTRAP_ variables own the application',
    cause:
      'The application is defined by environment variables, which would undo the change at the next start.',
    repair: 'For operators: change the `BOOTSTRAP_` variables, or adopt the application in the console.',
  },
  too_many_secrets: {
    status: 409,
    title: 'The application has the maximum number of client secrets',
    cause: 'The application already has as many client secrets as it can have.',
    repair: 'For operators: delete a client secret first.',
  },
  last_client_secret: {
    status: 409,
    title: 'The application would have no usable client secret',
    cause: 'Without this client secret, the application could no longer get tokens.',
    repair: 'For operators: add a client secret first.',
  },
  last_admin_key: {
    status: 409,
    title: 'No admin key would be left that can change anything',
    cause: 'This is the last admin key that can change anything.',
    repair: 'For operators: add an admin key with write access first.',
  },
  too_many_connectors: {
    status: 409,
    title: 'The customer has the maximum number of connectors',
    cause: 'The customer already has as many connectors as the operator allows.',
    repair: 'Delete a connector, or ask the operator to raise `CONNECTORS_PER_CUSTOMER`.',
  },
  helper_url_missing: {
    status: 409,
    title: "The organization has no URL of the integrator's helper",
    cause: 'A connect link takes people to your helper, and the organization has no URL of one.',
    repair:
      'Set `connect_helper_url` of the organization to the public URL of your helper, in the console, with `PATCH /api/v1/organization` or with `BOOTSTRAP_HELPER_URL`.',
  },
  too_many_links: {
    status: 409,
    title: 'The customer has the maximum number of open connect links',
    cause: 'The customer already has as many open connect links as allowed.',
    repair: 'Revoke links that are no longer needed, or wait until some have been used or have expired.',
  },
  too_many_webhooks: {
    status: 409,
    title: 'The organization has the maximum number of webhooks',
    cause: 'The organization already has 20 webhooks.',
    repair: 'Delete a webhook that is no longer needed, or let one webhook receive more events.',
  },
  link_used: {
    status: 409,
    title: 'The connect link was already used',
    cause: 'The connect link has already connected a source.',
    repair: 'Create a new link: each one connects one source.',
  },
  link_expired: {
    status: 409,
    title: 'The connect link has expired',
    cause: 'The connect link is past the time that was set when it was created.',
    repair: 'Create a new link, with a longer `expires_in` if needed.',
  },
  link_revoked: {
    status: 409,
    title: 'The connect link was revoked',
    cause: 'The connect link was revoked, or something it depends on was disabled.',
    repair:
      'Create a new link. A link also ends when its application, organization, source or connector is disabled, its tokens are revoked, or `SIGNING_KEYS` is replaced.',
  },
  outcome_unknown: {
    status: 409,
    title: 'It is unknown whether the change took effect',
    cause:
      'An earlier request with this `Idempotency-Key` was sent to the vendor, and its response was never received.',
    repair:
      'Read the record to see whether the change took effect. Only if it did not, send it again with a new `Idempotency-Key`.',
  },
  connector_ambiguous: {
    status: 409,
    title: 'More than one connector matches',
    cause: 'Several connectors of the customer match, and the client cannot choose one.',
    repair: 'Pass `connectorId` to the client, because the customer has several connectors of this kind.',
    isLocal: true,
  },
  cursor_expired: {
    status: 410,
    title: 'The cursor has expired',
    cause:
      'The changes after the cursor have been deleted, which happens after some days, or the database was restored or moved since the cursor was returned.',
    repair:
      'Start again: request `cursor=now`, read all records with `search`, delete those that you no longer find, then follow the changes from the new cursor.',
  },
  body_too_large: {
    status: 413,
    title: 'Request body too large',
    cause: 'The request body is larger than the endpoint accepts.',
    repair: 'Send less in one request.',
  },
  media_type_not_supported: {
    status: 415,
    title: 'The request body must be application/json',
    cause: 'The `Content-Type` of the request is not `application/json`.',
    repair: 'Send JSON with `Content-Type: application/json`.',
  },
  unknown_connector_type: {
    status: 422,
    title: 'Unknown connector kind',
    cause: '`connector_type` names a kind that this service does not have.',
    repair: 'Correct `connector_type`; `detail` lists the known ones.',
  },
  unknown_entity: {
    status: 422,
    title: 'Unknown entity',
    cause: 'The kind has no entity with this name.',
    repair: 'Correct `entity`; the page of the source lists its entities.',
  },
  unknown_action: {
    status: 422,
    title: 'Unknown action',
    cause: 'The entity has no action with this name.',
    repair: 'Correct `action`; the page of the entity lists its actions.',
  },
  invalid_params: {
    status: 422,
    title: 'Invalid parameters',
    cause:
      'The params do not match the action, for example because of a misspelled name or a value out of range.',
    repair: 'Correct the params: `errors` lists each invalid field with its path.',
  },
  invalid_credentials: {
    status: 422,
    title: 'The credentials or settings do not match their schema',
    cause: 'The credentials or settings do not match the form of the auth method. The vendor was not called.',
    repair: 'Correct the credentials or settings: `errors` lists each invalid field.',
  },
  credentials_refused: {
    status: 422,
    title: 'The vendor rejected the credentials',
    cause: 'The service checked the credentials at the vendor, which rejected them. Nothing was stored.',
    repair: 'Ask the customer to check the credentials: the vendor rejected them.',
  },
  oauth_app_required: {
    status: 422,
    title: 'The credentials need the OAuth app that issued them',
    cause:
      'The credentials are a grant that only the OAuth app which requested it can use, and there is no such app.',
    repair:
      "Send the `client_id` and `client_secret` that issued the token, or set the organization's own OAuth app.",
  },
  oauth_not_offered: {
    status: 422,
    title: 'No OAuth app is configured for this kind',
    cause:
      'The source needs an OAuth app to start a consent, and neither the service nor the organization has one.',
    repair:
      'Set an OAuth app for this source: `OAUTH_<KIND>_CLIENT_ID` for the service, or the own app of the organization.',
  },
  secret_id_invalid: {
    status: 422,
    title: 'The secret id is invalid, expired or already used',
    cause: 'The secret id is wrong, has expired, or was used to create a connector.',
    repair:
      'Start a new consent. A secret id is valid for ten minutes, or 30 if the session has a `challenge`, and creates one connector.',
  },
  link_code_invalid: {
    status: 422,
    title: 'The code is invalid, expired or already used',
    cause:
      'The one-time code of a connect link was used already, is older than five minutes, or belongs to another browser.',
    repair: 'Ask the user to open the link again: a code works once, within five minutes.',
  },
  sign_in_invalid: {
    status: 422,
    title: 'The sign-in has ended, or its code is invalid',
    cause:
      'The one-time code of the sign-in was used already, is older than five minutes, or belongs to another sign-in or organization.',
    repair: 'Ask the person to connect the agent again: a code works once, within five minutes.',
  },
  vendor_refused_request: {
    status: 422,
    title: 'The vendor rejected the request',
    cause: 'The params have the right form, but the vendor rejected their content.',
    repair: "Correct the params: `vendor.message` is the vendor's own explanation.",
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used for a different request',
    cause: 'The same `Idempotency-Key` was sent before with a different request.',
    repair: 'Use a new `Idempotency-Key` for each different request.',
  },
  search_needs_hosted: {
    status: 422,
    title: 'Search is available in hosted mode only',
    cause: '`search` was called on a connector that runs in your own process.',
    repair: 'Search covers synced records, so it needs the service.',
    isLocal: true,
  },
  query_too_expensive: {
    status: 422,
    title: 'The search is too expensive',
    cause: 'The estimated cost of the search is over the limit of the service, so it was not started.',
    repair:
      'Simplify the part of the query that `detail` names. See [cost of a search](/docs/search#cost-of-a-search).',
  },
  query_too_slow: {
    status: 422,
    title: 'The search took too long',
    cause: 'The search was stopped because it reached its time limit.',
    repair: 'Filter or sort by an indexed field, or search for fewer records.',
  },
  reauthentication_required: {
    status: 424,
    title: 'The vendor no longer accepts the stored credentials',
    cause:
      'The sign-in or key expired, was revoked, or lost a permission, so the vendor rejects the stored credentials.',
    repair:
      'Ask the customer to reconnect. The widget offers this; `PATCH` on the connector does it from your backend.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause:
      "Too many requests in a short time, or at the same time, or a customer's searches are paused after one that was too slow.",
    repair: 'Wait for `Retry-After` seconds, then repeat the request.',
  },
  vendor_rate_limited: {
    status: 429,
    title: 'Vendor rate limit exceeded',
    cause: 'The request would exceed a rate limit or the daily quota of the vendor.',
    repair: "Wait for `Retry-After` seconds. The vendor's limit is used up; see the page of the source.",
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    cause: 'An unexpected error in the service. It has been logged.',
    repair:
      "Repeat the request once; then give the operator the `request_id`, with which the service's log names the cause.",
  },
  backend_misconfigured: {
    status: 500,
    title: 'The backend is misconfigured',
    cause: 'Your own backend cannot get tokens, because an option of the server helper is missing or wrong.',
    repair: 'Correct the option of `connectorAuth()` that `detail` names, such as the client secret.',
  },
  vendor_failed: {
    status: 502,
    title: 'The vendor request failed',
    cause: 'The vendor responded with an error of its own, or with something that is not its API.',
    repair: 'Try again later: the vendor reported an error of its own. `vendor` has its status and message.',
  },
  vendor_response_too_large: {
    status: 502,
    title: "The vendor's response is too large",
    cause: "The vendor's response is larger than the service reads.",
    repair: 'Request fewer records or fields at once.',
  },
  vendor_misconfigured: {
    status: 502,
    title: 'The service is misconfigured for this vendor',
    cause:
      "The vendor rejected the OAuth app or developer token of the service, not the customer's credentials.",
    repair:
      'Give the operator the `request_id`: the OAuth app or developer token of the service does not work.',
  },
  unexpected_answer: {
    status: 502,
    title: 'Unexpected response from the service',
    cause:
      'The response does not come from the service, or from a version whose responses the client cannot read.',
    repair: 'Check that the base URL is the one of the service, without a proxy that answers instead.',
    isLocal: true,
  },
  overloaded: {
    status: 503,
    title: 'The service is overloaded or restarting',
    cause: 'The service has reached a limit that protects it, or is restarting.',
    repair: 'Wait for `Retry-After` seconds, then repeat the request.',
  },
  audit_unavailable: {
    status: 503,
    title: 'The audit log cannot be written',
    cause: 'The change must be recorded in the audit log, which cannot be written.',
    repair:
      'For operators: the database does not accept writes to the audit log. Nothing was changed; repeat the request later.',
  },
  unreachable: {
    status: 503,
    title: 'The service is unreachable',
    cause: 'No connection to the service could be made.',
    repair: 'Check the base URL, and that the service is running.',
    isLocal: true,
  },
  vendor_timeout: {
    status: 504,
    title: 'The vendor did not respond in time',
    cause: 'The vendor did not respond in time.',
    repair: 'Try again, with fewer records per page if it repeats.',
  },
  timeout: {
    status: 504,
    title: 'The service did not respond in time',
    cause: "The service did not respond before the client's deadline.",
    repair: 'Try again, or raise `timeoutMs`.',
    isLocal: true,
  },
  aborted: {
    status: 499,
    title: 'The caller cancelled the request',
    cause: 'The signal that you passed to the client was aborted.',
    repair: 'Nothing, if you cancelled the request on purpose.',
    isLocal: true,
  },
} satisfies Record<string, ProblemDescription>;

/** Response header with the problem's code, for callers that do not read the body. */
export const problemCodeHeader = 'X-Problem-Code';

export type ProblemCode = keyof typeof problems;

// Object.keys loses the literal types that the table above has.
export const problemCodes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

/**
 * An invalid field of a request: its dotted path (`credentials.api_key`, `params.page_size`) and what is
 * wrong with it.
 */
export const issueSchema = z.object({ path: z.string(), message: z.string() });
export type Issue = z.infer<typeof issueSchema>;

/** The vendor's HTTP status, error code and message, if the vendor caused the error. */
export const vendorReportSchema = z.object({
  name: z.string(),
  status: z.number().int().nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
});
export type VendorReport = z.infer<typeof vendorReportSchema>;

/** Ids of the vendor account of a connector, and of the account to which new credentials belong. */
export const accountPairSchema = z.object({ current: z.string(), given: z.string() });
export type AccountPair = z.infer<typeof accountPairSchema>;

/** RFC 9457 problem details with extension members. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.enum(problemCodes),
  request_id: z.string().nullable(),
  errors: z.array(issueSchema).optional(),
  vendor: vendorReportSchema.optional(),
  accounts: accountPairSchema.optional(),
});
export type Problem = z.infer<typeof problemSchema>;

/** Details of an error beyond its code and message. */
export interface ErrorEvidence {
  errors?: readonly Issue[];
  vendor?: VendorReport;
  accounts?: AccountPair;
  /** Seconds to wait before retrying. */
  retryAfterSeconds?: number;
  requestId?: string;
  /** The HTTP status that was received, if it differs from the table's. */
  status?: number;
  cause?: unknown;
}

/**
 * The error that connectors, the service and the client throw. `code` is stable and from a closed list.
 * `message` says what to do and never contains a secret.
 */
export class ConnectorAuthError extends Error {
  override readonly name = 'ConnectorAuthError';
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly Issue[];
  readonly vendor: VendorReport | null;
  readonly accounts: AccountPair | undefined;
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;

  constructor(code: ProblemCode, message: string, evidence: ErrorEvidence = {}) {
    super(message, evidence.cause === undefined ? undefined : { cause: evidence.cause });
    this.code = code;
    this.status = evidence.status ?? problems[code].status;
    this.errors = evidence.errors ?? [];
    this.vendor = evidence.vendor ?? null;
    this.accounts = evidence.accounts;
    this.retryAfterSeconds = evidence.retryAfterSeconds ?? null;
    this.requestId = evidence.requestId ?? null;
  }

  /**
   * Returns an error for invalid input. Its message is `summary` followed by every issue as `path: message`.
   * @param summary what is invalid as a whole, e.g. `The credentials are not valid for Gong`.
   */
  static invalid(code: ProblemCode, issues: readonly Issue[], summary?: string): ConnectorAuthError {
    const list = issues
      .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
      .join('; ');
    return new ConnectorAuthError(code, summary === undefined ? list : `${summary}: ${list}`, {
      errors: issues,
    });
  }
}

/** Returns the problem+json body of an error. */
export function toProblem(error: ConnectorAuthError, requestId: string | null): Problem {
  const { status, title } = problems[error.code];
  return {
    type: `urn:connector-auth:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.errors.length > 0 ? { errors: [...error.errors] } : {}),
    ...(error.vendor ? { vendor: error.vendor } : {}),
    ...(error.accounts ? { accounts: error.accounts } : {}),
  };
}

/**
 * Returns the error that a problem+json body describes, or null if the body is not one of our problems.
 * @param retryAfterSeconds value of the `Retry-After` header, if present.
 */
export function fromProblem(body: unknown, retryAfterSeconds?: number): ConnectorAuthError | null {
  const parsed = problemSchema.safeParse(body);
  if (!parsed.success) return null;
  const { code, detail, status, request_id, errors, vendor, accounts } = parsed.data;
  return new ConnectorAuthError(code, detail, {
    status,
    ...(request_id === null ? {} : { requestId: request_id }),
    ...(errors ? { errors } : {}),
    ...(vendor ? { vendor } : {}),
    ...(accounts ? { accounts } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
