import type { Issue, Problem, ProblemCode } from '../problem.ts';

/** What an error response says. */
export interface ReceivedProblem {
  /** A newer service can send a code that is not in the list. */
  readonly code: ProblemCode;
  readonly message: string;
  readonly requestId: string | null;
  readonly accounts: Problem['accounts'];
  readonly issues: readonly Issue[];
}

/**
 * Reads the problem details (RFC 9457) in the JSON body of an error response. Returns null for any other value, which a
 * proxy can send.
 */
export function parseProblem(body: unknown): ReceivedProblem | null {
  // These two tell problem details from other JSON.
  const { code, detail, request_id, errors, accounts } = (body ?? {}) as Partial<Problem>;
  if (typeof code !== 'string' || typeof detail !== 'string') return null;
  return {
    code,
    message: detail,
    requestId: request_id ?? null,
    accounts,
    issues: Array.isArray(errors) ? errors : [],
  };
}
