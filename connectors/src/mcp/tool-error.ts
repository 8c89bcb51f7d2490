import type { ConnectorAuthError, ProblemCode } from '@connector-auth/api';
import type { CallToolResult } from '@modelcontextprotocol/server';

const askUser = 'Tell the user; repeating the call does not help.';

/** What an agent does next, for errors whose message does not say it. */
const nextSteps: Readonly<Partial<Record<ProblemCode, string>>> = {
  malformed_request: 'Correct the arguments that `errors` lists, then call the tool again.',
  invalid_params:
    'Call describe with source and entity for the params, correct them, then call the tool again.',
  unknown_entity: 'Call describe with the source for its entities.',
  unknown_action: 'Call describe with source and entity for its actions.',
  unknown_connector_type: 'Call list_sources for the names of the sources.',
  connector_not_found: 'Call list_sources for the ids of the connectors.',
  customer_not_found: 'Check customer_name. A customer exists once a token was minted for it.',
  customer_not_allowed: 'Omit customer_name, or use a token of that customer.',
  record_not_found: 'Check the id, for example with the list action.',
  source_not_allowed: 'Use another source from list_sources, or ask for a token that allows this one.',
  action_not_allowed:
    'Tell the user what is missing: a sign-in or token that allows the action, or a connector whose access is write.',
  outcome_unknown:
    'Use read to see whether the change took effect. Only if it did not, call write again with a new idempotency_key.',
  idempotency_key_reused: 'Use a new idempotency_key for a new change.',
  reauthentication_required:
    'Ask the user to reconnect the source, with connect if you have it: its sign-in is no longer valid.',
  vendor_permission_missing: 'Ask the user to reconnect with an account that has the permission.',
  vendor_refused_request: 'Correct the params according to the message, then call the tool again.',
  query_too_expensive: 'Narrow the filter, or compare fewer fields.',
  query_too_slow: 'Narrow the filter, or request fewer fields.',
  search_needs_hosted: 'Use read instead.',
  helper_url_missing:
    'Tell the user that links are not set up yet, and to connect the source in the app instead.',
  too_many_links: 'Ask the user to open a link that they already have.',
  connector_disabled: askUser,
  connector_frozen: askUser,
  connector_unavailable: askUser,
};

const unexpected = 'Try again once. If it fails again, tell the user the code and the request_id.';

/** Returns the result that describes an error and the next step to an agent. */
export function toToolError(error: ConnectorAuthError, requestId: string | null): CallToolResult {
  const { code, message, errors, retryAfterSeconds } = error;
  const described = {
    code,
    message: message.slice(0, maxMessageLength),
    next: nextStepOf(error),
    ...(errors.length > 0 ? { errors: errors.slice(0, maxErrors) } : {}),
    ...(retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds }),
    request_id: requestId,
  };
  return { content: [{ type: 'text', text: JSON.stringify(described) }], isError: true };
}

const maxMessageLength = 4_000;
const maxErrors = 20;

function nextStepOf({ code, status, retryAfterSeconds }: ConnectorAuthError): string {
  const known = nextSteps[code];
  if (known !== undefined) return known;
  if (status === 429 || status === 503) return `Wait ${Math.ceil(retryAfterSeconds ?? 1)} s, then try again.`;
  return status >= 500 ? unexpected : askUser;
}
