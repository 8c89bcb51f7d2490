import { createContext } from '@lit/context';
import { version } from '../version.ts';
import type { en } from './en.ts';

/** The sentences of one language: a text, or a function where something is put in. */
export type Messages = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : (typeof en)[Key];
};

/** How the screens get the messages of the element they are in. A string, so that copies of this code agree on it. */
// createContext brands whatever key it gets with the type it is asked for.
export const messagesContext = createContext<Messages>(`connector-auth-messages-${version}`);
