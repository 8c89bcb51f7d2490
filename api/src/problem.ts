import { z } from 'zod';

/**
 * All error codes with their HTTP status and title. Codes are stable.
 *
 * The service sends a {@link ConnectorAuthError} as `application/problem+json` (RFC 9457), and the client
 * turns it back into the same error.
 */
export const problems = {
  malformed_request: { status: 400, title: 'Invalid request' },
  organization_required: { status: 400, title: 'X-Organization-Id header required' },
  token_missing: { status: 401, title: 'Bearer token required' },
  token_invalid: { status: 401, title: 'Invalid token' },
  token_expired: { status: 401, title: 'Token expired' },
  not_signed_in: { status: 401, title: 'Not signed in' },
  admin_key_invalid: { status: 401, title: 'Admin key or session required' },
  setup_code_invalid: { status: 401, title: 'The set-up code is invalid, expired or already used' },
  client_credentials_invalid: { status: 401, title: 'Invalid client id or client secret' },
  token_kind_not_allowed: { status: 403, title: 'This endpoint does not accept this kind of token' },
  admin_access_insufficient: { status: 403, title: 'The admin key allows reading only' },
  organization_disabled: { status: 403, title: 'An operator has disabled the organization' },
  connector_disabled: { status: 403, title: 'An operator has disabled the connector' },
  connector_frozen: { status: 403, title: 'Connections are frozen because of an incident' },
  organization_not_allowed: { status: 403, title: 'The application does not belong to this organization' },
  customer_not_allowed: { status: 403, title: 'The token belongs to a different customer' },
  origin_not_allowed: { status: 403, title: 'Origin not allowed' },
  redirect_url_not_allowed: { status: 403, title: 'Redirect URL not allowed' },
  verifier_wrong: { status: 403, title: "The verifier does not match the session's challenge" },
  source_not_allowed: { status: 403, title: 'The token does not allow this source' },
  action_not_allowed: { status: 403, title: 'The token does not allow this action' },
  management_not_allowed: { status: 403, title: 'The token does not allow this change' },
  guest_links_not_allowed: { status: 403, title: 'The organization does not allow links for guests' },
  vendor_permission_missing: { status: 403, title: 'The vendor account lacks a required permission' },
  route_not_found: { status: 404, title: 'Endpoint not found' },
  organization_not_found: { status: 404, title: 'Organization not found' },
  application_not_found: { status: 404, title: 'Application not found' },
  client_secret_not_found: { status: 404, title: 'Client secret not found' },
  admin_key_not_found: { status: 404, title: 'Admin key not found' },
  admin_session_not_found: { status: 404, title: 'Session of the console not found' },
  incident_not_found: { status: 404, title: 'Incident not found' },
  definition_not_found: { status: 404, title: 'Source definition not found' },
  customer_not_found: { status: 404, title: 'Customer not found' },
  connector_not_found: { status: 404, title: 'Connector not found' },
  oauth_session_not_found: { status: 404, title: 'OAuth session not found' },
  link_not_found: { status: 404, title: 'Connect link not found' },
  oauth_credentials_not_found: { status: 404, title: 'The organization has no OAuth app for this kind' },
  record_not_found: { status: 404, title: 'Record not found at the vendor' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  different_account: { status: 409, title: 'The credentials belong to a different vendor account' },
  set_up_complete: { status: 409, title: 'The service was set up already' },
  already_exists: { status: 409, title: 'The name is already in use' },
  edit_conflict: { status: 409, title: 'It was changed in the meantime' },
  managed_by_environment: { status: 409, title: 'The BOOTSTRAP_ variables own the application' },
  too_many_secrets: { status: 409, title: 'The application has the maximum number of client secrets' },
  last_client_secret: { status: 409, title: 'The application would have no usable client secret' },
  last_admin_key: { status: 409, title: 'No admin key would be left that can change anything' },
  too_many_connectors: { status: 409, title: 'The customer has the maximum number of connectors' },
  helper_url_missing: { status: 409, title: "The organization has no URL of the integrator's helper" },
  too_many_links: { status: 409, title: 'The customer has the maximum number of open connect links' },
  link_used: { status: 409, title: 'The connect link was already used' },
  link_expired: { status: 409, title: 'The connect link has expired' },
  link_revoked: { status: 409, title: 'The connect link was revoked' },
  outcome_unknown: { status: 409, title: 'It is unknown whether the change took effect' },
  connector_ambiguous: { status: 409, title: 'More than one connector matches' },
  body_too_large: { status: 413, title: 'Request body too large' },
  media_type_not_supported: { status: 415, title: 'The request body must be application/json' },
  unknown_connector_type: { status: 422, title: 'Unknown connector kind' },
  unknown_entity: { status: 422, title: 'Unknown entity' },
  unknown_action: { status: 422, title: 'Unknown action' },
  invalid_params: { status: 422, title: 'Invalid parameters' },
  invalid_credentials: { status: 422, title: 'The credentials or settings do not match their schema' },
  credentials_refused: { status: 422, title: 'The vendor rejected the credentials' },
  oauth_app_required: { status: 422, title: 'The credentials need the OAuth app that issued them' },
  oauth_not_offered: { status: 422, title: 'No OAuth app is configured for this kind' },
  secret_id_invalid: { status: 422, title: 'The secret id is invalid, expired or already used' },
  link_code_invalid: { status: 422, title: 'The code is invalid, expired or already used' },
  vendor_refused_request: { status: 422, title: 'The vendor rejected the request' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for a different request' },
  search_needs_hosted: { status: 422, title: 'Search is available in hosted mode only' },
  query_too_expensive: { status: 422, title: 'The search is too expensive' },
  query_too_slow: { status: 422, title: 'The search took too long' },
  reauthentication_required: { status: 424, title: 'The vendor no longer accepts the stored credentials' },
  rate_limited: { status: 429, title: 'Too many requests' },
  vendor_rate_limited: { status: 429, title: 'Vendor rate limit exceeded' },
  internal_error: { status: 500, title: 'Internal error' },
  backend_misconfigured: { status: 500, title: 'The backend is misconfigured' },
  vendor_failed: { status: 502, title: 'The vendor request failed' },
  vendor_response_too_large: { status: 502, title: "The vendor's response is too large" },
  vendor_misconfigured: { status: 502, title: 'The service is misconfigured for this vendor' },
  unexpected_answer: { status: 502, title: 'Unexpected response from the service' },
  overloaded: { status: 503, title: 'The service is overloaded or restarting' },
  audit_unavailable: { status: 503, title: 'The audit log cannot be written' },
  unreachable: { status: 503, title: 'The service is unreachable' },
  vendor_timeout: { status: 504, title: 'The vendor did not respond in time' },
  timeout: { status: 504, title: 'The service did not respond in time' },
  aborted: { status: 499, title: 'The caller cancelled the request' },
} as const satisfies Record<string, { status: number; title: string }>;

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
