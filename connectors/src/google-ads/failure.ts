import type { Issue } from '@connector-auth/api';
import { readRetryAfter, type VendorFailure, type VendorFailureKind } from '../kind/failure.ts';
import type { Grant } from '../kind/grants.ts';
import { asArray, asObject, asString } from '../kind/record.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import { kindOf as kindOfStatus } from '../rest/failures.ts';
import { ownAppId } from './auth.ts';
import { camelCase } from './field-names.ts';

/** One error in a `GoogleAdsFailure`. */
export interface GoogleAdsError {
  /** Error type and value, such as `queryError.UNRECOGNIZED_FIELD`. */
  readonly code: string | null;
  readonly message: string | null;
  /** Path of the field in Google's request format, such as `operations.0.create.name`; null if unknown. */
  readonly path: string | null;
  /** Seconds to wait until quota is available again. */
  readonly retryAfterSeconds: number | null;
}

/**
 * Classifies a response from Google Ads. An error body contains a `GoogleAdsFailure`, or a plain Google error
 * if the access token has expired or the JSON is malformed. Errors from streaming endpoints are wrapped in an
 * array.
 */
export function readFailure(
  { status, headers, body }: VendorResponse,
  nowMs: number,
  grant: Grant,
): VendorFailure | null {
  if (status < 400) return null;
  const { error } = asObject(Array.isArray(body) ? body[0] : body);
  const { message, details } = asObject(error);
  const errors = readErrors(details);
  const [first] = errors;
  const code = first?.code ?? reasonOf(details);
  const report = { code, message: first?.message ?? asString(message) };
  const kind = kindOf(status, code, grant);
  if (kind === 'rate_limit') {
    const waits = errors.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
    const headerSeconds = readRetryAfter(headers['retry-after'], nowMs);
    return { kind, ...report, retryAfterSeconds: waits.length > 0 ? Math.max(...waits) : headerSeconds };
  }
  if (kind === 'credentials' && isAboutDeveloperToken(code)) {
    return { kind, ...report, issues: [developerTokenIssue] };
  }
  if (kind === 'request' || kind === 'not_found')
    return { kind, ...report, issues: issuesIn(errors, details) };
  // A 404 without a Google Ads error means that the API version was removed.
  return { kind, ...report, message: report.message ?? (status === 404 ? unknownVersionMessage : null) };
}

const unknownVersionMessage = 'this API version does not exist or was removed';

const developerTokenIssue: Issue = {
  path: 'credentials.developer_token',
  message: "Google Ads didn't accept this developer token",
};

function isAboutDeveloperToken(code: string | null): boolean {
  return code !== null && code.includes('DEVELOPER_TOKEN');
}

/** Error codes whose meaning differs from their HTTP status. */
const kindsByCode: Readonly<Record<string, VendorFailureKind>> = {
  'requestError.UNSUPPORTED_VERSION': 'operator',
  'requestError.RESOURCE_NOT_FOUND': 'not_found',
  // Google sends this code with status 401, although the customer id is wrong, not the credentials.
  'authenticationError.CUSTOMER_NOT_FOUND': 'not_found',
  'authenticationError.CLIENT_CUSTOMER_ID_INVALID': 'request',
  // Google sends this code with status 400 if two clients write at the same time.
  'databaseError.CONCURRENT_MODIFICATION': 'vendor',
  'internalError.TRANSIENT_ERROR': 'vendor',
};

/**
 * Error codes for the developer token or the Google Cloud project. The operator must fix these, unless the
 * customer supplied the developer token.
 */
const projectCodes = new Set([
  'authenticationError.DEVELOPER_TOKEN_INVALID',
  'authenticationError.ORGANIZATION_NOT_APPROVED',
  'authenticationError.ORGANIZATION_NOT_ASSOCIATED_WITH_DEVELOPER_TOKEN',
  'authenticationError.ORGANIZATION_NOT_RECOGNIZED',
  'authorizationError.CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION',
  'authorizationError.CLOUD_PROJECT_NOT_UNDER_ORGANIZATION',
  'authorizationError.DEVELOPER_TOKEN_NOT_APPROVED',
  'authorizationError.DEVELOPER_TOKEN_NOT_ON_ALLOWLIST',
  'authorizationError.DEVELOPER_TOKEN_PROHIBITED',
  'authorizationError.PROJECT_DISABLED',
  'requestError.CLOUD_PROJECT_NOT_FOUND',
  'requestError.DEVELOPER_TOKEN_PARAMETER_MISSING',
  'SERVICE_DISABLED',
]);

function kindOf(status: number, code: string | null, grant: Grant): VendorFailureKind {
  if (code !== null && projectCodes.has(code) && grant.method !== ownAppId) return 'operator';
  if (code === 'requestError.DEVELOPER_TOKEN_PARAMETER_MISSING') return 'credentials';
  if (code !== null && Object.hasOwn(kindsByCode, code)) return kindsByCode[code] ?? 'vendor';
  // A 404 with a Google Ads error means that the resource does not exist. A 404 without one means that the
  // API version was removed.
  if (status === 404) return code === null ? 'operator' : 'not_found';
  return status === 409 ? 'vendor' : kindOfStatus(status);
}

/** Reads the errors from the details of a failure or from the `partialFailureError` of a success. */
export function readErrors(details: unknown): GoogleAdsError[] {
  return asArray(details).flatMap(detail => asArray(asObject(detail)['errors']).map(readError));
}

function readError(wire: unknown): GoogleAdsError {
  const { errorCode, message, location, details } = asObject(wire);
  const [family] = Object.entries(asObject(errorCode));
  const elements = asArray(asObject(location)['fieldPathElements']).map(asObject);
  const steps = elements.flatMap(({ fieldName, index }) => [
    camelCase(asString(fieldName) ?? ''),
    ...(typeof index === 'number' ? [String(index)] : []),
  ]);
  return {
    code: family ? `${family[0]}.${String(family[1])}` : null,
    message: asString(message),
    path: steps.length > 0 ? steps.join('.') : null,
    retryAfterSeconds: readDuration(asObject(asObject(details)['quotaErrorDetails'])['retryDelay']),
  };
}

/** Reads the reason from a `google.rpc.ErrorInfo`, which plain Google errors include. */
function reasonOf(details: unknown): string | null {
  return asArray(details).reduce<string | null>(
    (found, detail) => found ?? asString(asObject(detail)['reason']),
    null,
  );
}

/** Parses a JSON duration such as `30s` or `1.5s` and returns the seconds. */
function readDuration(value: unknown): number | null {
  const seconds = typeof value === 'string' ? Number.parseFloat(value) : Number.NaN;
  return Number.isFinite(seconds) ? Math.ceil(seconds) : null;
}

/** Converts the fields that Google's errors point to into issues with our own params. */
function issuesIn(errors: readonly GoogleAdsError[], details: unknown): Issue[] {
  const issues = errors.flatMap(({ code, message, path }) => {
    const place = path ?? (code?.startsWith('queryError.') ? 'query' : null);
    return place === null ? [] : [{ path: `params.${place}`, message: message ?? code ?? 'Rejected' }];
  });
  // JSON that Google cannot read: `{field: "operations[0].create", description}`.
  for (const violation of asArray(details).flatMap(d => asArray(asObject(d)['fieldViolations']))) {
    const { field, description } = asObject(violation);
    const path = (asString(field) ?? '').replaceAll(/\[(\d+)\]/g, '.$1');
    if (path !== '') issues.push({ path: `params.${path}`, message: asString(description) ?? 'Rejected' });
  }
  return issues;
}
