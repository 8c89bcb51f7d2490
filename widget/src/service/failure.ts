import type { Issue, ProblemCode } from '@connector-auth/api';

/** Why something could not be done: the service's own codes, three about the token URL, three about a consent. */
export type FailureCode =
  | ProblemCode
  | 'token_unavailable'
  | 'token_refused'
  | 'token_answer_invalid'
  | 'consent_denied'
  | 'consent_failed'
  | 'consent_expired';

/** What is known about a failure. Plain data: states carry it and the public error event tells it. */
export interface Failure {
  readonly code: FailureCode;
  /** For developers, in English; never holds a secret. Faults and vendor reasons are fit for people too. */
  readonly message: string;
  /** The HTTP status, or null where there was no answer. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly issues: readonly Issue[];
}

/** The one error of the widget's network code. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: Failure;

  constructor(code: FailureCode, message: string, more: Partial<Failure> & { cause?: unknown } = {}) {
    const { cause, ...known } = more;
    super(message, { cause });
    this.failure = { status: null, requestId: null, issues: [], ...known, code, message };
  }
}

/** The failure an effect ended with. What nobody expected becomes an internal error, with its message kept. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ServiceError) return error.failure;
  return new ServiceError('internal_error', error instanceof Error ? error.message : String(error)).failure;
}

/** The failure that a state tells of; null where there is none. */
export function failureIn(state: object): Failure | null {
  // Every state that has a `failure` has it of this type.
  return (state as { readonly failure?: Failure | null }).failure ?? null;
}
