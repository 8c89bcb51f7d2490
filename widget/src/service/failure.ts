import type { Issue, ProblemCode } from '@connector-auth/api';

/** Error codes: those of the service, three of the token URL and three of a consent. */
export type FailureCode =
  | ProblemCode
  | 'token_unavailable'
  | 'token_refused'
  | 'token_answer_invalid'
  | 'consent_denied'
  | 'consent_failed'
  | 'consent_expired';

/** What is known about an error. Plain data: states contain it, and the public error event reports it. */
export interface Failure {
  readonly code: FailureCode;
  /** For developers, in English. Never contains a secret. */
  readonly message: string;
  /** The HTTP status, or null without a response. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** Invalid fields, with messages that users may read. */
  readonly issues: readonly Issue[];
}

/** The one error class of the widget's network code. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: Failure;

  constructor(code: FailureCode, message: string, more: Partial<Failure> & { cause?: unknown } = {}) {
    const { cause, ...known } = more;
    super(message, { cause });
    this.failure = { status: null, requestId: null, issues: [], ...known, code, message };
  }
}

/** Converts anything thrown to a failure: unexpected errors become `internal_error` with the same message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ServiceError) return error.failure;
  return new ServiceError('internal_error', error instanceof Error ? error.message : String(error)).failure;
}

/** Returns the failure of a state, or null. */
export function failureIn(state: object): Failure | null {
  // Every state with a `failure` has one of this type.
  return (state as { readonly failure?: Failure | null }).failure ?? null;
}
