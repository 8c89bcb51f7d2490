import type { Reply } from '../simulator/reply.ts';

/** One error in a `GoogleAdsFailure`. */
export interface FailureEntry {
  /** An error family and its value, for example `{queryError: 'UNRECOGNIZED_FIELD'}`. */
  readonly errorCode: Readonly<Record<string, string>>;
  readonly message: string;
  readonly trigger?: { readonly stringValue: string };
  readonly location?: {
    readonly fieldPathElements: readonly { readonly fieldName: string; readonly index?: number }[];
  };
  readonly details?: unknown;
}

/** An error from Google Ads, which is returned as a `GoogleAdsFailure`. */
export class GoogleAdsError extends Error {
  override readonly name = 'GoogleAdsError';
  readonly entry: FailureEntry;

  constructor(entry: FailureEntry) {
    super(entry.message);
    this.entry = entry;
  }
}

/** An error from Google's front end, which is returned without a `GoogleAdsFailure`. */
export class GoogleError extends Error {
  override readonly name = 'GoogleError';
  readonly code: number;
  readonly status: string;
  readonly details: readonly unknown[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: number,
    status: string,
    message: string,
    extras: { details?: readonly unknown[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = extras.details ?? [];
    this.headers = extras.headers ?? {};
  }
}

/**
 * The location of an error in a request, such as `operations[1].update.name`, and the value that caused it.
 */
export interface ErrorLocation {
  readonly path?: string;
  readonly trigger?: string;
}

/** Creates an error from its family and value, for example `fail('queryError', 'BAD_VALUE', '…')`. */
export function fail(
  family: string,
  value: string,
  message: string,
  { path, trigger }: ErrorLocation = {},
): GoogleAdsError {
  return new GoogleAdsError({
    errorCode: { [family]: value },
    message,
    ...(trigger !== undefined && { trigger: { stringValue: trigger } }),
    ...(path !== undefined && { location: { fieldPathElements: parsePath(path) } }),
  });
}

/** Creates the error that Google Ads returns for an invalid query. */
export function queryError(value: string, message: string): GoogleAdsError {
  return fail('queryError', value, message);
}

/** Creates the error that Google returns for JSON that does not match the request message. */
export function badJson(field: string, description: string): GoogleError {
  const violation = { ...(field !== '' && { field }), description };
  return new GoogleError(400, 'INVALID_ARGUMENT', description, {
    details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [violation] }],
  });
}

/** Converts a path such as `operations[1].update.name` to Google's `fieldPathElements`. */
function parsePath(path: string): { fieldName: string; index?: number }[] {
  return path.split('.').map(part => {
    const [, name = part, index] = /^(\w+)\[(\d+)\]$/.exec(part) ?? [];
    return { fieldName: name, ...(index !== undefined && { index: Number(index) }) };
  });
}

const STATUSES: Record<number, readonly [string, string]> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'Request is missing required authentication credential.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'Requested entity was not found.'],
  409: ['ABORTED', 'The operation was aborted.'],
  429: ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  500: ['INTERNAL', 'Internal error encountered.'],
  503: ['UNAVAILABLE', 'The service is currently unavailable.'],
  504: ['DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'],
};

function statusOf({ errorCode }: FailureEntry): number {
  const [family = '', value = ''] = Object.entries(errorCode)[0] ?? [];
  if (value === 'RESOURCE_NOT_FOUND') return 404;
  if (value === 'CONCURRENT_MODIFICATION') return 409;
  const statuses: Record<string, number> = {
    authenticationError: 401,
    authorizationError: 403,
    quotaError: 429,
    internalError: 500,
  };
  return statuses[family] ?? 400;
}

/** Renders the response to a request that failed with a Google Ads error. */
export function failureReply(
  entry: FailureEntry,
  version: string,
  requestId: string,
  status = statusOf(entry),
): Reply {
  const [name, message] = STATUSES[status] ?? ['UNKNOWN', 'Unknown error.'];
  const type = `type.googleapis.com/google.ads.googleads.${version}.errors.GoogleAdsFailure`;
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=UTF-8', 'request-id': requestId },
    body: {
      error: {
        code: status,
        message,
        status: name,
        details: [{ '@type': type, errors: [entry], requestId }],
      },
    },
  };
}

/** Renders the response to a request that failed in Google's front end. */
export function googleReply({ code, status, message, details, headers }: GoogleError): Reply {
  return {
    status: code,
    headers: { ...headers, 'Content-Type': 'application/json; charset=UTF-8' },
    body: { error: { code, message, status, ...(details.length > 0 && { details }) } },
  };
}
