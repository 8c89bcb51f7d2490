import type { en } from './en.ts';

/** The messages of one language. Each is a string, or a function that inserts values into a string. */
export type Messages = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : (typeof en)[Key];
};
