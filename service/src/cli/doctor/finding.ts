/**
 * What a check found:
 *
 * | state | meaning |
 * |---|---|
 * | ok | nothing to do |
 * | warning | it works, but the operator should change something |
 * | problem | the service does not start, or something does not work |
 * | skipped | it could not be checked now |
 */
export type State = 'ok' | 'warning' | 'problem' | 'skipped';

export interface Finding {
  /** What was checked, such as `database`. */
  readonly check: string;
  readonly state: State;
  /** A sentence that contains no secret. */
  readonly message: string;
  /** What the operator should do, or null. */
  readonly advice: string | null;
}

/** Returns functions that create the findings of one check. */
export function findingsOf(check: string) {
  const finding =
    (state: State) =>
    (message: string, advice: string | null = null): Finding => ({ check, state, message, advice });
  return {
    ok: finding('ok'),
    warning: finding('warning'),
    problem: finding('problem'),
    skipped: finding('skipped'),
  };
}

/** Returns the message of an error and its causes in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const own = error.message === '' ? code : error.message;
  const cause = error.cause instanceof Error ? reasonOf(error.cause) : '';
  return [own, cause].filter((text, index, all) => text !== '' && all.indexOf(text) === index).join(': ');
}
