import type { Language } from '@connector-auth/api';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { Messages } from './messages.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

/** The text in each language. */
export const messages: Readonly<Record<Language, Messages>> = { en, de, fr, es, pt, ja, zh, ar };
