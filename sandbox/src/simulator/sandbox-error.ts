/** Whoever drives the sandbox asked for something it cannot do; the message says what would have worked. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}
