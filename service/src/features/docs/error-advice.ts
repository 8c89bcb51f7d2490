import type { ProblemCode } from '@connector-auth/api';

/** What a developer does about each error code. */
export const errorAdvice: Readonly<Record<ProblemCode, string>> = {
  malformed_request:
    'Correct the request: `errors` lists each invalid field. An unknown field is invalid too; its message names the fields that exist.',
  organization_required:
    'Send `X-Organization-Id`, because the application belongs to several organizations.',
  token_missing: 'Send `Authorization: Bearer <token>`.',
  token_invalid:
    'Get a new token. If new tokens are rejected too, they are from another installation or were revoked.',
  token_expired: 'Get a new token and repeat the request. The TypeScript client does this for you.',
  not_signed_in:
    'Your own token URL found no signed-in customer: `resolveCustomer` returned null. Ask the user to sign in.',
  admin_key_invalid: 'For operators: sign in to the console again, or check the admin key.',
  setup_code_invalid: 'For operators: restart the service to get a new set-up code.',
  client_credentials_invalid:
    'Check the client id and secret. A deleted or expired secret and a disabled application give the same error.',
  token_kind_not_allowed: 'Use a token that the endpoint accepts; each endpoint lists them.',
  admin_access_insufficient: 'For operators: use an admin key with write access.',
  organization_disabled: 'Ask the operator of the service to enable the organization.',
  connector_disabled: 'Ask the operator of the service to enable the connector.',
  connector_frozen: 'Wait until the operator of the service has resolved the incident.',
  organization_not_allowed:
    'Correct `X-Organization-Id`, or ask the operator to give the application access.',
  customer_not_allowed: "Use a token of the connector's customer.",
  origin_not_allowed:
    'Call from the page for which the token was minted, and list its origin in `allowedOrigins` of your helper. Application tokens must stay on your server.',
  redirect_url_not_allowed:
    'Register the redirect URL for the application, in the console or with `BOOTSTRAP_REDIRECT_URLS`.',
  verifier_wrong: 'Send the verifier from which the `challenge` of the session was computed.',
  source_not_allowed: 'Mint a token with this source in `allowed_sources`, or use another source.',
  action_not_allowed:
    'Mint a token with this action in `allowed_actions`. `create` and `update` are never included by default. To change data through a connector whose `access` is `read`, the user must reconnect it.',
  management_not_allowed: 'Mint a token with this right in `allowed_management`.',
  guest_links_not_allowed:
    'Set `guest_connect_links` of the organization, in the console or with `PATCH /api/v1/organization`. Widget tokens can create links only for their customer. A guest can only reconnect a connector whose account the vendor reports.',
  vendor_permission_missing:
    "Ask the customer to reconnect with an account that has the permission; `vendor.message` is the vendor's own explanation.",
  route_not_found: 'Check the path against this reference.',
  organization_not_found: 'For operators: check the id of the organization.',
  application_not_found: 'For operators: check the id of the application.',
  client_secret_not_found: 'For operators: check the id of the client secret; it may be deleted already.',
  admin_key_not_found: 'For operators: check the id of the admin key.',
  admin_session_not_found:
    'For operators: the session has ended, or uses another key. List the sessions again.',
  incident_not_found: 'For operators: check the id of the incident.',
  definition_not_found: 'Check the id. The catalog lists the sources that your organization can use.',
  customer_not_found: 'Check the name. A customer exists from the first token that was minted for it.',
  connector_not_found: "Check the id. A customer's token finds only that customer's connectors.",
  oauth_session_not_found: 'Start a new session; sessions are deleted some time after they end.',
  link_not_found: 'Check the id. Links are deleted 30 days after they expire, or with their customer.',
  oauth_credentials_not_found:
    'There is nothing to delete: the organization has no OAuth app of its own for this source.',
  record_not_found: 'Check the id. The vendor does not have the record, or this account cannot see it.',
  method_not_allowed: 'Use a method from the `Allow` header of the response.',
  different_account:
    'Ask the customer to sign in to the same vendor account, or send `replace_account: true`, which deletes the synced records.',
  set_up_complete: 'For operators: sign in with an admin key.',
  already_exists: 'Choose another name.',
  edit_conflict: 'For operators: reload, then repeat the change.',
  managed_by_environment:
    'For operators: change the `BOOTSTRAP_` variables, or adopt the application in the console.',
  helper_url_missing:
    'Set `connect_helper_url` of the organization to the public URL of your helper, in the console, with `PATCH /api/v1/organization` or with `BOOTSTRAP_HELPER_URL`.',
  too_many_links:
    'Revoke links that are no longer needed, or wait until some have been used or have expired.',
  link_used: 'Create a new link: each one connects one source.',
  link_expired: 'Create a new link, with a longer `expires_in` if needed.',
  link_revoked:
    'Create a new link. A link also ends when its application, organization, source or connector is disabled, its tokens are revoked, or `SIGNING_KEYS` is replaced.',
  outcome_unknown:
    'Read the record to see whether the change took effect. Only if it did not, send it again with a new `Idempotency-Key`.',
  too_many_secrets: 'For operators: delete a client secret first.',
  last_client_secret: 'For operators: add a client secret first.',
  last_admin_key: 'For operators: add an admin key with write access first.',
  too_many_connectors: 'Delete a connector, or ask the operator to raise `CONNECTORS_PER_CUSTOMER`.',
  connector_ambiguous:
    'Pass `connectorId` to the client, because the customer has several connectors of this kind.',
  body_too_large: 'Send less in one request.',
  media_type_not_supported: 'Send JSON with `Content-Type: application/json`.',
  unknown_connector_type: 'Correct `connector_type`; `detail` lists the known ones.',
  unknown_entity: 'Correct `entity`; the page of the source lists its entities.',
  unknown_action: 'Correct `action`; the page of the entity lists its actions.',
  invalid_params: 'Correct the params: `errors` lists each invalid field with its path.',
  invalid_credentials: 'Correct the credentials or settings: `errors` lists each invalid field.',
  credentials_refused: 'Ask the customer to check the credentials: the vendor rejected them.',
  oauth_app_required:
    "Send the `client_id` and `client_secret` that issued the token, or set the organization's own OAuth app.",
  oauth_not_offered:
    'Set an OAuth app for this source: `OAUTH_<KIND>_CLIENT_ID` for the service, or the own app of the organization.',
  secret_id_invalid:
    'Start a new consent. A secret id is valid for ten minutes, or 30 if the session has a `challenge`, and creates one connector.',
  link_code_invalid: 'Ask the user to open the link again: a code works once, within five minutes.',
  vendor_refused_request: "Correct the params: `vendor.message` is the vendor's own explanation.",
  idempotency_key_reused: 'Use a new `Idempotency-Key` for each different request.',
  search_needs_hosted: 'Search covers synced records, so it needs the service.',
  query_too_expensive:
    'Simplify the part of the query that `detail` names. The page about search explains the cost.',
  query_too_slow: 'Filter or sort by an indexed field, or search for fewer records.',
  reauthentication_required:
    'Ask the customer to reconnect. The widget offers this; `PATCH` on the connector does it from your backend.',
  rate_limited: 'Wait for `Retry-After` seconds, then repeat the request.',
  vendor_rate_limited:
    "Wait for `Retry-After` seconds. The vendor's limit is used up; see the page of the source.",
  internal_error:
    "Repeat the request once; then give the operator the `request_id`, with which the service's log names the cause.",
  vendor_failed:
    'Try again later: the vendor reported an error of its own. `vendor` has its status and message.',
  vendor_response_too_large: 'Request fewer records or fields at once.',
  vendor_misconfigured:
    'Give the operator the `request_id`: the OAuth app or developer token of the service does not work.',
  backend_misconfigured:
    'Reported by your own backend: correct the option of `connectorAuth()` that `detail` names, such as the client secret.',
  unexpected_answer:
    'Reported by the client: check that the base URL is the one of the service, without a proxy that answers instead.',
  overloaded: 'Wait for `Retry-After` seconds, then repeat the request.',
  audit_unavailable:
    'For operators: the database does not accept writes to the audit log. Nothing was changed; repeat the request later.',
  unreachable: 'Reported by the client: check the base URL, and that the service is running.',
  vendor_timeout: 'Try again, with fewer records per page if it repeats.',
  timeout: 'Reported by the client: try again, or raise `timeoutMs`.',
  aborted: 'Reported by the client: your own signal cancelled the request.',
};
