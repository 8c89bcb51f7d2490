import type { en } from './en.ts';

/** The sentences of one language: a text, or a function where something is put in. */
export type Messages = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : (typeof en)[Key];
};
