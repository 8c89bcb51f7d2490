import type { en } from './en.ts';

/** The messages of one language: texts, or functions of the values in them. */
export type Messages = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : (typeof en)[Key];
};
