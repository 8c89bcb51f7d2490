import type { Kind } from '@connector-auth/connectors/kind';
import type { Environment } from '../platform/config/environment.ts';
import type { Terminal } from './terminal.ts';

/** What a command needs from the process that runs it. */
export interface CommandContext {
  readonly environment: Environment;
  readonly terminal: Terminal;
  readonly kinds: readonly Kind[];
  /** What is wrong with the kinds that `KINDS` names. Default: nothing. */
  readonly kindProblems?: readonly string[];
}

/** The exit codes of all commands. */
export const exitCodes = {
  ok: 0,
  /** The service rejected the request, the command failed, or `doctor` found a problem. */
  failed: 1,
  /** Unknown command or option, missing or invalid value, or no confirmation. Nothing was changed. */
  usage: 2,
  /** The service cannot be reached or is overloaded, so the outcome may be unknown. Run the command again. */
  unavailable: 3,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failure that ends a command with a message for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Reports arguments that the command does not accept. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}
