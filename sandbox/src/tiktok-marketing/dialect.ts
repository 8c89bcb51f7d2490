import type { Dialect } from '../simulator/vendor.ts';
import { CODES, envelope } from './envelope.ts';

/** TikTok's error responses for injected faults: HTTP 200 with a code, except gateway errors. */
export function tiktokDialect(requestId: () => string): Dialect {
  return {
    rateLimited: () => envelope(CODES.rateLimited, 'App reaches the QPS limit.', {}, requestId()),
    failure: status => {
      if (status >= 502 && status <= 504) {
        const body = `<html><body><center><h1>${status}</h1></center></body></html>`;
        return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body };
      }
      const [code, message] = FAILURES[status] ?? [CODES.systemError, 'System error.'];
      return envelope(code, message, {}, requestId());
    },
  };
}

const FAILURES: Record<number, readonly [number, string]> = {
  400: [CODES.badParameter, 'Invalid parameters.'],
  401: [CODES.badToken, 'Access token is incorrect or has been revoked.'],
  403: [CODES.noPermission, 'No permission.'],
  404: [CODES.notExisting, 'The object does not exist.'],
};
