import type { en } from './en.ts';

/** The messages of one language. Each is a string, or a function that inserts values into a string. */
export type Messages = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : (typeof en)[Key];
};

/** Messages that name the integrator, and the messages that they replace. */
const named = {
  emptyHintBy: 'emptyHint',
  formTitleBy: 'formTitle',
  trustSignInBy: 'trustSignIn',
  pausedHintBy: 'pausedHint',
  noMethodHintBy: 'noMethodHint',
  forbiddenHintBy: 'forbiddenHint',
  setupHintBy: 'setupHint',
} as const;

/**
 * Returns the messages of a page or a custom language, so that each of them that does not name the integrator
 * also replaces the message that does.
 */
export function replaceNamed(own: Partial<Messages>): Partial<Messages> {
  const replaced: Record<string, unknown> = {};
  for (const [name, plain] of Object.entries(named)) {
    const message = own[plain as keyof Messages];
    if (message !== undefined) replaced[name] = typeof message === 'string' ? () => message : message;
  }
  return { ...replaced, ...own };
}
