import type { LimitUsage } from '../../platform/concurrency/limit-error.ts';
import type { HttpResponse } from './locals.ts';

/** Describes a limit in the response, unless one that is closer to being exceeded was described before. */
export function reportLimit(response: HttpResponse, usage: LimitUsage): void {
  const { limit } = response.locals;
  if (limit !== undefined && shareLeft(limit) <= shareLeft(usage)) return;
  response.locals.limit = usage;
  setLimitHeaders(response, usage);
}

/** Describes a limit as in draft-ietf-httpapi-ratelimit-headers-10. */
export function setLimitHeaders(
  response: HttpResponse,
  { policy, remaining, resetSeconds }: LimitUsage,
): void {
  const { name, quota, windowSeconds } = policy;
  const unit = windowSeconds === null ? 'qu="concurrent-requests"' : `w=${windowSeconds}`;
  const reset = resetSeconds === null ? '' : `;t=${Math.ceil(resetSeconds)}`;
  response.setHeader('RateLimit-Policy', `"${name}";q=${quota};${unit}`);
  response.setHeader('RateLimit', `"${name}";r=${remaining}${reset}`);
}

function shareLeft({ policy, remaining }: LimitUsage): number {
  return remaining / policy.quota;
}
