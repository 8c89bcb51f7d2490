import { checkMessages } from './check-messages.ts';
import { en } from './en.ts';
import { importable, importLanguage } from './import-language.ts';
import type { Messages } from './messages.ts';
import { notifyWatchers } from './nearest-language.ts';

/** A language that the integrator adds. Missing messages stay English. */
export type CustomLanguage = Partial<Messages> & Pick<Messages, 'language'>;

const known = new Map<string, Messages>([['en', en]]);

/**
 * Adds or replaces a language for every widget on the page.
 * @throws RangeError if `language` is no language tag, TypeError if a message has an unknown name or a wrong
 * type.
 */
export function registerLanguage(language: CustomLanguage): void {
  const { baseName } = new Intl.Locale(language.language);
  const { valid, issues } = checkMessages(language);
  if (issues.length > 0) throw new TypeError(issues.join('; '));
  known.set(baseName, { ...en, ...valid });
  notifyWatchers();
}

/** Returns the messages for a language tag; null if their file is not loaded yet; English without a file. */
export function knownMessages(tag: string): Messages | null {
  // Most pages use `en`; the browser takes milliseconds to prepare for parsing tags.
  for (const name of known.has(tag) ? [tag] : namesFor(tag)) {
    const messages = known.get(name);
    if (messages !== undefined) return messages;
    if (importable.includes(name)) return null;
  }
  return en;
}

/** Loads the file for a language tag. Rejects if that fails; the messages stay English then. */
export async function loadMessages(tag: string): Promise<void> {
  const name = namesFor(tag).find(name => importable.includes(name));
  if (name !== undefined) known.set(name, named(await importLanguage(name)));
}

/** Adds the names to the list in a built file, see build/compact-messages.ts. */
function named(messages: Messages | readonly unknown[]): Messages {
  if (!isList(messages)) return messages;
  const names = Object.keys(en);
  // A cached file of another version: English is better than wrong messages.
  if (messages.length !== names.length) return en;
  // The build has checked that the list has the order of the names.
  return Object.fromEntries(names.map((name, index) => [name, messages[index]])) as Messages;
}

function isList(messages: Messages | readonly unknown[]): messages is readonly unknown[] {
  return Array.isArray(messages);
}

/**
 * Returns the tags that match a language, the closest first: `de` also matches `de-AT`. A different script is
 * a different language: `zh-Hant` matches `zh-TW`, `zh` does not.
 */
function namesFor(tag: string): readonly string[] {
  try {
    const locale = new Intl.Locale(tag);
    const { language, script } = locale.maximize();
    const isUsualScript = new Intl.Locale(language).maximize().script === script;
    return [locale.baseName, `${language}-${script}`, ...(isUsualScript ? [language] : [])];
  } catch {
    // Not a language tag: pages may write anything into `lang`.
    return [];
  }
}
