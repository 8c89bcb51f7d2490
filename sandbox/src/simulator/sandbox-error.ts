/** Invalid use of the sandbox's control API; the message says what is allowed. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}
