import { checkMessages } from './check-messages.ts';
import { en } from './en.ts';
import { importable, importLanguage } from './import-language.ts';
import type { Messages } from './messages.ts';
import { notifyWatchers } from './nearest-language.ts';

/** A language that the integrator adds. Omitted messages fall back to English. */
export type CustomLanguage = Partial<Messages> & Pick<Messages, 'language'>;

const known = new Map<string, Messages>([['en', en]]);

/**
 * Adds or replaces a language for every widget on the page.
 * @throws RangeError if `language.language` is not a valid BCP 47 language tag.
 * @throws TypeError if a message has an unknown name or the wrong type.
 */
export function registerLanguage(language: CustomLanguage): void {
  const { baseName } = new Intl.Locale(language.language);
  const { valid, issues } = checkMessages(language);
  if (issues.length > 0) throw new TypeError(issues.join('; '));
  // Later messages of `en` must be found (see step-messages.ts).
  known.set(baseName, Object.setPrototypeOf({ ...valid }, en) as Messages);
  notifyWatchers();
}

/**
 * Returns the messages for a language tag, or null if their file is not loaded yet. Returns the English
 * messages if the language has no file.
 */
export function knownMessages(tag: string): Messages | null {
  // Skips parsing if possible (most pages use `en`), because the first tag takes the browser milliseconds.
  for (const name of known.has(tag) ? [tag] : namesFor(tag)) {
    const messages = known.get(name);
    if (messages !== undefined) return messages;
    if (importable.includes(name)) return null;
  }
  return en;
}

/** Loads the file for a language tag. Rejects if loading fails; the messages then stay in English. */
export async function loadMessages(tag: string): Promise<void> {
  const name = namesFor(tag).find(name => importable.includes(name));
  if (name !== undefined) known.set(name, named(await importLanguage(name)));
}

/** Adds the message names to the list from a built file (see build/compact-messages.ts). */
function named(file: Messages | readonly unknown[]): Messages {
  if (!('length' in file)) return file;
  const names = Object.keys(en);
  // The file was cached from another version. English is better than wrong messages.
  if (file.length !== names.length) return en;
  // The build has checked that the list and the names have the same order.
  return Object.fromEntries(names.map((name, index) => [name, file[index]])) as Messages;
}

/**
 * Returns the tags of the translations that can be used for a language, closest match first. For example, the
 * `de` translation can be used for `de-AT`. A different script counts as a different language: for `zh-TW`,
 * `zh-Hant` can be used but `zh` cannot.
 */
function namesFor(tag: string): readonly string[] {
  try {
    const locale = new Intl.Locale(tag);
    const { language, script } = locale.maximize();
    const isUsualScript = new Intl.Locale(language).maximize().script === script;
    return [locale.baseName, `${language}-${script}`, ...(isUsualScript ? [language] : [])];
  } catch {
    // A page can set `lang` to anything, including invalid tags.
    return [];
  }
}
