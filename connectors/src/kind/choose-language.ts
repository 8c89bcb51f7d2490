import { languages, type Language } from '@connector-auth/api';

/**
 * Returns the first of the language tags in which kinds can have words, such as `de` for `de-AT`, or English. A different
 * script counts as a different language: `zh-TW` is not `zh`.
 */
export function chooseLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const language = languageOf(tag);
    if (language !== null) return language;
  }
  return 'en';
}

function languageOf(tag: string): Language | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    const known = languages.find(known => known === language);
    return known !== undefined && new Intl.Locale(known).maximize().script === script ? known : null;
  } catch {
    // Callers can send anything, such as `*`.
    return null;
  }
}
