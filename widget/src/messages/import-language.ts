import type { Messages } from './messages.ts';

/** Maps language tags to functions that import their files. */
const files = {
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  ja: () => import('./ja.ts'),
  pt: () => import('./pt.ts'),
  zh: () => import('./zh.ts'),
};

/** The tags of the languages that {@link importLanguage} can load. */
export const importable: readonly string[] = Object.keys(files);

/** Loads a language's messages. Built files contain a list in the order of the English messages. */
export async function importLanguage(tag: string): Promise<Messages | readonly unknown[]> {
  // Called only with tags in `importable`.
  return (await files[tag as keyof typeof files]()).messages;
}
