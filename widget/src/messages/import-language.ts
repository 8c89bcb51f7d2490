import type { Messages } from './messages.ts';

/** The languages in separate files, by tag. */
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

/** Loads the messages of a language: built files contain a list in the order of the English messages. */
export async function importLanguage(tag: string): Promise<Messages | readonly unknown[]> {
  // Called only with tags in `importable`.
  return (await files[tag as keyof typeof files]()).messages;
}
