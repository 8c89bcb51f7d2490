/** Reports invalid use of the sandbox's control API. The message says what is allowed. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}
