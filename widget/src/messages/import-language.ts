import type { Messages } from './messages.ts';

/** The languages that are files of their own, by tag. */
const files = {
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  ja: () => import('./ja.ts'),
  pt: () => import('./pt.ts'),
  zh: () => import('./zh.ts'),
};

/** The tags of the languages that {@link importLanguage} can have. */
export const importable: readonly string[] = Object.keys(files);

/** The sentences of a language, from its file: a list in the order of the English ones once they are built. */
export async function importLanguage(tag: string): Promise<Messages | readonly unknown[]> {
  // Asked for what is in `importable` only.
  return (await files[tag as keyof typeof files]()).messages;
}
