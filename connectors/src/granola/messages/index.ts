import type { OwnMessages } from '../../kind/words.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

export const messages = {
  en,
  ar,
  de,
  es,
  fr,
  ja,
  pt,
  zh,
} satisfies OwnMessages;
