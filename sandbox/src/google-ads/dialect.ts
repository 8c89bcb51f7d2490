import type { Request } from 'express';
import type { Reply } from '../simulator/reply.ts';
import type { Dialect } from '../simulator/vendor.ts';
import { unauthenticated } from './access.ts';
import { failureReply, googleReply, type FailureEntry } from './failure.ts';
import { tooMany } from './limits.ts';
import { versionName } from './routes.ts';

/** The retry delay for faults without `retryAfter`. */
const DEFAULT_WAIT_SECONDS = 30;

/** Google's error responses for injected faults, for both the API and the token endpoint. */
export function googleDialect(requestId: () => string): Dialect {
  const render = (entry: FailureEntry, request: Request, status?: number): Reply =>
    failureReply(entry, versionName(request.originalUrl), requestId(), status);
  return {
    rateLimited: (retryAfter = DEFAULT_WAIT_SECONDS, request) =>
      isOAuth(request)
        ? { status: 429, body: { error: 'rate_limit_exceeded', error_description: 'Rate Limit Exceeded' } }
        : render(tooMany('RESOURCE_EXHAUSTED', retryAfter), request),
    failure: (status, request) => {
      if (isOAuth(request)) return oauthFailure(status);
      if (status === 401) return googleReply(unauthenticated('ACCESS_TOKEN_EXPIRED', EXPIRED));
      return render(ENTRIES[status] ?? INTERNAL, request, status);
    },
  };
}

const EXPIRED =
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.';

const INTERNAL: FailureEntry = {
  errorCode: { internalError: 'INTERNAL_ERROR' },
  message: 'An internal error has occurred.',
};

const ENTRIES: Record<number, FailureEntry> = {
  400: { errorCode: { requestError: 'UNKNOWN' }, message: 'The request is invalid.' },
  403: {
    errorCode: { authorizationError: 'USER_PERMISSION_DENIED' },
    message:
      "User doesn't have permission to access customer. Note: set the login-customer-id header when going through a manager.",
  },
  404: { errorCode: { requestError: 'RESOURCE_NOT_FOUND' }, message: 'Resource was not found.' },
  409: {
    errorCode: { databaseError: 'CONCURRENT_MODIFICATION' },
    message: 'Multiple requests were attempting to modify the same resource at once. Retry the request.',
  },
  503: {
    errorCode: { internalError: 'TRANSIENT_ERROR' },
    message: 'A transient internal error has occurred. Retry the request.',
  },
  504: {
    errorCode: { internalError: 'DEADLINE_EXCEEDED' },
    message: 'The request took longer than a deadline.',
  },
};

function isOAuth(request: Request): boolean {
  return /\/(token|revoke|auth)(\?|$)/.test(request.originalUrl);
}

function oauthFailure(status: number): Reply {
  const bodies: Record<number, readonly [string, string]> = {
    400: ['invalid_grant', 'Token has been expired or revoked.'],
    401: ['invalid_client', 'Unauthorized'],
    403: ['access_denied', 'Forbidden'],
  };
  const [error, description] = bodies[status] ?? ['internal_failure', 'Backend Error'];
  return { status, body: { error, error_description: description } };
}
