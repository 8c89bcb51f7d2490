import type { Issue, ProblemCode } from '@connector-auth/api';
import { parseProblem } from '@connector-auth/api/error-response';

/** A request that failed. `message` says what the operator can do. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly status: number,
    /** The invalid fields by path, such as `name` or `configuration.client_id`. */
    readonly issues: readonly Issue[] = [],
    readonly requestId: string | null = null,
  ) {
    super(message);
  }

  /** Returns any thrown value as an ApiError, so that a defect is shown like a failed request. */
  static of(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    return new ApiError('internal_error', error instanceof Error ? error.message : String(error), 500);
  }
}

/** Returns the error that a response describes. */
export async function readProblem(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const requestId = headers.get('X-Request-Id');
  const problem = parseProblem(await response.json().catch(() => null));
  if (problem)
    return new ApiError(
      problem.code,
      problem.message,
      status,
      problem.issues,
      problem.requestId ?? requestId,
    );
  return new ApiError(
    'unexpected_answer',
    `The service can’t be used right now (HTTP ${status}). Check that it is running, then try again.`,
    status,
    [],
    requestId,
  );
}
