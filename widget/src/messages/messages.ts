import type { en } from './en.ts';

/** The messages of one language. Each is a text, or a function that inserts values into a text. */
export type Messages = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : (typeof en)[Key];
};
