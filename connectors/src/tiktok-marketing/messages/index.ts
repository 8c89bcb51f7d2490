import type { OwnMessages } from '../../kind/words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';

export const messages = {
  en,
  de,
  es,
  fr,
  pt,
} satisfies OwnMessages;
