import type { Response } from 'express';
import { LimitError } from '../../platform/concurrency/limit-error.ts';
import { addressKey, type RateLimit } from '../../platform/concurrency/rate-limit.ts';
import type { Log } from '../../platform/log/log.ts';
import { logExceededLimit } from '../http/access-log.ts';

/** Returns whether a browser's address has exceeded a limit. Logs that, and sets `Retry-After` for the page that says so. */
export function exceedsLimit(limit: RateLimit, response: Response, log: Log): boolean {
  try {
    limit.take(addressKey(response.req.ip ?? ''));
    return false;
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    logExceededLimit(log, error, response);
    response.set('Retry-After', String(error.retryAfterSeconds ?? 1));
    return true;
  }
}
