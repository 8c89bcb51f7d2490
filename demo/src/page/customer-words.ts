import type { Problem, ProblemCode } from '@connector-auth/api';

/** What customers read where the service's own sentence is for operators and developers. */
const sentences: Partial<Record<ProblemCode, string>> = {
  connector_disabled: 'This connection is paused. Contact Fieldbook support to resume it.',
  connector_frozen: 'This connection is paused for now. Try again later.',
  organization_disabled: 'Connections are paused. Contact Fieldbook support to resume them.',
  source_not_allowed: 'This source isn’t available in your plan. Contact Fieldbook support.',
  reauthentication_required: 'Your sign-in expired. Reconnect this source under Connections.',
  rate_limited: 'Too many requests. Try again in a minute.',
  overloaded: 'Fieldbook is busy. Try again in a minute.',
  query_too_expensive: 'This search would take too long. Add a condition, or sort by another field.',
  query_too_slow: 'This search took too long. Add a condition, such as a date, to narrow it.',
  internal_error: 'Something went wrong. Try again in a moment.',
};

/** Returns a sentence for the customer about a failed request. */
export function customerSentence(problem: Partial<Problem>, status: number): string {
  const { code, detail } = problem;
  const sentence = code === undefined ? undefined : sentences[code];
  return sentence ?? detail ?? `Fieldbook returned an error (status ${status}).`;
}
