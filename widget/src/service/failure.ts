import type { Issue, Problem, ProblemCode } from '@connector-auth/api';

/** The error codes of the service and of the server helper, three more for the token URL and three for OAuth sessions. */
export type FailureCode =
  | ProblemCode
  | 'token_unavailable'
  | 'token_refused'
  | 'token_answer_invalid'
  | 'consent_denied'
  | 'consent_failed'
  | 'consent_expired';

/** An error as plain data. States contain it, and the public error event reports it. */
export interface Failure {
  readonly code: FailureCode;
  /** For developers, in English. Never contains a secret. */
  readonly message: string;
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** The earliest time of a retry (ISO 8601), or null if it is unknown. */
  readonly retryAt: string | null;
  /** Invalid fields, with messages that users may read. */
  readonly issues: readonly Issue[];
  /** The vendor accounts, if the credentials belong to another one than the connector. */
  readonly accounts?: AccountPair | undefined;
  /** Why the vendor denied access, in its own words; null if the user did, undefined if that is unknown. */
  readonly reason?: string | null | undefined;
  /** Whether nothing works until the integrator changes something. */
  readonly isSetUpError: boolean;
}

/** Ids of the vendor account of a connector, and of the account of new credentials. */
export type AccountPair = NonNullable<Problem['accounts']>;

/** The only error class that the widget's network code throws. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: Failure;

  constructor(code: FailureCode, message: string, more: Partial<Failure> & { cause?: unknown } = {}) {
    const { cause, ...known } = more;
    super(message, { cause });
    this.failure = {
      status: null,
      requestId: null,
      retryAt: null,
      issues: [],
      isSetUpError: false,
      ...known,
      code,
      message,
    };
  }
}

/**
 * Converts any thrown value to a failure. Unexpected errors become `internal_error` with the same message.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof ServiceError) return error.failure;
  return new ServiceError('internal_error', error instanceof Error ? error.message : String(error)).failure;
}

/** Returns the failure that a state contains, or null. */
export function failureIn(state: object): Failure | null {
  // Every state with a `failure` has one of this type.
  return (state as { readonly failure?: Failure | null }).failure ?? null;
}

/** Returns whether a failure is about the integrator's settings or servers, not about what the user did. */
export function concernsIntegrator({ code }: Failure): boolean {
  return !/^consent|credentials|^secret_id|^link_/.test(code);
}
