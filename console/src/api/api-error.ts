import type { Issue, ProblemCode } from '@connector-auth/api';

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

/** Reads the problem details of a response that is not successful. */
export async function readProblem(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('X-Request-Id');
  try {
    // The service sends problem details (RFC 9457); everything else fails the checks below.
    const { code, detail, errors, request_id } = (await response.json()) as Partial<{
      code: ProblemCode;
      detail: string;
      errors: readonly Issue[];
      request_id: string | null;
    }>;
    if (code && typeof detail === 'string') {
      return new ApiError(code, detail, response.status, errors ?? [], request_id ?? requestId);
    }
  } catch {
    // A proxy between the browser and the service can send anything.
  }
  return new ApiError(
    'unexpected_answer',
    `The service can’t be used right now (HTTP ${response.status}). Check that it is running, then try again.`,
    response.status,
    [],
    requestId,
  );
}
