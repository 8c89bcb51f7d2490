import { checkMessages } from './check-messages.ts';
import { en } from './en.ts';
import { importable, importLanguage } from './import-language.ts';
import type { Messages } from './messages.ts';
import { tellWatchers } from './nearest-language.ts';

/** A language that an integrator brings along: what it leaves out stays English. */
export type CustomLanguage = Partial<Messages> & Pick<Messages, 'language'>;

const known = new Map<string, Messages>([['en', en]]);

/**
 * Adds a language, or replaces one, for every widget on the page.
 * @throws RangeError when `language` is no language tag, TypeError when a sentence has the wrong name or type.
 */
export function registerLanguage(language: CustomLanguage): void {
  const { baseName } = new Intl.Locale(language.language);
  const { usable, mistakes } = checkMessages(language);
  if (mistakes.length > 0) throw new TypeError(mistakes.join('; '));
  known.set(baseName, { ...en, ...usable });
  tellWatchers();
}

/** The sentences for a language tag as far as they are here; null when there is a file that has them. */
export function knownMessages(tag: string): Messages | null {
  // Most pages say no more than `en`, and the browser takes long to get ready for reading tags.
  for (const name of known.has(tag) ? [tag] : namesFor(tag)) {
    const messages = known.get(name);
    if (messages !== undefined) return messages;
    if (importable.includes(name)) return null;
  }
  return en;
}

/** Loads the file for a language tag. Rejects when it cannot be had; English is what remains then. */
export async function loadMessages(tag: string): Promise<void> {
  const name = namesFor(tag).find(name => importable.includes(name));
  if (name !== undefined) known.set(name, named(await importLanguage(name)));
}

/** Built files are lists, see build/compact-messages.ts. */
function named(messages: Messages | readonly unknown[]): Messages {
  if (!isList(messages)) return messages;
  const names = Object.keys(en);
  // A file of another version, from some cache: better English than the wrong sentences.
  if (messages.length !== names.length) return en;
  // The build has made sure that list and names have one order.
  return Object.fromEntries(names.map((name, index) => [name, messages[index]])) as Messages;
}

function isList(messages: Messages | readonly unknown[]): messages is readonly unknown[] {
  return Array.isArray(messages);
}

/**
 * The names a language may be known by, the nearest first: `de-AT` also goes by `de`. Another script is another
 * language: `zh-TW` goes by `zh-Hant`, not by `zh`.
 */
function namesFor(tag: string): readonly string[] {
  try {
    const locale = new Intl.Locale(tag);
    const { language, script } = locale.maximize();
    const isUsualScript = new Intl.Locale(language).maximize().script === script;
    return [locale.baseName, `${language}-${script}`, ...(isUsualScript ? [language] : [])];
  } catch {
    // Not a language tag: what a page writes into `lang` is its own affair.
    return [];
  }
}
