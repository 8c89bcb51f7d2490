import type { OwnMessages } from '../../kind/words.ts';
import { de } from './de.ts';
import { en } from './en.ts';

export const messages = { en, de } satisfies OwnMessages;
