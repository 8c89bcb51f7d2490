import type { CommandContext, ExitCode } from '../command.ts';

export async function runDoctor(_a: readonly string[], _c: CommandContext): Promise<ExitCode> {
  return 0;
}
